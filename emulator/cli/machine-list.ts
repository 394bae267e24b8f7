// Lists the running emulators of this machine's user. Each emulator of the command line writes one file into the user's cache
// folder, and removes it at its end. `list`, `stop` and the option `--name` of other commands read these files.
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { cacheFolder } from '../core/cache-folder.ts'
import { EmulatorError } from '../core/errors.ts'
import { makeFolder } from '../core/make-folder.ts'
import { readPassingFile } from '../core/own-file.ts'
import { type Holder, isAlive, thisProcess } from '../database/data-dir/data-dir-lock.ts'
import { terminal } from './terminal.ts'

/** Facts about a running emulator that are known without a request to it. */
export interface ListedEmulator extends Holder {
  readonly url: string
  /** The working directory of the command that started the emulator. */
  readonly folder: string
  /** `null` for an emulator in memory. */
  readonly data_dir: string | null
  /** `null` without a fixture. */
  readonly fixture: string | null
  /** The value of `--name`. */
  readonly name: string | null
  readonly command: 'start' | 'dev' | 'exec' | 'open'
  /** ISO 8601, wall-clock time. */
  readonly started_at: string
}

const ListedEmulatorShape: z.ZodType<ListedEmulator> = z.object({
  pid: z.number(),
  startedAt: z.string().optional(),
  url: z.string(),
  folder: z.string(),
  data_dir: z.string().nullable(),
  fixture: z.string().nullable(),
  name: z.string().nullable(),
  command: z.enum(['start', 'dev', 'exec', 'open']),
  started_at: z.string(),
})

export class MachineListError extends EmulatorError {
  override readonly code: 'name_taken' | 'unknown_name'

  constructor(code: MachineListError['code'], message: string, hint: string) {
    super(message, { hint })
    this.code = code
  }
}

/** Adds this process to the list until it exits. A list that cannot be written does not stop the emulator. */
export function enlist(
  facts: Omit<ListedEmulator, keyof Holder>,
  folder: string = listFolder(),
): void {
  const own = thisProcess()
  const path = join(folder, `${own.pid}.json`)
  try {
    makeFolder(folder)
    writeFileSync(`${path}.draft`, JSON.stringify({ ...own, ...facts }))
    renameSync(`${path}.draft`, path)
  } catch {
    return
  }
  terminal().on('exit', () => rmSync(path, { force: true }))
}

/** Returns the running emulators, the oldest first. Removes the files that killed processes left. */
export function listRunning(folder: string = listFolder()): readonly ListedEmulator[] {
  const found = filesOf(folder).flatMap((name) => {
    const path = join(folder, name)
    const listed = readPassingFile(path, ListedEmulatorShape)
    if (listed !== undefined && isAlive(listed)) return [listed]
    // Keeps files that cannot be parsed, because a process may be writing such a file now.
    if (listed !== undefined) rmSync(path, { force: true })
    return []
  })
  return found.toSorted((a, b) => a.started_at.localeCompare(b.started_at))
}

/** Finds the emulator that was started with this name. @throws {MachineListError} */
export function requireNamed(name: string): ListedEmulator {
  const running = listRunning()
  const found = running.find((listed) => listed.name === name)
  if (found !== undefined) return found
  const names = running.flatMap((listed) => listed.name ?? [])
  throw new MachineListError(
    'unknown_name',
    `No emulator with the name ${JSON.stringify(name)} runs.`,
    names.length === 0
      ? 'No running emulator has a name. Choose one of "tenantry list" with --url.'
      : `Choose one of: ${names.join(', ')}.`,
  )
}

/** @throws {MachineListError} when a running emulator has the name */
export function requireFreeName(name: string | undefined): void {
  const taken = name && listRunning().find((listed) => listed.name === name)
  if (!taken) return
  throw new MachineListError(
    'name_taken',
    `An emulator with the name ${JSON.stringify(name)} runs already: process ${taken.pid}, ${taken.url}.`,
    `Choose another name, or stop it with "tenantry stop --name ${name}".`,
  )
}

function listFolder(): string {
  return join(cacheFolder(), 'running')
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name))
  } catch {
    return []
  }
}
