// `tenantry start --detach`: runs the same command in a second process, which outlives this one.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { findRunning } from '../../../assembly/run-file.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { makeDataDir } from '../../../database/data-dir/data-dir-lock.ts'
import { requireOwnDataDir } from '../../../database/data-dir/data-dir-owner.ts'
import { showing } from '../../live-line.ts'
import { greeting } from '../../report.ts'
import { isFoundHere, logPathOf, type ReadyMessage } from '../../run-file.ts'
import { terminal } from '../../terminal.ts'
import type { StartOptions } from './run-emulator.ts'

class DetachedError extends EmulatorError {
  override readonly code = 'start_failed'
}

/**
 * Returns when the emulator is ready, after printing what `start` prints.
 * @throws {EmulatorError} when the emulator ended before it was ready
 */
export async function startDetached({ dataDir, json, trustDataDir }: StartOptions): Promise<void> {
  const running = findRunning(dataDir)
  if (running !== undefined)
    throw new DetachedError(
      `An emulator runs on ${dataDir} already: process ${running.pid}, ${running.url}.`,
      { hint: 'Stop it with "tenantry stop".' },
    )
  if (trustDataDir !== true) requireOwnDataDir(resolve(dataDir))
  const log = logPathOf(dataDir)
  makeDataDir(dataDir)
  const file = openSync(log, 'a', 0o600)
  const before = statSync(log).size
  const args = process.argv.slice(1).filter((argument) => argument !== '--detach')
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    stdio: ['ignore', file, file, 'ipc'],
    detached: true,
    windowsHide: true,
  })
  closeSync(file)
  const starting = new Promise<ReadyMessage>((resolveReady, reject) => {
    child.on('error', reject)
    child.on('message', (message) => resolveReady(message as ReadyMessage))
    child.on('exit', () => reject(new DetachedError(complaintOf(log, before))))
  })
  const { ready, startedIn } = await showing('Starting the emulator', () => starting, {
    afterInterrupt: `Process ${child.pid} continues to start. Stop it with "tenantry stop".`,
  })
  child.disconnect()
  child.unref()
  terminal().stdout.write(
    json
      ? `${JSON.stringify({ ...ready, pid: child.pid, log })}\n`
      : greeting({
          ready,
          startedInMillis: startedIn,
          howToStop: `Process ${child.pid}, log in ${log}. Stop it with "tenantry stop".`,
          isFoundHere: isFoundHere({ dataDir, memory: false }),
        }),
  )
}

// Returns the last error message of the detached process. Removes the prefix `tenantry: `, because this process adds the prefix
// again.
function complaintOf(log: string, from: number): string {
  const text = readFileSync(log).subarray(from).toString().trim()
  return (
    text.replace(/^tenantry: /, '') ||
    `The emulator ended before it was ready. Read its log: ${log}.`
  )
}
