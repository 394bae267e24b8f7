// `tenantry/playwright`: fixtures for tests of an application in a browser. A test gets its tenant, pages that are signed in,
// messages, the platform clock and row changes of the emulator that the application uses. Reports and traces get the emulator's
// reasons of refused requests.
import { dirname, resolve } from 'node:path'
import {
  type BrowserContext,
  test as base,
  type Page,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
  type TestType,
} from '@playwright/test'
import type { ProjectUserDetail } from '../../../contract/users.ts'
import { SystemClock } from '../../../core/clock.ts'
import { defined } from '../../../core/defined.ts'
import type { EpochMillis } from '../../../core/time.ts'
import {
  callEmulator,
  type Platform,
  readPlatform,
  remotePlatform,
  TestingError,
} from '../../testing/platform.ts'
import { refusalsSince, refusalsText } from '../../testing/refusals.ts'
import type { Tenant } from '../../testing/tenant.ts'
import { createTenants } from '../../testing/tenants.ts'
import { createTestClock, type TestClock } from '../../testing/test-clock.ts'
import type { TestMailbox } from '../../testing/test-mailbox.ts'
import { findEmulator } from '../find-emulator.ts'
import { signInLink, storedSession } from './signed-in.ts'

export type { TestClock }

/** The option `tenantry` in `use` of Playwright's configuration. */
export interface TenantryUse {
  /** Address of the emulator (default: TENANTRY_AUTH_URL, else the emulator that runs in the folder of the configuration). */
  readonly url?: string
  /** Token of an emulator on another machine. */
  readonly adminToken?: string
  /** Folder whose emulator is used (default: the folder of the configuration). */
  readonly folder?: string
  /** Slug of the tenant (default: the first one). A tenant that does not exist is provisioned. */
  readonly tenant?: string
  /** Gives each test an unused tenant, which is purged afterwards, for applications that choose their tenant while they run. */
  readonly ownTenant?: boolean
  /**
   * How `user()` signs in. `storage` (default) stores the session for `tenantry/client` before the first page opens. `link` opens
   * `baseURL` with a sign-in link, which the application handles as a magic link.
   */
  readonly signIn?: 'storage' | 'link'
}

/** Options that Playwright's configuration sets in `use`. */
export interface TenantryTestOptions {
  readonly tenantry: TenantryUse
}

/**
 * Opens a page in a browser context of its own, signed in as the user with this e-mail address. Creates the user if the tenant has
 * no such user, and a new user without an address. @throws {TestingError} when the user cannot sign in by a link
 */
export type SignedInPage = (email?: string) => Promise<Page>

/** Fixtures of the exported `test`. */
export interface TenantryFixtures {
  /** The tenant of the application. */
  readonly tenant: Tenant
  /** Opens a page that is signed in. */
  readonly user: SignedInPage
  /** Messages that the tenant would have sent. */
  readonly mailbox: TestMailbox
  /** Platform time, which returns to the machine's time after a test that moved it. Other tests see the move meanwhile. */
  readonly clock: TestClock
  /** Returns the row changes that were committed while a block ran. */
  readonly changes: Tenant['changes']
}

/** The `test` of Playwright with the fixtures and options of this module. */
export type TenantryTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TenantryFixtures & TenantryTestOptions,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>

interface OwnFixtures extends TenantryFixtures, TenantryTestOptions {
  readonly platform: Platform
}

type Trace = PlaywrightWorkerOptions['trace']

const wallClock = new SystemClock()

