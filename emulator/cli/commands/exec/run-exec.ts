// `tenantry exec`: runs an emulator in memory while one command runs. This code has its own file, because it imports the whole
// emulator.
import { writeFileSync } from 'node:fs'
import { connectionSettings } from '../../../assembly/library/connection-settings.ts'
import type { BareEmulator } from '../../../assembly/library/emulator.ts'
import type { ReadyLine } from '../../../contract/addresses.ts'
import type { AccessChain } from '../../../contract/explain.ts'
import type { JournalEntry, JournalPage } from '../../../contract/journal.ts'
import { refusalText } from '../../../contract/refusal-text.ts'
import { SystemClock } from '../../../core/clock.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { writingTo } from '../../../core/named-files.ts'
import { type EpochMillis, toIso } from '../../../core/time.ts'
import { configOf, type EmulatorOptions } from '../../emulator-options.ts'
import { enlist, requireFreeName } from '../../machine-list.ts'
import { type OpenedWithFixture, openWithFixture } from '../../open-with-fixture.ts'
import { logTo, sentenceOf } from '../../report.ts'
import { terminal } from '../../terminal.ts'
import { exitCodeOf, OWN_FAILURE } from './exit-codes.ts'
import { type ChildEnd, endOfMissing, runChild } from './run-child.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface ExecOptions extends EmulatorOptions {
  readonly tenant: string | undefined
  readonly port: number
  /** Number of refused requests to print after a failure. */
  readonly tail: number
  /** Whether row changes are recorded. */
  readonly history: boolean
  readonly json: boolean
  readonly report: string | undefined
}

/** What `--json` prints and `--report` writes. */
interface ExecReport {
  readonly exit_code: number
  readonly signal: string | null
  /** Wall-clock milliseconds until the command was started. */
  readonly started_ms: number
  /** Wall-clock milliseconds that the command ran. */
  readonly command_ms: number
  readonly refused: readonly (RefusedRequest['entry'] & { readonly sentence: string })[]
}

class ExecError extends EmulatorError {
  override readonly code = 'unknown_tenant'
}

/** Runs the command and returns the exit code for this process. Messages of `exec` itself go to standard error. */
export async function runExec(command: readonly string[], options: ExecOptions): Promise<number> {
  const wallClock = new SystemClock()
  const begun = wallClock.now()
  const signals = endOnSignals()
  let emulator: BareEmulator | undefined
  try {
    requireFreeName(options.name)
    const missing = endOfMissing(command)
    if (missing !== undefined) {
      const { exitCode: exit_code, signal } = missing
      tell(options, missing, { exit_code, signal, started_ms: 0, command_ms: 0, refused: [] }, [])
      return exit_code
    }
    const log = logTo(terminal().stderr, options.log)
    const config = { ...configOf(options), history: options.history }
    const opened = await openWithFixture(config, options, log, { usesImage: true })
    emulator = opened.emulator
    const env = { ...process.env, ...(await open(opened, options, begun)) }
    signals.ignore()
    const started = wallClock.now()
    // A continuous-integration machine loses its folder of images, so an image would be useless there.
    const making = process.env['CI'] ? undefined : opened.makeImage?.()
    const end = await runChild(command, { env, wallClock })
    const ended = wallClock.now()
    signals.hear()
    const refused = await refusedRequests(emulator, undefined, options.tail)
    tell(
      options,
      end,
      {
        exit_code: end.exitCode,
        signal: end.signal,
        started_ms: started - begun,
        command_ms: ended - started,
        refused: refused.map(({ entry, sentence }) => ({ ...entry, sentence })),
      },
      refused,
    )
    await making
    return end.exitCode
  } catch (error) {
    terminal().stderr.write(`tenantry: ${sentenceOf(error)}\n`)
    return OWN_FAILURE
  } finally {
    await emulator?.close()
  }
}

async function open(
  { applyFixture, emulator, fixture }: OpenedWithFixture,
  { name, port, tenant }: ExecOptions,
  startedAt: EpochMillis,
): Promise<Readonly<Record<string, string>>> {
  await emulator.listen({ port })
  await emulator.listenPostgres()
  await applyFixture()
  const ready = await emulator.ready()
  requireTenant(ready, tenant)
  enlist({
    url: new URL(ready.inspector_url).origin,
    folder: process.cwd(),
    data_dir: null,
    fixture: fixture ?? null,
    name: name ?? null,
    command: 'exec',
    started_at: toIso(startedAt),
  })
  return execEnvironment(ready, tenant)
}

