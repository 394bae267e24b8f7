// `tenantry/vitest` exports a `test` that gives each file its own tenant, so that files that run at the same time never share
// rows. `tenantry/vitest/setup` starts one emulator for all workers. Only `createEmulatorTest` loads the emulator's code.
import { afterAll, test as base, beforeAll, inject, type TestAPI } from 'vitest'
import type { AccessChain } from '../../contract/explain.ts'
import type { JournalPage } from '../../contract/journal.ts'
import { refusalText } from '../../contract/refusal-text.ts'
import { defined } from '../../core/defined.ts'
import { MINUTE_MILLIS, parseInstant } from '../../core/time.ts'
import type { EmulatorConfig } from '../config.ts'
import type { Emulator } from '../library/create-emulator.ts'
import type { EmulatorClock } from '../library/public-types.ts'
import type { Actor, TenantIdentity } from './actor.ts'
import { callEmulator, type Platform, remotePlatform, TestingError } from './platform.ts'
import { poolClient } from './pool-server.ts'
import { createTenant, type Tenant } from './tenant.ts'
import type { TestMailbox } from './test-mailbox.ts'
import { withEngineOfEnvironment } from './vitest-engine.ts'

/** The values that the global setup provides to workers. */
export interface ProvidedPlatform {
  readonly url: string
  /** URL of the tenant pool. */
  readonly pool: string
}

declare module 'vitest' {
  interface ProvidedContext {
    tenantry: ProvidedPlatform
  }
}

/**
 * How long tests keep one tenant. `worker` shares a tenant between files only with `isolate: false`, when files share a
 * worker.
 */
export type TenantScope = 'worker' | 'file' | 'test'

/**
 * Sends requests as a user of the tenant, given by id or e-mail address. Without `user`, uses a new user. `claims` adds claims
 * as in `as()`.
 * @throws {TestingError} `refused` for an unknown e-mail address
 */
export type AsUser = (user?: string, claims?: TenantIdentity['claims']) => Promise<Actor>

/** Fixtures of the exported `test`, and of a `test` that `createTest` returns. */
export interface TenantFixtures {
  /** An unused tenant, which is purged after the tests. */
  readonly tenant: Tenant
  /** Sends requests as a user of the tenant. */
  readonly asUser: AsUser
  /** Messages that this tenant would have sent. */
  readonly mailbox: TestMailbox
}

/** Fixtures of a `test` that `createEmulatorTest` returns. */
export interface EmulatorFixtures extends TenantFixtures {
  /** An emulator in this process, for this file only. */
  readonly emulator: Emulator
  /** The platform clock of this file's emulator. Moving the clock affects no other file. */
  readonly clock: EmulatorClock
}

/** Creates a `test` whose tenant lives for `scope`. The exported `test` uses one tenant per file. */
export function createTest(options: { readonly scope: TenantScope }): TestAPI<TenantFixtures> {
  const lease: Lease = {}
  return base.extend<TenantFixtures & Reporting>({
    tenant: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures needed off this pattern
      async ({}, use) => {
        const provided = inject('tenantry')
        if (provided === undefined)
          throw new TestingError(
            'no_pool',
            "No emulator runs for these tests. Add globalSetup: ['tenantry/vitest/setup'] to vitest's configuration.",
          )
        const pool = poolClient(provided.pool)
        const facts = await pool.lease()
        const platform = remotePlatform(provided.url)
        const isShared = options.scope !== 'test'
        lease.latest = { platform, schemaName: facts.schemaName, isShared }
        await use(createTenant(platform, facts))
        await lease.report?.()
        await pool.giveBack(facts.slug)
      },
      { scope: options.scope },
    ],
    ...FROM_TENANT,
    refusals: [reporting(lease), { auto: true }],
  }) as TestAPI<TenantFixtures>
}

/**
 * Creates a `test` with one emulator per file, for tests of the whole platform: its clock, faults, snapshots. Starting an
 * emulator takes about a second and 200 MB. @param config the configuration for `createEmulator` @param prepare a function
 * that runs when the emulator is open, for example to apply a fixture
 */