/** The `test` of Playwright with `{ tenant, user, mailbox, clock, changes }`. */
export const test: TenantryTest = base.extend<OwnFixtures>({
  tenantry: [{}, { option: true }],
  platform: async ({ tenantry }, use, info) => use(platformOf(tenantry, info)),
  tenant: async ({ platform, tenantry, trace }, use, info) => {
    const startedAt = wallClock.now()
    const tenant = await tenantOf(platform, tenantry)
    await use(tenant)
    if (isReported(trace, info)) await attachRefusals(platform, tenant, info, startedAt)
    if (tenantry.ownTenant === true) await tenant.remove()
  },
  user: async ({ baseURL, browser, platform, tenant, tenantry }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (email) => {
      const name = email ?? `user-${wallClock.now()}-${contexts.length}@example.test`
      const id = await userOf(platform, tenant, name)
      const application = addressOf(baseURL)
      const link = await signInLink(platform, tenant, id, application)
      const isByLink = tenantry.signIn === 'link'
      const storageState = isByLink
        ? undefined
        : await storedState(platform, tenant, link, application)
      const context = await browser.newContext(defined({ storageState }))
      contexts.push(context)
      const page = await context.newPage()
      if (isByLink) await page.goto(link)
      return page
    })
    for (const context of contexts) await context.close()
  },
  mailbox: async ({ tenant }, use) => use(tenant.mailbox),
  clock: async ({ platform }, use) => {
    const clock = createTestClock(platform)
    await use(clock)
    await clock.restore()
  },
  changes: async ({ tenant }, use) => use(tenant.changes),
})

/** @throws {TestingError} `no_emulator` */
function platformOf({ adminToken, folder, url }: TenantryUse, { config }: TestInfo): Platform {
  const root = config.configFile === undefined ? config.rootDir : dirname(config.configFile)
  const found = findEmulator({ url, folder: resolve(root, folder ?? '.') })
  if (found !== undefined) return remotePlatform(found, adminToken)
  throw new TestingError(
    'no_emulator',
    `No emulator runs for ${resolve(root, folder ?? '.')}. Run the tests with "tenantry exec -- npx playwright test", start the application with tenantry/vite, or set use.tenantry.url.`,
  )
}

async function tenantOf(
  platform: Platform,
  { ownTenant, tenant: slug }: TenantryUse,
): Promise<Tenant> {
  const tenants = createTenants(platform)
  if (ownTenant === true) return tenants.tenant()
  if (slug !== undefined) return tenants.tenant(slug)
  const { groups } = await readPlatform(platform)
  const [first] = groups.flatMap((group) => group.tenants)
  return tenants.tenant(first?.slug)
}

/** Returns the id of the tenant's user with this address. Creates the user if necessary. @throws {TestingError} `refused` */
async function userOf(platform: Platform, tenant: Tenant, email: string): Promise<string> {
  const path = `/projects/${tenant.schemaName}/users/${encodeURIComponent(email)}`
  try {
    return (await callEmulator<ProjectUserDetail>(platform, 'GET', path)).id
  } catch (error) {
    if (!(error instanceof TestingError && error.status === NOT_FOUND)) throw error
    return (await tenant.users.create({ email })).id
  }
}

const NOT_FOUND = 404

/** @throws {TestingError} `no_address` */
function addressOf(baseURL: string | undefined): string {
  if (baseURL !== undefined) return baseURL
  throw new TestingError(
    'no_address',
    'user() opens pages of the application, so Playwright needs its address. Set use.baseURL.',
  )
}

async function storedState(platform: Platform, tenant: Tenant, link: string, application: string) {
  const localStorage = [...(await storedSession(platform, tenant, link, wallClock.now()))]
  return { cookies: [], origins: [{ origin: new URL(application).origin, localStorage }] }
}

/** Whether the test failed, or its trace is recorded. */
function isReported(trace: Trace, { expectedStatus, status }: TestInfo): boolean {
  return status !== expectedStatus || (typeof trace === 'object' ? trace.mode : trace) !== 'off'
}

/** Attaches the reasons as text and as the answers of the emulator's API. Reports and traces show attachments. */
async function attachRefusals(
  platform: Platform,
  { schemaName }: Tenant,
  info: TestInfo,
  startedAt: EpochMillis,
): Promise<void> {
  const refusals = await refusalsSince(platform, schemaName, startedAt)
  if (refusals.count === 0) return
  const body = refusalsText(refusals, schemaName)
  await info.attach('refused requests', { body, contentType: 'text/plain' })
  const json = JSON.stringify(refusals.shown, null, 2)
  await info.attach('refused requests, explained', { body: json, contentType: 'application/json' })
}
