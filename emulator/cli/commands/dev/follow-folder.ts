// `tenantry dev`: applies an application's folder at the start and after each save, and prints what happened.

import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { BareEmulator } from '../../../assembly/library/emulator.ts'
import type { FollowReport } from '../../../contract/fixtures.ts'
import type { Clock } from '../../../core/clock.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { writingTo } from '../../../core/named-files.ts'
import { printableLines } from '../../../core/printable.ts'
import type { EpochMillis } from '../../../core/time.ts'
import { TYPES_MARK } from '../../../insight/workbench/types/write-types.ts'
import type { Consent } from '../../../workflow/fixtures/follow/consent.ts'
import { QUERY_FOLDER } from '../../../workflow/fixtures/follow/query-folder.ts'
import { APPLICATION_FOLDER } from '../../../workflow/fixtures/read/application-folder.ts'
import { sentenceOf } from '../../report.ts'
import { createDescriber, type DevReport, devJson, rebuildLine } from './follow-report.ts'
import { watchFolder } from './watch-folder.ts'

export interface FollowFolderOptions {
  /** Absolute path of the application's folder. */
  readonly folder: string
  readonly json: boolean
  /** Whether the first application may lose rows. */
  readonly rebuilds: boolean
  /** Name of the seed that is applied. */
  readonly seedData?: string | undefined
  readonly wallClock: Clock
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
  /** Writes a line to standard error. */
  readonly complain: (line: string) => void
}

export interface FolderFollower {
  /** Applies the folder. A folder with problems is reported and leaves the emulator empty. */
  applyFirst(): Promise<void>
  /** Applies the save that waits for consent, and accepts the losses that its report named. Does nothing when no save waits. */
  rebuild(): void
  /** Prints the first report, and applies the folder after each save from now on. */
  start(): void
  /** Ends the watch. */
  close(): void
}

type Followable = Pick<BareEmulator, 'followFixture' | 'noteWatch'>

/** Starts to watch the folder immediately. `start` begins to apply saves. */
export function followFolder(emulator: Followable, options: FollowFolderOptions): FolderFollower {
  const { complain, folder, json, print, wallClock } = options
  const shownFolder = relative(process.cwd(), folder) || '.'
  const textOf = json ? devJson : createDescriber(shownFolder)
  let typesFile: TypesFile | undefined
  let typesProblem: string | undefined
  let first: DevReport | undefined
  let last: FollowReport | undefined

  const saves = createSaveQueue({
    wallClock,
    apply: async (consent, at) => {
      const report = await apply(consent)
      tell({ ...report, duration_ms: wallClock.now() - at })
      return report
    },
    onFailure: (error) => complain(`tenantry: ${sentenceOf(error)}`),
  })
  const watch = watchFolder(folder, {
    wallClock,
    // Ignores the files of types, which this process itself writes, and saved queries, which do not change the emulator.
    ignored: () => [
      join(folder, QUERY_FOLDER),
      ...(typesFile === undefined ? [] : [typesFile.path, typesFile.draft]),
    ],
    onChange: saves.add,
    onProblem: watchReporter(emulator, { complain, folder, shownFolder }),
  })

  // Consents only to the losses that the last report named, not to losses of a later save.
  const rebuild = (): Promise<FollowReport> => saves.rebuild(last?.losses ?? [])
  async function apply(consent: Consent): Promise<DevReport> {
    watch.noteRead()
    last = await emulator.followFixture(folder, {
      consent,
      rebuild,
      seedData: options.seedData,
      onRebuild: (slugs) => (json ? undefined : print(rebuildLine(slugs))),
    })
    return { ...last, hasNewTypes: keepTypes(last) }
  }
  function keepTypes({ types }: FollowReport): boolean {
    if (types === null) return false
    typesFile = typesFileIn(folder, types.file)
    const before = typesProblem
    try {
      typesProblem = undefined
      return writeTypesFile(folder, typesFile, types.text)
    } catch (error) {
      if (!(error instanceof EmulatorError)) throw error
      typesProblem = sentenceOf(error)
      if (typesProblem !== before) complain(`tenantry: ${typesProblem}`)
      return false
    }
  }
  function tell(report: DevReport): void {
    const text = textOf(report)
    if (text !== '') print(text)
  }
  return {
    applyFirst: async () => {
      first = await apply(options.rebuilds ? 'all' : 'none')
    },
    rebuild: () => {
      // The queue already reports a failure.
      if (last?.event === 'waiting') rebuild().catch(() => undefined)
    },
    start: () => {
      if (first !== undefined) tell(first)
      if (!json) print(`Watching ${shownFolder} for changes.`)
      saves.start()
    },
    close: watch.close,
  }
}

interface Watched extends Pick<FollowFolderOptions, 'complain' | 'folder'> {
  readonly shownFolder: string
}

