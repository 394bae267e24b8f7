// Writes the file by which other processes find a running emulator (assembly/run-file.ts), for `status`, `wait` and `stop`.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DEFAULT_DATA_DIR, RunFileShape, runFilePath } from '../assembly/run-file.ts'
import type { ReadyLine } from '../contract/addresses.ts'
import { makeFolder } from '../core/make-folder.ts'
import { readPassingFile } from '../core/own-file.ts'
import { thisProcess } from '../database/data-dir/data-dir-lock.ts'
import { terminal } from './terminal.ts'

/** Whether commands in this working directory find the emulator by its run file. */
export function isFoundHere(options: {
  readonly dataDir: string
  readonly memory: boolean
}): boolean {
  return !options.memory && resolve(options.dataDir) === resolve(DEFAULT_DATA_DIR)
}

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
  const path = runFilePath(dataDir)
  const own = thisProcess()
  makeFolder(dataDir, 0o700)
  writeFileSync(`${path}.draft`, JSON.stringify({ ...own, url }))
  renameSync(`${path}.draft`, path)
  terminal().on('exit', () => {
    if (readPassingFile(path, RunFileShape)?.pid === own.pid) rmSync(path, { force: true })
  })
}
