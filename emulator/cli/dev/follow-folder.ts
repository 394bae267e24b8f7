// `tenantry dev`: applies an application's folder at start and after each save, one after another, and prints what happened.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { FollowReport } from '../../contract/fixtures.ts'
import type { Clock } from '../../core/clock.ts'
import type { EpochMillis } from '../../core/time.ts'
import type { BareEmulator } from '../../emulator.ts'
import { printableLines } from '../mailbox-report.ts'
import { sentenceOf } from '../report.ts'
import { type DevReport, devJson, devLines, rebuildLine } from './follow-report.ts'
import { watchFolder } from './watch-folder.ts'

export interface FollowFolderOptions {
  /** Absolute path of the application's folder. */
  readonly folder: string
  readonly json: boolean
  readonly wallClock: Clock
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
  /** Writes a line to standard error. */
  readonly complain: (line: string) => void
}

export interface FolderFollower {
  /** Applies the folder. A folder with problems is reported and leaves the emulator empty. */
  applyFirst(): Promise<void>
  /** Prints the first report, and applies the folder after each save from now on. */
  start(): void
}

/** Saves from this call on are noticed. */
export function followFolder(
  emulator: Pick<BareEmulator, 'followFixture' | 'noteWatch'>,
  options: FollowFolderOptions,
): FolderFollower {
  const { folder, json, print, wallClock } = options
  const shownFolder = relative(process.cwd(), folder) || '.'
  let typesFile: string | undefined
  let first: DevReport | undefined
  let savedAt: EpochMillis | undefined
  let isBusy = true
  let isWatched = true

  emulator.noteWatch({ folder, problem: null })
  watchFolder(folder, {
    wallClock,
    ignored: () => (typesFile === undefined ? [] : [typesFile, draftOf(typesFile)]),
    onChange: (at) => {
      savedAt ??= at
      void work()
    },
    onProblem: noteProblem,
  })

  // Printed once until all of the folder is watched again, however the problem changes meanwhile.
  function noteProblem(problem: string | undefined): void {
    emulator.noteWatch({ folder, problem: problem ?? null })
    if (isWatched !== (problem === undefined))
      options.complain(
        problem === undefined
          ? `tenantry: All of ${shownFolder} is watched again.`
          : `tenantry: ${printableLines(problem)} The folder is scanned every second until it can be watched. Saves of the other files apply.`,
      )
    isWatched = problem === undefined
  }
  async function apply(): Promise<DevReport> {
    const report = await emulator.followFixture(folder, ({ rebuilt }) => {
      if (!json) print(rebuildLine(rebuilt.map(({ slug }) => slug)))
    })
    return { ...report, hasNewTypes: keepTypes(report) }
  }
  function keepTypes({ types }: FollowReport): boolean {
    if (types === null) return false
    typesFile = join(folder, ...types.file.split('/'))
    return writeIfNew(typesFile, types.text)
  }
  function tell(report: DevReport): void {
    print(json ? devJson(report) : devLines(shownFolder, report))
  }
  // Saves that arrive during the work are applied together, after it.
  async function work(): Promise<void> {
    if (isBusy) return
    isBusy = true
    try {
      while (savedAt !== undefined) {
        const at = savedAt
        savedAt = undefined
        const report = await apply()
        tell({ ...report, duration_ms: wallClock.now() - at })
      }
    } catch (error) {
      options.complain(`tenantry: ${sentenceOf(error)}`)
    } finally {
      isBusy = false
    }
  }
  return {
    applyFirst: async () => {
      first = await apply()
    },
    start: () => {
      if (first !== undefined) tell(first)
      if (!json) print(`Watching ${shownFolder} for changes.`)
      isBusy = false
      void work()
    },
  }
}

/** Writes the file when its text differs. Readers never see half of it. */
function writeIfNew(path: string, text: string): boolean {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(draftOf(path), text)
  renameSync(draftOf(path), path)
  return true
}

function draftOf(path: string): string {
  return `${path}.draft`
}