function requireTenant(ready: ReadyLine, tenant: string | undefined): void {
  const slugs = ready.groups.flatMap(({ tenants }) => tenants.map(({ slug }) => slug))
  if (tenant === undefined || slugs.includes(tenant)) return
  throw new ExecError(`There is no tenant ${tenant}.`, {
    hint:
      slugs.length === 0
        ? 'The fixture makes no tenant. Leave out --tenant.'
        : `Choose one of: ${slugs.join(', ')}.`,
  })
}

function tell(
  { json, report }: ExecOptions,
  { exitCode, startFailure }: ChildEnd,
  summary: ExecReport,
  refused: readonly RefusedRequest[],
): void {
  const text = `${JSON.stringify(summary)}\n`
  if (report !== undefined) writingTo(report, () => writeFileSync(report, text))
  if (startFailure !== undefined) terminal().stderr.write(`tenantry: ${startFailure}\n`)
  else if (json) terminal().stderr.write(text)
  else if (exitCode !== 0)
    terminal().stderr.write(
      `tenantry: The command ended with ${exitCode}${summary.signal === null ? '' : ` (${summary.signal})`}. ${tailLines(refused)}`,
    )
}

interface SignalEnd {
  hear(): void
  /** Stops handling signals, because run-child.ts handles them while the command runs. */
  ignore(): void
}

// Ends this process on signals that arrive before the command starts or after it has ended.
function endOnSignals(): SignalEnd {
  const own = terminal()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const listeners = signals.map((signal) => ({
    signal,
    end: () => own.exit(exitCodeOf(null, signal)),
  }))
  const hear = (): void => {
    for (const { end, signal } of listeners) own.on(signal, end)
  }
  hear()
  return {
    hear,
    ignore: () => {
      for (const { end, signal } of listeners) own.off(signal, end)
    },
  }
}

// Environment variables that `tenantry exec` sets for its command. Pure.

/** UTF-16 units. Operating systems limit one variable to 128 KiB or less. */
const MAX_INFO_LENGTH = 100_000

/**
 * Returns the settings of the tenant `slug` (default: the first tenant). TENANTRY_INFO contains the addresses and keys of all
 * tenants as JSON. TENANTRY_INFO lists only this tenant when the JSON of all tenants is longer than MAX_INFO_LENGTH. GET
 * /_emulator/v1/info always lists all tenants.
 */
export function execEnvironment(
  ready: ReadyLine,
  slug: string | undefined,
): Readonly<Record<string, string>> {
  const settings = connectionSettings(ready, slug)
  const whole = JSON.stringify(ready)
  return {
    ...settings,
    TENANTRY_INFO:
      whole.length <= MAX_INFO_LENGTH
        ? whole
        : JSON.stringify(withOnly(ready, settings['TENANTRY_PROJECT'])),
  }
}

function withOnly(ready: ReadyLine, slug: string | undefined): ReadyLine {
  return {
    ...ready,
    groups: ready.groups.map((group) => ({
      ...group,
      tenants: group.tenants.filter((tenant) => tenant.slug === slug),
    })),
  }
}

// Lists the requests that were refused while the command of `tenantry exec` ran. These requests usually explain a failed test
// run.
interface RefusedRequest {
  readonly entry: JournalEntry
  /** Why the request was refused, in one sentence. */
  readonly sentence: string
}

const LOOKED_THROUGH = 1_000

/** Returns the last `count` requests that were refused or failed, oldest first. */
async function refusedRequests(
  emulator: Pick<BareEmulator, 'fetch'>,
  adminToken: string | undefined,
  count: number,
): Promise<readonly RefusedRequest[]> {
  const read = async <Body>(path: string): Promise<Body | undefined> => {
    const answer = await emulator.fetch(
      new Request(`http://127.0.0.1/_emulator/v1${path}`, {
        headers: adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` },
      }),
    )
    return answer.ok ? ((await answer.json()) as Body) : undefined
  }
  const page = await read<JournalPage>(`/journal?limit=${LOOKED_THROUGH}`)
  const refused = (page?.entries ?? []).filter(({ status }) => status >= 400).slice(0, count)
  const explained: RefusedRequest[] = []
  for (const entry of refused.toReversed()) {
    const chain = await read<AccessChain>(`/journal/${entry.request_id}/chain?as_of=refusal`)
    explained.push({ entry, sentence: chain?.sentence ?? entry.error_message ?? '' })
  }
  return explained
}

/** Formats the requests for the terminal, one paragraph each. */
function tailLines(refused: readonly RefusedRequest[]): string {
  if (refused.length === 0) return 'No request was refused.\n'
  const head =
    refused.length === 1
      ? 'The request that was refused:'
      : `The last ${refused.length} requests that were refused:`
  return `${[head, ...refused.map(({ entry, sentence }) => refusalText(entry, sentence))].join('\n')}\n`
}
