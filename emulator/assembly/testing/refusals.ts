// The requests of a tenant that the emulator refused during a test, with the reasons at that time. Reports of failed tests contain
// them.
import type { AccessChain } from '../../contract/explain.ts'
import type { JournalEntry, JournalPage } from '../../contract/journal.ts'
import { refusalText } from '../../contract/refusal-text.ts'
import { parseInstant } from '../../core/time.ts'
import { callEmulator, type Platform } from './platform.ts'

/** Maximum number of refused requests in one report. */
const SHOWN = 5
/** Maximum number of refused requests that a report counts. */
const COUNTED = 100

export interface RefusedRequest {
  readonly entry: JournalEntry
  readonly chain: AccessChain
}

export interface Refusals {
  /** Number of refused requests; 100 also for more. */
  readonly count: number
  /** The last ones, oldest first. */
  readonly shown: readonly RefusedRequest[]
}

/** @param startTime wall-clock time of the oldest request, in epoch milliseconds */
export async function refusalsSince(
  platform: Platform,
  schemaName: string,
  startTime: number,
): Promise<Refusals> {
  const path = `/journal?schema_name=${schemaName}&refused=true&from_inspector=false&limit=${COUNTED}`
  const { entries } = await callEmulator<JournalPage>(platform, 'GET', path)
  const refused = entries.filter(({ arrived_at: at }) => (parseInstant(at) ?? 0) >= startTime)
  const shown = await Promise.all(
    refused.slice(0, SHOWN).map(async (entry) => {
      const chain = `/journal/${entry.request_id}/chain?as_of=refusal`
      return { entry, chain: await callEmulator<AccessChain>(platform, 'GET', chain) }
    }),
  )
  return { count: refused.length, shown: shown.toReversed() }
}

/** Returns a paragraph with a line for each request and its reason; an empty text when no request was refused. */
export function refusalsText({ count, shown }: Refusals, schemaName: string): string {
  if (count === 0) return ''
  const many = `${count === COUNTED ? 'at least ' : ''}${count}`
  const requests = count === 1 ? 'request' : 'requests'
  const head = `The emulator refused ${many} ${requests} of ${schemaName} in this test`
  return [
    `${head}${count > SHOWN ? `. The last ${SHOWN}` : ''}:`,
    ...shown.map(({ chain, entry }) => refusalText(entry, chain.sentence)),
  ].join('\n')
}

/** As `refusalsText`. Never rejects, so that the failed test keeps its own error. */
export function refusalReport(
  platform: Platform,
  schemaName: string,
  startTime: number,
): Promise<string> {
  return refusalsSince(platform, schemaName, startTime).then(
    (refusals) => refusalsText(refusals, schemaName),
    (cause: unknown) =>
      `What the emulator refused in this test could not be read: ${String(cause)}`,
  )
}
