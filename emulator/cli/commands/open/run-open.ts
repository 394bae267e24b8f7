// Runs the emulator of a bundle for `tenantry open`. This code has its own file, because it imports the whole emulator.

import {
  type BareBundleEmulator,
  openBundleEmulator,
} from '../../../assembly/library/bundle-emulator.ts'
import type { ReadyLine } from '../../../contract/addresses.ts'
import type { OpenedBundle } from '../../../contract/bundles.ts'
import { SystemClock } from '../../../core/clock.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { printable } from '../../../core/printable.ts'
import { toIso } from '../../../core/time.ts'
import { reachEmulator } from '../../../platform/http-client/running-emulator.ts'
import { showing } from '../../live-line.ts'
import { enlist } from '../../machine-list.ts'
import { counted, logTo } from '../../report.ts'
import { answerClient } from '../../running-options.ts'
import { outliveOutput, stopOnSignals } from '../../stop-on-signals.ts'
import { terminal } from '../../terminal.ts'
import { leftOut } from '../bundle/write-bundle.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface OpenOptions {
  readonly port: number
  readonly replay: boolean
  readonly json: boolean
}

class ReplayError extends EmulatorError {
  override readonly code = 'nothing_to_replay'
}

/** Returns when a signal has ended the emulator. With `replay`, returns after the replay. @throws {EmulatorError} */
export async function runOpen(file: string, { json, port, replay }: OpenOptions): Promise<void> {
  outliveOutput()
  const wallClock = new SystemClock()
  const startedAt = toIso(wallClock.now())
  const emulator = await showing(
    `Opening ${file}`,
    () => openBundleEmulator(file, {}, [logTo(terminal().stderr, 'refusals')]),
    { afterInterrupt: 'The bundle is unchanged.' },
  )
  const stopped = stopOnSignals(emulator, wallClock)
  try {
    const { url: origin } = await emulator.listen({ port, ownsProcess: true })
    if (replay) {
      terminal().exitCode = await replayRequest(emulator, origin, json)
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
    terminal().stdout.write(json ? `${JSON.stringify(opened)}\n` : openedLines(bundle, ready))
  } catch (error) {
    await emulator.close()
    throw error
  }
  await stopped
}

/** Replays the request of the bundle, and returns the exit code. */
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
  terminal().stdout.write(
    `${json ? JSON.stringify(facts) : printable(`${entry.method} ${entry.target}: ${words}.`)}\n`,
  )
  return isSame ? 0 : 1
}

/** What `tenantry open` prints when it is ready. */
function openedLines(bundle: OpenedBundle, ready: ReadyLine): string {
  const { file, has_state, made_at, made_by, note, objects_left_out, requests } = bundle
  const from = `made by Tenantry ${made_by} at ${made_at}`
  return [
    `Opened ${printable(file)}: ${has_state ? 'state and ' : ''}${counted(requests, 'request')}, ${printable(from)}.`,
    ...(note === null ? [] : [`Note: ${printable(note)}`]),
    ...leftOut(objects_left_out),
    '',
    ...requestLine(bundle, ready),
    `  inspector  ${ready.inspector_url}`,
    `  Postgres   ${ready.postgres_url ?? 'not listening'}`,
    '',
    'All data is in a temporary folder. Press Ctrl-C to stop and remove it.',
    '',
  ].join('\n')
}

/** The inspector's page of the request at which the bundle opens. */
function requestUrl({ request_id }: OpenedBundle, { inspector_url }: ReadyLine): string | null {
  return request_id === null ? null : `${inspector_url}requests/${encodeURIComponent(request_id)}`
}

function requestLine(bundle: OpenedBundle, ready: ReadyLine): readonly string[] {
  const url = requestUrl(bundle, ready)
  return url === null ? [] : [`  request    ${url}`]
}
