// Runs the emulator of a bundle for `tenantry open`. This code has its own file, because it imports the whole emulator.

import {
  type BareBundleEmulator,
  openBundleEmulator,
} from '../../../assembly/library/bundle-emulator.ts'
import { SystemClock } from '../../../core/clock.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { printable } from '../../../core/printable.ts'
import { toIso } from '../../../core/time.ts'
import { reachEmulator } from '../../../platform/http-client/running-emulator.ts'
import { answerClient } from '../../answer-client.ts'
import { enlist } from '../../machine-list.ts'
import { logTo } from '../../report.ts'
import { outliveOutput, stopOnSignals } from '../../stop-on-signals.ts'
import { openedLines, requestUrl } from '../bundle/bundle-report.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface OpenOptions {
  readonly port: number
  readonly replay: boolean
  readonly json: boolean
}

class ReplayError extends EmulatorError {
  override readonly code = 'nothing_to_replay'
}

/** Returns when the emulator is ready, or with `replay` when it is closed. @throws {EmulatorError} */
export async function runOpen(file: string, { json, port, replay }: OpenOptions): Promise<void> {
  outliveOutput()
  const wallClock = new SystemClock()
  const startedAt = toIso(wallClock.now())
  const emulator = await openBundleEmulator(file, {}, [logTo(process.stderr, 'refusals')])
  stopOnSignals(emulator, wallClock)
  try {
    const { url: origin } = await emulator.listen({ port, ownsProcess: true })
    if (replay) {
      process.exitCode = await replayRequest(emulator, origin, json)
      await emulator.close()
      return
    }
    await emulator.listenPostgres()
    const ready = await emulator.ready()
    const { bundle } = emulator
    enlist({
      url: origin,
      folder: process.cwd(),
      data_dir: ready.data_dir,
      fixture: null,
      name: null,
      command: 'open',
      started_at: startedAt,
    })
    const opened = { ...ready, bundle, request_url: requestUrl(bundle, ready) }
    process.stdout.write(json ? `${JSON.stringify(opened)}\n` : openedLines(bundle, ready))
  } catch (error) {
    await emulator.close()
    throw error
  }
}

/** Sends the request again, and returns the exit code. */
async function replayRequest(
  { bundle }: BareBundleEmulator,
  origin: string,
  json: boolean,
): Promise<number> {
  const { request_id: id } = bundle
  if (id === null || !bundle.has_state)
    throw new ReplayError(
      `${bundle.file} contains no ${id === null ? 'request' : 'state'}, so there is nothing to replay.`,
      { hint: 'Open it without --replay, or ask the sender for a bundle with state and requests.' },
    )
  const own = reachEmulator(origin, undefined, answerClient())
  const params = { request_id: id }
  const { entry } = await own.call('GET /journal/:request_id', { params })
  const { status } = await own.call('POST /journal/:request_id/replay', { params })
  const isSame = status === entry.status
  const facts = { method: entry.method, target: entry.target, recorded: entry.status, status }
  const words = isSame ? `${status}, as recorded` : `${status}, and ${entry.status} was recorded`
  process.stdout.write(
    `${json ? JSON.stringify(facts) : printable(`${entry.method} ${entry.target}: ${words}.`)}\n`,
  )
  return isSame ? 0 : 1
}