export function createEmulatorTest(
  config: EmulatorConfig = {},
  prepare: (emulator: Emulator) => Promise<unknown> = () => Promise.resolve(),
): TestAPI<EmulatorFixtures> {
  const lease: Lease = {}
  let opened: Promise<Emulator> | undefined
  const open = (): Promise<Emulator> => {
    opened ??= openFor(config, prepare)
    return opened
  }
  const close = async (): Promise<void> => {
    const emulator = await opened
    opened = undefined
    await emulator?.close()
  }
  // Opens the emulator before the tests, because vitest adds a fixture's time to the first test, whose limit is 5 s by default.
  beforeAll(async () => {
    await open()
  }, START_WITHIN_MILLIS)
  afterAll(close)
  return base.extend<EmulatorFixtures & Reporting>({
    emulator: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures needed off this pattern
      async ({}, use) => {
        await use(await open())
        await close()
      },
      { scope: 'file' },
    ],
    clock: async ({ emulator }, use) => use(emulator.clock),
    tenant: async ({ emulator }, use) => {
      const tenant = await emulator.tenant()
      const platform: Platform = {
        origin: tenant.url,
        send: (request) => emulator.fetch(request),
        adminToken: config.adminToken,
      }
      lease.latest = { platform, schemaName: tenant.schemaName, isShared: false }
      await use(tenant)
      await lease.report?.()
      await tenant.remove()
    },
    ...FROM_TENANT,
    refusals: [reporting(lease), { auto: true }],
  }) as TestAPI<EmulatorFixtures>
}

const START_WITHIN_MILLIS = MINUTE_MILLIS

async function openFor(
  config: EmulatorConfig,
  prepare: (emulator: Emulator) => Promise<unknown>,
): Promise<Emulator> {
  const { createEmulator } = await import('../library/create-emulator.ts')
  const emulator = await createEmulator(withEngineOfEnvironment(config))
  try {
    await emulator.listen({ port: 0, host: '127.0.0.1' })
    await prepare(emulator)
    return emulator
  } catch (error) {
    await emulator.close()
    throw error
  }
}

interface Lease {
  /** The tenant of the running test, if it uses one. */
  latest?: LeasedTenant
  /** Reports the refused requests of the running test, if the test failed and has no report yet. */
  report?: () => Promise<void>
}

interface RunningTest {
  readonly task: { readonly result?: FailedTest | undefined }
  readonly onTestFailed: (report: () => Promise<void>) => void
}

interface Reporting {
  readonly refusals: undefined
}

/**
 * A fixture of every test. With the scope `test`, the tenant's fixture also reports, because it removes the tenant before
 * `onTestFailed` runs.
 */
function reporting(lease: Lease) {
  return async ({ onTestFailed, task }: RunningTest, use: Use<undefined>): Promise<void> => {
    let isReported = false
    lease.report = async () => {
      const { latest } = lease
      if (isReported || latest === undefined || task.result?.state !== 'fail') return
      isReported = true
      await reportRefusals(latest, task.result)
    }
    onTestFailed(lease.report)
    await use(undefined)
  }
}

interface Given {
  readonly tenant: Tenant
}

type Use<Value> = (value: Value) => Promise<void>

const FROM_TENANT = {
  asUser: async ({ tenant }: Given, use: Use<AsUser>): Promise<void> =>
    use((user, claims) => tenant.as(defined({ role: 'authenticated' as const, user, claims }))),
  mailbox: async ({ tenant }: Given, use: Use<TestMailbox>): Promise<void> => use(tenant.mailbox),
}

/** The `test` of vitest with `{ tenant, asUser, mailbox }`. The tests of a file share one tenant. */
export const test: TestAPI<TenantFixtures> = createTest({ scope: 'file' })

// Adds to the error of a failed test the requests that the emulator refused while the test ran, with the reasons at that
// time.

/** Maximum number of refused requests in one report. */
const SHOWN = 5
/** Maximum number of refused requests that a report counts. */
const COUNTED = 100

interface LeasedTenant {
  readonly platform: Platform
  readonly schemaName: string
  /** Whether other tests use the tenant, too. */
  readonly isShared: boolean
}

/** The members of vitest's test result that the report uses. */
interface FailedTest {
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

/** Appends the tenant's refusals to the first error. Never rejects, so that the test keeps its own error. */
async function reportRefusals(
  tenant: LeasedTenant,
  { errors, startTime = 0 }: FailedTest,
): Promise<void> {
  const [error] = errors ?? []
  if (error === undefined) return
  const text = await refusalsSince(tenant, tenant.isShared ? startTime : 0).catch(
    (cause: unknown) =>
      `What the emulator refused in this test could not be read: ${String(cause)}`,
  )
  if (text === '') return
  const { message } = error
  error.message = `${message}\n\n${text}\n`
  error.stack = error.stack?.replace(message, () => error.message)
}

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
