// Loads the state of an unpacked bundle: records into a new database of this release, and projects into a new cluster. No file of
// the bundle becomes a database file. The contents are read and inserted.
import { createReadStream, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SchemaName, schemaNameOf, trusted } from '../../core/names.ts'
import { plainPath } from '../../core/plain-paths.ts'
import { type Engine, SqlError } from '../../database/engine.ts'
import type { SystemDb } from '../../database/system-db/system-db.ts'
import { damaged } from './bundle-error.ts'
import {
  continueSequences,
  HistoryLineError,
  loadHistory,
  readHistory,
} from './history/load-history.ts'
import { loadProject, ProjectLineError } from './state/load-project.ts'
import { MAX_LINE_CHARACTERS, type ProjectLine, parseProjectLine } from './state/project-lines.ts'
import type { BundledRecords } from './state/record-tables.ts'
import { loadRecords, parseRecords } from './state/records.ts'
import { HISTORY, PROJECT_ENDING, PROJECTS, RECORDS } from './state-files.ts'

/** A project of a bundle whose records are loaded and whose schema is not built yet. */
export interface BundledProject {
  readonly schemaName: SchemaName
  /** Path of the project's file. */
  readonly path: string
  /** Path of the file with the project's recorded row changes; `undefined` when the bundle has none. */
  readonly historyPath: string | undefined
}

interface UnpackedState {
  /** Name of the bundle, for messages. */
  readonly file: string
  /** Folder with the state's files. */
  readonly folder: string
}

/**
 * Creates the platform's database in a new data directory and loads the bundle's records. Returns the projects, whose schemas
 * `loadProjects` builds.
 * @param openDb creates the database of this release in the directory
 * @throws {BundleError} `damaged_bundle`
 */
export function loadPlatform(
  { file, folder }: UnpackedState,
  dataDir: string,
  openDb: (dataDir: string) => SystemDb,
): readonly BundledProject[] {
  const path = join(folder, RECORDS)
  const records = existsSync(path) ? parseRecords(readFileSync(path, 'utf8')) : undefined
  if (records === undefined) throw damaged(file, `has damaged records in ${RECORDS}`)
  const projects = projectsOf(records, folder)
  const missing = projects.find((project) => !existsSync(project.path))
  if (missing !== undefined) throw damaged(file, `lacks the project ${missing.schemaName}`)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const db = openDb(dataDir)
  try {
    loadRecords(db, records)
  } catch (error) {
    throw damaged(file, `has records that contradict each other: ${messageOf(error)}`, error)
  } finally {
    db.close()
  }
  return projects
}

function projectsOf({ tables }: BundledRecords, folder: string): readonly BundledProject[] {
  return (tables['projects'] ?? []).flatMap(({ slug, state }) =>
    state === 'active' || state === 'deleted'
      ? [
          {
            schemaName: schemaNameOf(trusted.slug(String(slug))),
            path: plainPath(join(folder, PROJECTS), `${slug}${PROJECT_ENDING}`),
            historyPath: existing(plainPath(join(folder, HISTORY), `${slug}${PROJECT_ENDING}`)),
          },
        ]
      : [],
  )
}

const existing = (path: string): string | undefined => (existsSync(path) ? path : undefined)

/**
 * Builds the projects in an engine without projects.
 * @throws {BundleError} `damaged_bundle`
 */
export async function loadProjects(
  engine: Engine,
  file: string,
  projects: readonly BundledProject[],
): Promise<void> {
  for (const { path, schemaName } of projects)
    try {
      await loadProject(engine, schemaName, linesOf(path))
    } catch (error) {
      throw notLoaded(file, schemaName, error)
    }
}

/**
 * Restores the recorded row changes of the projects, which the engine has, and records further changes.
 * @param engine an engine without recorded changes
 * @throws {BundleError} `damaged_bundle`
 */
export async function loadHistories(
  engine: Engine,
  file: string,
  projects: readonly BundledProject[],
): Promise<void> {
  let schemaName = projects[0]?.schemaName
  try {
    const histories = projects.map((project) => {
      schemaName = project.schemaName
      return project.historyPath === undefined ? undefined : readHistory(project.historyPath)
    })
    await continueSequences(
      engine,
      histories.filter((history) => history !== undefined),
    )
    for (const [place, project] of projects.entries()) {
      schemaName = project.schemaName
      await loadHistory(engine, schemaName, place, histories[place])
    }
  } catch (error) {
    if (error instanceof HistoryLineError || error instanceof SqlError)
      throw damaged(
        file,
        `has a history of ${schemaName} that cannot be restored: ${messageOf(error)}`,
        error,
      )
    throw error
  }
}

async function* linesOf(path: string): AsyncGenerator<ProjectLine> {
  let rest = ''
  for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const [end = '', ...begun] = String(piece).split('\n')
    rest += end
    for (const text of begun) {
      yield lineOf(rest)
      rest = text
    }
    if (rest.length > MAX_LINE_CHARACTERS) throw new ProjectLineError('a line is too long')
  }
  if (rest !== '') yield lineOf(rest)
}

function lineOf(text: string): ProjectLine {
  const line = parseProjectLine(text)
  if (line === undefined)
    throw new ProjectLineError(`${JSON.stringify(text.slice(0, 80))} is no line of a project`)
  return line
}

function notLoaded(file: string, schemaName: SchemaName, error: unknown): unknown {
  if (error instanceof ProjectLineError || error instanceof SqlError)
    return damaged(
      file,
      `has a project ${schemaName} that cannot be built: ${messageOf(error)}`,
      error,
    )
  return error
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
