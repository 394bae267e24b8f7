// Writes the engine's machine code for later starts, when this start had to compile the engine. A process of low priority does
// this work. The code makes a start about twice as fast and saves 60 MB (measured).
import { spawn } from 'node:child_process'
import { accessSync, constants, writeFileSync } from 'node:fs'
import { constants as priorities, setPriority } from 'node:os'
import { dirname } from 'node:path'
import {
  cachedCodePath,
  isCodeWanted,
  lacksEngineCode,
} from '../../../assembly/engine/engine-code.ts'
import type { Clock } from '../../../core/clock.ts'
import { makeFolder } from '../../../core/make-folder.ts'
import { IS_BUNDLED, packageFile } from '../../../core/package-files.ts'

/** Wall milliseconds after the start at which the work begins. The delay leaves the processor to the first requests. */
const MAKE_AFTER_MILLIS = 15_000
const PROGRAM = 'dist/make-engine-code.mjs'

/**
 * Call this function when the emulator is ready. Does nothing when the code exists or cannot be written. Also does nothing on a
 * continuous-integration machine, which loses its cache folder.
 */
export function makeEngineCodeLater(wallClock: Clock): void {
  if (!IS_BUNDLED || process.env['CI'] || !lacksEngineCode()) return
  wallClock.after(MAKE_AFTER_MILLIS, () => {
    const path = cachedCodePath()
    if (isCodeWanted(path) && isWritable(dirname(path))) make(path)
  })
}

function make(path: string): void {
  // The child gets the flags of this process, because V8 accepts code only under the flags with which it was written.
  const child = spawn(process.execPath, [...process.execArgv, packageFile(PROGRAM), path], {
    stdio: 'ignore',
    windowsHide: true,
  })
  lowerPriority(child.pid)
  child.unref()
  const end = (): void => void child.kill()
  process.once('exit', end)
  child.on('error', () => undefined)
  child.on('exit', (_, signal) => {
    process.off('exit', end)
    // A signal means that V8 aborted. Other failures come from a busy machine or a full disk, so the next start tries again.
    if (signal !== null && !child.killed) noteFailure(path)
  })
}

// Only this caller lowers the priority. The package's build does not: on a busy machine, its engine would not start in time.
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, priorities.priority.PRIORITY_LOW)
  } catch {
    // The process has ended already.
  }
}

// Writes an empty file, so that no later start tries again.
function noteFailure(path: string): void {
  try {
    writeFileSync(path, '')
  } catch {
    // Without the empty file, a later start tries again.
  }
}

function isWritable(folder: string): boolean {
  try {
    makeFolder(folder, 0o700)
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
