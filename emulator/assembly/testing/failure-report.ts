// Adds two lists to the error of a failed test: the refused requests of the test with their reasons, and its row changes.
import type { AccessChain } from '../../contract/explain.ts'
import type { JournalPage } from '../../contract/journal.ts'
import { refusalText } from '../../contract/refusal-text.ts'
import { parseInstant } from '../../core/time.ts'
import { callEmulator, type Platform } from './platform.ts'
import { changesText } from './tenant-changes.ts'

/** Maximum number of refused requests in one report. */
const SHOWN = 5
/** Maximum number of refused requests that a report counts. */
const COUNTED = 100

/** The tenant of a test. */
export interface LeasedTenant {
  readonly platform: Platform
  readonly schemaName: string
  /** Whether other tests use the tenant, too. */
  readonly isShared: boolean
  /** Sequence of the last row change before the test; `undefined` when the emulator records no changes. */
  readonly since: number | undefined
}

/** The members of vitest's test result that the report uses. */
export interface FailedTest {
  readonly state?: string
  /** Wall-clock time at which the test started, in epoch milliseconds. */
  readonly startTime?: number | undefined
  readonly errors?: readonly ErrorText[] | undefined
}

interface ErrorText {
  message: string
  /** Begins with the message. */
  stack?: string | undefined
}

/** Appends the tenant's refusals and row changes to the first error. Never rejects, so that the test keeps its own error. */
export async function reportFailure(
  tenant: LeasedTenant,
  { errors, startTime = 0 }: FailedTest,
): Promise<void> {
  const [error] = errors ?? []
  if (error === undefined) return
  const { platform, schemaName, since } = tenant
  const texts = await Promise.all([
    refusalsSince(tenant, tenant.isShared ? startTime : 0).catch(
      unread('What the emulator refused in this test'),
    ),
    since === undefined
      ? ''
      : changesText(platform, schemaName, since).catch(unread('What this test changed')),
  ])
  const text = texts.filter((part) => part !== '').join('\n\n')
  if (text === '') return
  const { message } = error
  error.message = `${message}\n\n${text}\n`
  error.stack = error.stack?.replace(message, () => error.message)
}

const unread =
  (what: string) =>
  (cause: unknown): string =>
    `${what} could not be read: ${String(cause)}`

async function refusalsSince(
  { platform, schemaName }: LeasedTenant,
  startTime: number,
): Promise<string> {
  const path = `/journal?schema_name=${schemaName}&refused=true&limit=${COUNTED}`
  const { entries } = await callEmulator<JournalPage>(platform, 'GET', path)
  const refused = entries.filter(({ arrived_at: at }) => (parseInstant(at) ?? 0) >= startTime)
  if (refused.length === 0) return ''
  const shown = refused.slice(0, SHOWN).toReversed()
  const texts = await Promise.all(
    shown.map(async (entry) => {
      const chain = `/journal/${entry.request_id}/chain?as_of=refusal`
      const { sentence } = await callEmulator<AccessChain>(platform, 'GET', chain)
      return refusalText(entry, sentence)
    }),
  )
  const count = `${refused.length === COUNTED ? 'at least ' : ''}${refused.length}`
  const requests = refused.length === 1 ? 'request' : 'requests'
  const head = `The emulator refused ${count} ${requests} of ${schemaName} in this test`
  return [`${head}${refused.length > SHOWN ? `. The last ${SHOWN}` : ''}:`, ...texts].join('\n')
}
