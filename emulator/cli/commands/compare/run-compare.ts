// Replays a recording for `tenantry compare`. This code has its own file, because it imports the whole emulator.
import { writeFileSync } from 'node:fs'
import type { Comparison } from '../../../contract/comparisons.ts'
import { SystemClock } from '../../../core/clock.ts'
import { writingTo } from '../../../core/named-files.ts'
import { printableLines } from '../../../core/printable.ts'
import { epochMillis, parseInstant, toIso } from '../../../core/time.ts'
import { reachEmulator } from '../../../platform/http-client/running-emulator.ts'
import {
  comparisonJunit,
  comparisonLines,
} from '../../../workflow/traffic/compare/comparison-report.ts'
import type { Har } from '../../../workflow/traffic/har/har.ts'
import { readHar } from '../../../workflow/traffic/har/read-har.ts'
import { compareWith } from '../../../workflow/traffic/replay/compare-with.ts'
import type { ReplayPlatform } from '../../../workflow/traffic/replay/platform.ts'
import { platformAt } from '../../../workflow/traffic/replay/platform-at.ts'
import { configOf, type EmulatorOptions } from '../../emulator-options.ts'
import { showing } from '../../live-line.ts'
import { openWithFixture } from '../../open-with-fixture.ts'
import { counted, logTo } from '../../report.ts'
import { answerClient } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface CompareOptions extends EmulatorOptions {
  readonly url: string | undefined
  readonly adminToken: string | undefined
  readonly json: boolean
  readonly junit: string | undefined
}

/** Platform time starts this many milliseconds before the recording, so that the fixture's data is older than the recording. */
const BEFORE_MILLIS = 30_000

/** Prints the comparison and returns the exit code. @throws {EmulatorError} */
export async function runCompare(file: string, options: CompareOptions): Promise<number> {
  const har = readHar(file)
  const comparison = await (options.url === undefined
    ? withOwnEmulator(har, options)
    : replay(har, await platformOf(options.url, options.adminToken)))
  terminal().stdout.write(
    `${options.json ? JSON.stringify(comparison) : printableLines(comparisonLines(comparison))}\n`,
  )
  const { junit } = options
  if (junit !== undefined) writingTo(junit, () => writeFileSync(junit, comparisonJunit(comparison)))
  return comparison.score === 100 ? 0 : 1
}

async function withOwnEmulator(har: Har, options: CompareOptions): Promise<Comparison> {
  const recordedStart = startOf(har.log.entries)
  // A PostgreSQL server's clock cannot be moved to the time of the recording.
  const hasServer = options.engine === 'postgres' || options.databaseUrl !== undefined
  const isFollowing = options.freeze === undefined && !hasServer
  const freeze = isFollowing ? toIso(epochMillis(recordedStart - BEFORE_MILLIS)) : options.freeze
  const { applyFixture, emulator } = await openWithFixture(
    configOf({ ...options, freeze }),
    options,
    logTo(terminal().stderr, options.log),
  )
  try {
    if (isFollowing) emulator.clock.resume()
    const dataFrom = emulator.clock.now()
    const { url } = await emulator.listen()
    await emulator.listenPostgres()
    await applyFixture()
    const platform = await platformOf(url, undefined)
    const own: ReplayPlatform = {
      ...platform,
      dataFrom,
      now: () => emulator.clock.now(),
      reach: async (instant) => {
        if (isFollowing && instant > emulator.clock.now()) emulator.clock.set(epochMillis(instant))
      },
    }
    return await replay(har, own)
  } finally {
    await emulator.close()
  }
}

function replay(har: Har, platform: ReplayPlatform): Promise<Comparison> {
  const what = `Replaying ${counted(har.log.entries.length, 'request')}`
  const afterInterrupt = 'The changes of the replayed requests may remain.'
  return showing(what, () => compareWith(har, platform), { afterInterrupt })
}

function platformOf(url: string, adminToken: string | undefined): Promise<ReplayPlatform> {
  const http = answerClient()
  return platformAt(url, reachEmulator(url, adminToken, http), http)
}

function startOf(entries: readonly { readonly startedDateTime: string }[]): number {
  const starts = entries.flatMap(({ startedDateTime }) => parseInstant(startedDateTime) ?? [])
  return starts.length === 0 ? new SystemClock().now() : Math.min(...starts)
}
