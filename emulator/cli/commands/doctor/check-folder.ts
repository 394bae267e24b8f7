// The checks of `tenantry doctor` that concern the working folder: the application, the data folder, the disk and the server.

import { existsSync, statfsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { KeptEngine } from '../../../assembly/engine/engine-choice.ts'
import { examineDataDir, nearestExisting } from '../../../assembly/engine/examine-data-dir.ts'
import { readAhead } from '../../../assembly/library/emulator.ts'
import { findRunning } from '../../../assembly/run-file.ts'
import { findHolder } from '../../../database/data-dir/data-dir-lock.ts'
import { findApplicationFolder } from '../../../workflow/fixtures/read/application-folder.ts'
import { FixtureError, problemLine } from '../../../workflow/fixtures/read/fixture-error.ts'
import type { WantedEngine } from '../../emulator-options.ts'
import { counted } from '../../report.ts'
import { logPathOf } from '../../run-file.ts'
import { type Finding, healthy, note, problem, problemOf } from './finding.ts'
import type { Machine } from './machine.ts'

/** Bytes below which a first start fails: a new database has 45 MB, and Postgres reserves 16 MB for its log. */
const LEAST_BYTES = 100_000_000
/** Bytes below which uploads and imports may soon fail. */
const FEW_BYTES = 1_000_000_000

/** Reads the fixture that `start` would apply. */
export async function checkApplication(): Promise<Finding> {
  const folder = findApplicationFolder(process.cwd())
  if (folder === undefined)
    return healthy('application', 'no ./tenantry here, so "start" applies the clinics demo')
  const name = relative(process.cwd(), folder)
  try {
    await readAhead(folder)
    return healthy('application', `${name}/fixture.yaml`)
  } catch (error) {
    const repair = `Correct the fixture. "tenantry fixture check ${name}" tries it in a running emulator.`
    if (!(error instanceof FixtureError)) return problemOf('application', error, repair)
    const [first] = error.problems
    const rest = error.problems.length - 1
    const line = first === undefined ? error.message : problemLine(first)
    return problem(
      'application',
      rest === 0 ? line : `${line} (and ${counted(rest, 'more problem')})`,
      repair,
    )
  }
}

export interface ExaminedFolder {
  readonly finding: Finding
  /** The engine that the folder belongs to, when it is known. */
  readonly kept: KeptEngine | undefined
  /** Whether the emulator of this folder runs and answers. */
  readonly isServed: boolean
}

/** Checks the data folder. @param machine calls the emulator that runs on it */
export async function checkDataDir(
  dataDir: string,
  wanted: WantedEngine,
  machine: Machine,
): Promise<ExaminedFolder> {
  try {
    const holder = findHolder(resolve(dataDir))
    if (holder !== undefined) return await examineHeld(dataDir, holder.pid, machine)
    const kept = await examineDataDir(dataDir, wanted)
    const found = existsSync(dataDir) ? dataDir : `${dataDir}: the first start creates it`
    return { finding: healthy('data_dir', found), kept, isServed: false }
  } catch (error) {
    const finding = problemOf('data_dir', error, 'Choose another folder with --data-dir.')
    return { finding, kept: undefined, isServed: false }
  }
}

async function examineHeld(
  dataDir: string,
  pid: number,
  machine: Machine,
): Promise<ExaminedFolder> {
  const running = findRunning(dataDir)
  const kept = undefined
  if (running !== undefined && (await machine.answersAt(running.url)))
    return {
      finding: healthy(
        'data_dir',
        `${dataDir}: its emulator runs at ${running.url}, process ${pid}`,
      ),
      kept,
      isServed: true,
    }
  const log = logPathOf(dataDir)
  const finding = problem(
    'data_dir',
    `${dataDir} is in use by process ${pid}, and no emulator of it answers.`,
    `If it is not starting now, end it with "tenantry stop" or "kill ${pid}".${existsSync(log) ? ` Its log: ${log}.` : ''} Or choose another folder with --data-dir.`,
  )
  return { finding, kept, isServed: false }
}

/** Compares the free space of the disk with what a start needs. */
export function checkDisk(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(nearestExisting(resolve(dataDir)))
  const bytes = bavail * bsize
  const free = `${Math.floor(bytes / 1_000_000)} MB free`
  if (bytes < LEAST_BYTES)
    return problem(
      'disk',
      `The disk of ${dataDir} has only ${free}. A new data folder needs ${LEAST_BYTES / 1_000_000} MB.`,
      'Free space, or choose a folder on another disk with --data-dir.',
    )
  return bytes < FEW_BYTES
    ? note(
        'disk',
        `The disk of ${dataDir} has only ${free}.`,
        'Free space before you load large data.',
      )
    : healthy('disk', free)
}

/** Checks the PostgreSQL server that the options, the environment or the data folder name. Returns no finding without one. */
export async function checkServer(
  dataDir: string,
  { databaseUrl, engine }: WantedEngine,
  kept: KeptEngine | undefined,
): Promise<readonly Finding[]> {
  const usesServer =
    engine === 'postgres' || databaseUrl !== undefined || kept?.engine === 'postgres'
  if (!usesServer) return []
  const { examineGivenServer, examineNativeServer } = await import(
    '../../../assembly/engine/examine-server.ts'
  )
  try {
    const { name, consequences } =
      databaseUrl === undefined
        ? examineNativeServer(resolve(dataDir))
        : await examineGivenServer(databaseUrl)
    return [
      consequences.length === 0
        ? healthy('server', name)
        : note(
            'server',
            `${name}. ${consequences.join(' ')}`,
            'Use an account with more rights, if your application needs this.',
          ),
    ]
  } catch (error) {
    return [problemOf('server', error, 'Name another server with --database-url.')]
  }
}
