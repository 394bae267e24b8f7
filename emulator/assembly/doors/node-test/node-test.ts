// `tenantry/node-test`: a tenant for a file of tests that Node's own runner runs. The file uses the emulator of `tenantry exec` or of
// its folder, or starts one in memory in its own process.
import { after, afterEach } from 'node:test'
import { SystemClock } from '../../../core/clock.ts'
import { defined } from '../../../core/defined.ts'
import { findApplicationFolder } from '../../../workflow/fixtures/read/application-folder.ts'
import type { EmulatorConfig } from '../../config.ts'
import type { Actor, TenantIdentity } from '../../testing/actor.ts'
import { type Platform, remotePlatform } from '../../testing/platform.ts'
import { refusalReport } from '../../testing/refusals.ts'
import type { Tenant } from '../../testing/tenant.ts'
import { createTenants } from '../../testing/tenants.ts'
import { createTestClock, type TestClock } from '../../testing/test-clock.ts'
import type { TestMailbox } from '../../testing/test-mailbox.ts'
import { withEngineOfEnvironment } from '../../testing/vitest-engine.ts'
import { findEmulator } from '../find-emulator.ts'

export type { TestClock }

/** Where the tenant of a file comes from. */
export interface FileOptions {
  /** Name of the group whose template the tenant is cloned from (default: the first group). */
  readonly group?: string
  /** Address of a running emulator (default: TENANTRY_AUTH_URL, else the emulator that runs in the working folder). */
  readonly url?: string
  /** Configuration of the emulator that is started when none runs. */
  readonly config?: EmulatorConfig
}

/** What the tests of a file use. */
export interface FileTenant {
  /** An unused tenant, which is purged after the tests of the file. */
  readonly tenant: Tenant
  /** Sends requests as a user of the tenant, given by id or e-mail address. Without `user`, uses a new user. */
  readonly asUser: (user?: string, claims?: TenantIdentity['claims']) => Promise<Actor>
  /** Messages that this tenant would have sent. */
  readonly mailbox: TestMailbox
  /** Platform time, which returns to the machine's time after each test. Files with the same emulator share it. */
  readonly clock: TestClock
}

interface OpenPlatform {
  readonly platform: Platform
  close(): Promise<void>
}

/**
 * Provisions a tenant for the tests of this file: `const { tenant, asUser } = await tenantOfFile()`. Failed tests print the requests
 * that the emulator refused, as diagnostics.
 * @throws {TestingError} `unknown_group`, or `refused`
 */
export async function tenantOfFile(options: FileOptions = {}): Promise<FileTenant> {
  const { close, platform } = await openPlatform(options)
  const tenant = await createTenants(platform).tenant(undefined, defined({ group: options.group }))
  const { restore, ...clock } = createTestClock(platform)
  const wallClock = new SystemClock()
  let reportedUntil = wallClock.now()
  afterEach(async (context) => {
    await restore()
    const startedAt = reportedUntil
    reportedUntil = wallClock.now()
    if (!isTest(context) || context.passed) return
    const text = await refusalReport(platform, tenant.schemaName, startedAt)
    if (text !== '') context.diagnostic(text)
  })
  after(async () => {
    await tenant.remove()
    await close()
  })
  return {
    tenant,
    asUser: (user, claims) => tenant.as(defined({ role: 'authenticated' as const, user, claims })),
    mailbox: tenant.mailbox,
    clock,
  }
}

/** The members of Node's TestContext that the report uses (since Node 22.7). */
interface EndedTest {
  readonly passed: boolean
  diagnostic(message: string): void
}

/** Node's types say that a hook may also get the context of a suite. */
function isTest(context: object): context is EndedTest {
  return 'diagnostic' in context && 'passed' in context
}

async function openPlatform({ config, url }: FileOptions): Promise<OpenPlatform> {
  const folder = process.cwd()
  const found = findEmulator({ url, folder })
  if (found !== undefined)
    return { platform: remotePlatform(found, config?.adminToken), close: () => Promise.resolve() }
  const { createEmulator } = await import('../../library/create-emulator.ts')
  const emulator = await createEmulator(withEngineOfEnvironment({ history: true, ...config }))
  try {
    const { url: own } = await emulator.listen({ port: 0, host: '127.0.0.1' })
    const fixture = findApplicationFolder(folder)
    if (fixture !== undefined) await emulator.applyFixture(fixture)
    const platform = remotePlatform(own, config?.adminToken)
    return { platform, close: () => emulator.close() }
  } catch (error) {
    await emulator.close()
    throw error
  }
}
