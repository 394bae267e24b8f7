// Adds two lists to the error of a failed test: the refused requests of the test with their reasons, and its row changes.
import type { Platform } from './platform.ts'
import { refusalReport } from './refusals.ts'
import { changesText } from './tenant-changes.ts'

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
  const { isShared, platform, schemaName, since } = tenant
  const texts = await Promise.all([
    refusalReport(platform, schemaName, isShared ? startTime : 0),
    since === undefined
      ? ''
      : changesText(platform, schemaName, since).catch(
          (cause: unknown) => `What this test changed could not be read: ${String(cause)}`,
        ),
  ])
  const text = texts.filter((part) => part !== '').join('\n\n')
  if (text === '') return
  const { message } = error
  error.message = `${message}\n\n${text}\n`
  error.stack = error.stack?.replace(message, () => error.message)
}