/** Prints only the first problem until the whole folder is watched again. */
function watchReporter(
  emulator: Pick<BareEmulator, 'noteWatch'>,
  { complain, folder, shownFolder }: Watched,
): (problem: string | undefined) => void {
  let isWatched = true
  emulator.noteWatch({ folder, problem: null })
  return (problem) => {
    emulator.noteWatch({ folder, problem: problem ?? null })
    if (isWatched !== (problem === undefined))
      complain(
        problem === undefined
          ? `tenantry: All of ${shownFolder} is watched again.`
          : `tenantry: ${printableLines(problem)} Tenantry scans the folder every second until it can be watched. It still applies saves of the other files.`,
      )
    isWatched = problem === undefined
  }
}

// Applies saves one after the other. Saves that arrive while the queue applies a save are then applied together.
interface SaveQueue {
  /** Starts the work. The queue applies no save before this call. */
  start(): void
  /** @param at wall time of the save */
  add(at: EpochMillis): void
  /** Applies the folder once more, and allows the losses of `consent`. @throws the error of applying the folder */
  rebuild(consent: Consent): Promise<FollowReport>
}

interface SaveQueueOptions {
  readonly wallClock: Clock
  /** @param at wall time of the first save */
  readonly apply: (consent: Consent, at: EpochMillis) => Promise<FollowReport>
  readonly onFailure: (error: unknown) => void
}

interface Rebuild {
  readonly consent: Consent
  readonly resolve: (report: FollowReport) => void
  readonly reject: (error: unknown) => void
}

function createSaveQueue({ apply, onFailure, wallClock }: SaveQueueOptions): SaveQueue {
  const rebuilds: Rebuild[] = []
  let savedAt: EpochMillis | undefined
  let isBusy = true

  async function applySave(at: EpochMillis): Promise<void> {
    const answered = rebuilds.splice(0)
    try {
      const report = await apply(answered[0]?.consent ?? 'none', at)
      for (const { resolve } of answered) resolve(report)
    } catch (error) {
      onFailure(error)
      for (const { reject } of answered) reject(error)
    }
  }
  async function work(): Promise<void> {
    if (isBusy) return
    isBusy = true
    while (savedAt !== undefined) {
      const at = savedAt
      savedAt = undefined
      await applySave(at)
    }
    isBusy = false
  }
  function add(at: EpochMillis): void {
    savedAt ??= at
    void work()
  }
  return {
    add,
    rebuild: (consent) => {
      const { promise, reject, resolve } = Promise.withResolvers<FollowReport>()
      rebuilds.push({ consent, resolve, reject })
      add(wallClock.now())
      return promise
    },
    start: () => {
      isBusy = false
      void work()
    },
  }
}

// Writes the TypeScript types that a fixture requests with `types`. Writes only inside the application's folder, and overwrites
// no file of the user.

class RefusedTypesFile extends EmulatorError {
  override readonly code = 'types_file_refused'
}

interface TypesFile {
  /** Absolute path. */
  readonly path: string
  /** A file beside `path` that is written first and then renamed, so that readers never see half of the types. */
  readonly draft: string
}

/** @param file path relative to the fixture's folder, with forward slashes */
function typesFileIn(folder: string, file: string): TypesFile {
  const path = join(folder, ...file.split('/'))
  return { path, draft: join(dirname(path), `.${basename(path)}.draft`) }
}

/**
 * Writes the file when its text differs, and says whether it did.
 * @param folder absolute path of the fixture's folder
 * @throws {RefusedTypesFile} when the path leaves the application's folder, or names a file that Tenantry did not make
 * @throws {UnwritableFile} when the operating system refuses the file
 */
function writeTypesFile(folder: string, { draft, path }: TypesFile, text: string): boolean {
  return writingTo(path, () => {
    requireInside(folder, path)
    if (existsSync(path)) {
      if (!isOwn(path))
        throw new RefusedTypesFile(
          `${path} was not made by Tenantry, so no types were written into it.`,
          { hint: 'Remove the file, or name another one under types in fixture.yaml.' },
        )
      if (readFileSync(path, 'utf8') === text) return false
    }
    mkdirSync(dirname(path), { recursive: true })
    rmSync(draft, { force: true })
    writeFileSync(draft, text, { flag: 'wx' })
    renameSync(draft, path)
    return true
  })
}

// The parent of a folder named `tenantry` counts as the application. A folder with another name may lie anywhere, so only the
// folder itself counts.
function requireInside(folder: string, path: string): void {
  const application = basename(folder) === APPLICATION_FOLDER ? dirname(folder) : folder
  const real = realpathSync(application)
  if (`${realFolderOf(path)}${sep}`.startsWith(real.endsWith(sep) ? real : `${real}${sep}`)) return
  throw new RefusedTypesFile(
    `${path} lies outside the application’s folder ${application}, so no types were written into it.`,
    { hint: 'Name a file inside this folder under types in fixture.yaml.' },
  )
}

/** Follows symbolic links of the folders above `path` that exist. */
function realFolderOf(path: string): string {
  let folder = dirname(path)
  while (!existsSync(folder)) folder = dirname(folder)
  return realpathSync(folder)
}

function isOwn(path: string): boolean {
  return statSync(path).isFile() && readFileSync(path, 'utf8').startsWith(TYPES_MARK)
}
