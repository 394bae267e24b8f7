// `tenantry/vitest` exports a `test` that gives each file its own tenant, so that files that run at the same time never share
// rows. `tenantry/vitest/setup` starts one emulator for all workers. Only `createEmulatorTest` loads the emulator's code.
import { afterAll, test as base, beforeAll, inject, type TestAPI } from 'vitest'
import { defined } from '../../core/defined.ts'
import { MINUTE_MILLIS } from '../../core/time.ts'
import type { EmulatorConfig } from '../config.ts'
import type { Emulator } from '../library/create-emulator.ts'
import type { EmulatorClock } from '../library/public-types.ts'
import type { Actor, TenantIdentity } from './actor.ts'
import { type FailedTest, type LeasedTenant, reportFailure } from './failure-report.ts'
import { type Platform, remotePlatform, TestingError } from './platform.ts'
import { poolClient } from './pool-server.ts'
import { createTenant, type Tenant } from './tenant.ts'
import { lastChange } from './tenant-changes.ts'
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
        await begin(lease, { platform, schemaName: facts.schemaName, isShared })
        await use(createTenant(platform, facts))
        await lease.report?.()
        await pool.giveBack(facts.slug)
      },
      { scope: options.scope },
    ],
    ...FROM_TENANT,
    failures: [reporting(lease), { auto: true }],
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
      await begin(lease, { platform, schemaName: tenant.schemaName, isShared: false })
      await use(tenant)
      await lease.report?.()
      await tenant.remove()
    },
    ...FROM_TENANT,
    failures: [reporting(lease), { auto: true }],
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
  /** Reports the refused requests and the row changes of the running test, if the test failed and has no report yet. */
  report?: () => Promise<void>
}

/** Notes where the changes of the running test begin. Asks no more once an emulator has said that it records none. */
async function begin(lease: Lease, tenant: Omit<LeasedTenant, 'since'>): Promise<void> {
  const since = await lastChange(tenant.platform, tenant.schemaName)
  lease.latest = { ...tenant, since }
}

interface RunningTest {
  readonly task: { readonly result?: FailedTest | undefined }
  readonly onTestFailed: (report: () => Promise<void>) => void
}

interface Reporting {
  readonly failures: undefined
}

/**
 * A fixture of every test. With the scope `test`, the tenant's fixture also reports, because it removes the tenant before
 * `onTestFailed` runs.
 */
function reporting(lease: Lease) {
  return async ({ onTestFailed, task }: RunningTest, use: Use<undefined>): Promise<void> => {
    const { latest: shared } = lease
    if (shared?.isShared === true && shared.since !== undefined) await begin(lease, shared)
    let isReported = false
    lease.report = async () => {
      const { latest } = lease
      if (isReported || latest === undefined || task.result?.state !== 'fail') return
      isReported = true
      await reportFailure(latest, task.result)
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
