// The file that a running emulator writes into its data directory (cli/run-file.ts). The commands, and the plugins and fixtures
// of doors/, find the emulator of a folder by it.
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { readPassingFile } from '../core/own-file.ts'
import { isAlive } from '../database/data-dir/data-dir-lock.ts'

/** The data directory that commands use when none is given. */
export const DEFAULT_DATA_DIR = '.tenantry'

/**
 * Message of a program to the emulator that it starts with an IPC channel. The emulator then ends when the program ends or
 * disconnects. `tenantry start --detach` sends none.
 */
export const END_WITH_STARTER = 'end-with-starter'

/** Content of the run file, which exists while the emulator is ready. */
export interface RunFile {
  readonly pid: number
  readonly startedAt?: string | undefined
  readonly url: string
}

export const RunFileShape: z.ZodType<RunFile> = z.object({
  pid: z.number(),
  startedAt: z.string().optional(),
  url: z.string(),
})

/** Finds the emulator that runs on the directory. Ignores run files that killed processes left. */
export function findRunning(dataDir: string): RunFile | undefined {
  const found = readPassingFile(runFilePath(dataDir), RunFileShape)
  return found !== undefined && isAlive(found) ? found : undefined
}

export function runFilePath(dataDir: string): string {
  return join(resolve(dataDir), 'running.json')
}
