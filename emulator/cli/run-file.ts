// The file that a running emulator writes into its data directory, for `status`, `wait` and `stop`.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { ReadyLine } from '../contract/addresses.ts'
import { makeFolder } from '../core/make-folder.ts'
import { readPassingFile } from '../core/own-file.ts'
import { isAlive, thisProcess } from '../database/data-dir/data-dir-lock.ts'
import { terminal } from './terminal.ts'

/** The data directory that commands use when none is given. */
export const DEFAULT_DATA_DIR = '.tenantry'

/** Whether commands in this working directory find the emulator by its run file. */
export function isFoundHere(options: {
  readonly dataDir: string
  readonly memory: boolean
}): boolean {
  return !options.memory && resolve(options.dataDir) === resolve(DEFAULT_DATA_DIR)
}

/** Content of the run file, which exists while the emulator is ready. */
export interface RunFile {
  readonly pid: number
  readonly startedAt?: string | undefined
  readonly url: string
}

const RunFileShape: z.ZodType<RunFile> = z.object({
  pid: z.number(),
  startedAt: z.string().optional(),
  url: z.string(),
})

/** Message from a detached emulator to the process that started it. */
export interface ReadyMessage {
  readonly ready: ReadyLine
  /** Wall-clock milliseconds until the emulator was ready. */
  readonly startedIn: number
}

/** Path of a detached emulator's log, in the folder of the run file. */
export function logPathOf(dataDir: string): string {
  return join(resolve(dataDir), 'tenantry.log')
}

/** Writes the run file for this process and removes it when the process exits. */
export function announce(dataDir: string, url: string): void {
  const path = pathOf(dataDir)
  const own = thisProcess()
  makeFolder(dataDir, 0o700)
  writeFileSync(`${path}.draft`, JSON.stringify({ ...own, url }))
  renameSync(`${path}.draft`, path)
  terminal().on('exit', () => {
    if (readPassingFile(path, RunFileShape)?.pid === own.pid) rmSync(path, { force: true })
  })
}

/** Finds the emulator that runs on the directory. Ignores run files that killed processes left. */
export function findRunning(dataDir: string): RunFile | undefined {
  const found = readPassingFile(pathOf(dataDir), RunFileShape)
  return found !== undefined && isAlive(found) ? found : undefined
}

function pathOf(dataDir: string): string {
  return join(resolve(dataDir), 'running.json')
}
