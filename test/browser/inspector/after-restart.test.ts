// Fifteen screens stay open in the tabs of one browser while the emulator is stopped and started again on its folder and port.
// Each page reconnects without a reload. Each test then does the main task of a screen by clicking.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, CHROMIUM_HINT, workerChromium } from '../../support/chromium.ts'
import { type DemoTenant, demoTenant } from '../../support/demo-tenant.ts'
import { type InspectorPage, loaded, openInspectorPage } from '../../support/inspector-page.ts'
import { startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'

const ANA = 'ana@patients.test'
const TENANT = '/t/aurora'

/** Each screen's address and heading. */
const SCREENS = {
  home: ['/', 'Home'],
  tenants: ['/tenants', 'Groups and tenants'],
  tables: [`${TENANT}/tables/patients`, 'patients'],
  sql: [`${TENANT}/sql`, 'SQL console'],
  policies: [`${TENANT}/policies`, 'Policies'],
  users: [`${TENANT}/users`, 'Users'],
  storage: [`${TENANT}/storage`, 'Storage'],
  realtime: [`${TENANT}/realtime?view=try`, 'Realtime'],
  requests: ['/requests', 'Requests'],
  tokens: ['/tokens', 'Tokens'],
  mailbox: ['/mailbox', 'Mailbox'],
  clock: ['/clock', 'Clock'],
  faults: ['/faults?view=catalogue', 'Faults'],
  snapshots: ['/snapshots', 'Snapshots'],
  fixtures: ['/fixtures', 'Fixtures'],
} as const

type Screen = keyof typeof SCREENS

describe.skipIf(CHROMIUM === undefined)(`after a restart${CHROMIUM_HINT}`, () => {
  let folder: string
  let at: TestEmulator
  let aurora: DemoTenant
  let context: BrowserContext | undefined
  const pages = new Map<Screen, InspectorPage>()
  /** The screens of the current test. */
  const used = new Set<Screen>()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenantry-restart-'))
    const before = await startTestEmulator({ dataDir: folder })
    await before.emulator.applyFixture('fixtures/clinics')
    for (const [screen, [path, heading]] of Object.entries(SCREENS)) {
      const opened = await openInspectorPage(
        await workerChromium(),
        `${before.url}/_emulator${path}`,
        context === undefined ? {} : { context },
      )
      context = opened.context
      pages.set(screen as Screen, opened)
      await opened.page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await loaded(opened.page)
    }
    await joinChannel(requirePage('realtime'))
    await before[Symbol.asyncDispose]()
    for (const { page } of pages.values()) await lost(page).waitFor()
    await expectDisabledActions(requirePage('tenants'))
    at = await startTestEmulator({ dataDir: folder }, [], Number(new URL(before.url).port))
    aurora = await demoTenant(at, 'aurora')
  })
  afterAll(async () => {
    await context?.close()
    await at?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  // Closes the pages, because each open page renders each change and would slow down the other tests. The last test still needs
  // the clock screen.
  afterEach(async () => {
    for (const screen of used) if (screen !== 'clock') await pages.get(screen)?.page.close()
    used.clear()
  })

  function requirePage(screen: Screen): Page {
    const opened = pages.get(screen)
    if (opened === undefined) throw new Error(`${screen} was not opened`)
    return opened.page
  }

  /** Returns the page of a screen after the page has reconnected to the emulator. */
  async function pageOf(screen: Screen): Promise<Page> {
    const page = requirePage(screen)
    used.add(screen)
    await lost(page).waitFor({ state: 'detached' })
    return page
  }

  it('home shows the kept groups and tenants, and that all services are healthy', async () => {
    const page = await pageOf('home')
    await page.getByText('1 group, 2 tenants').waitFor()
    await page.getByText('All services healthy').waitFor()
    expect(await page.getByText('The emulator was reset').count()).toBe(0)
  })

  it('tenants provisions another tenant', async () => {
    const page = await pageOf('tenants')
    await page.getByRole('button', { name: 'Provision tenant' }).click()
    const sheet = page.getByRole('complementary', { name: 'New tenant' })
    await sheet.getByLabel('Slug').fill('cardoso')
    await sheet.getByRole('button', { name: 'Provision' }).click()
    await page.getByRole('row', { name: /cardoso/ }).waitFor()
  })

  it('tables shows the rows hidden from a user, and why', async () => {
    const page = await pageOf('tables')
    await page.getByRole('combobox', { name: 'Act as' }).click()
    await page.getByRole('combobox', { name: 'Search: Act as' }).fill(ANA)
    await page.getByRole('option', { name: ANA }).first().click()
    await page.getByTestId('visible-count').filter({ hasText: '1 of 4 rows visible' }).waitFor()
    const hidden = page.locator('[data-hidden-row]').filter({ hasText: 'Clara Mendes' })
    await hidden.getByRole('button', { name: /Why is this row hidden/ }).click()
    await page.getByTestId('deciding-leaf').filter({ hasText: 'user_id = auth.uid()' }).waitFor()
  })

  it('sql runs a statement', async () => {
    const page = await pageOf('sql')
    await page.locator('.cm-content').click()
    await page.keyboard.insertText('select count(*) + 38 as answer from patients')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('gridcell', { name: '42' }).waitFor()
  })

  it('policies explains one decision', async () => {
    const page = await pageOf('policies')
    await page.getByRole('link', { name: /^(\d+ warnings? )?appointments/ }).click()
    await page.getByRole('tab', { name: 'Decisions' }).click()
    await page.getByRole('combobox', { name: 'Act as' }).click()
    await page.getByRole('option', { name: ANA }).click()
    await page.getByRole('row').filter({ hasText: 'hidden' }).first().click()
    await page
      .getByTestId('verdict')
      .filter({ hasText: `Hidden from ${ANA}` })
      .waitFor()
    await page.getByTestId('deciding-leaf').first().waitFor()
  })

  it('users creates a user, who then signs in', async () => {
    const page = await pageOf('users')
    await page.getByRole('button', { name: 'Create user' }).click()
    const form = page.getByRole('form', { name: 'New user' })
    await form.getByLabel('E-mail').fill('nina@patients.test')
    await form.getByLabel('Password').fill('nina-secret-1')
    await form.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('row', { name: /nina@patients/ }).waitFor()
    const signedIn = await at.call('POST', '/auth/v1/signin', {
      headers: { apikey: aurora.anonKey },
      body: { email: 'nina@patients.test', password: 'nina-secret-1' },
    })
    expect(signedIn.status).toBe(200)
  })

  it('storage stores a file that the user drops into a bucket', async () => {
    const page = await pageOf('storage')
    await page.getByRole('button', { name: 'New bucket' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New bucket' })
    await dialog.getByLabel('Name').fill('later')
    await dialog.getByRole('button', { name: 'Create bucket' }).click()
    await page.getByText('No objects yet').waitFor()
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['Bring the letter.'], 'note.txt', { type: 'text/plain' }))
      return data
    })
    await page.getByTestId('drop-area').dispatchEvent('drop', { dataTransfer: transfer })
    await page.getByText('1 of 1 uploaded').waitFor()
    await page
      .getByRole('grid', { name: 'Objects' })
      .getByRole('button', { name: 'note.txt' })
      .waitFor()
  })

  it('realtime counts neither a connection nor a test channel that the restart closed', async () => {
    const page = requirePage('realtime')
    await page.getByText('0 connections').waitFor()
    await page
      .getByRole('listitem', { name: 'lobby as' })
      .getByText('closed', { exact: true })
      .waitFor()
    expect(await page.getByRole('tab', { name: 'Test channels' }).innerText()).toBe('Test channels')
  })

  it('realtime joins a channel and shows a change arriving', async () => {
    const page = await pageOf('realtime')
    const form = page.getByRole('form', { name: 'New test channel' })
    await page.getByRole('combobox', { name: 'Act as' }).click()
    await page.getByRole('combobox', { name: 'Search: Act as' }).fill('reception@')
    await page.getByRole('option', { name: 'reception@aurora.test' }).first().click()
    await form.getByLabel('Channel').fill('desk')
    await form.getByRole('combobox', { name: 'Row changes of' }).click()
    await page.getByRole('option', { name: 'appointments', exact: true }).click()
    await form.getByRole('button', { name: 'Join' }).click()
    await page.getByText('Subscribed to PostgreSQL').waitFor()
    await page.getByRole('tab', { name: 'Changes' }).click()
    await aurora.patch('/appointments?id=eq.2', aurora.serviceRoleKey, { state: 'arrived' })
    await page.getByRole('row', { name: 'appointments' }).first().waitFor()
    await page.locator('[data-verdict="delivered"]').waitFor()
  })

  it('requests shows a refused request and the broken link of its access chain', async () => {
    const page = await pageOf('requests')
    // The list reloads once when the event stream is connected again. A click during the reload would find no row.
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByText(/^\d+ of \d+$/).waitFor()
    expect((await aurora.get('/auth_users', aurora.anonKey)).status).toBeGreaterThanOrEqual(400)
    await page.getByRole('row', { name: '/auth_users' }).first().click()
    const sheet = page.getByRole('complementary', { name: 'Request' })
    await sheet.locator('[data-state="broken"]').waitFor()
    await sheet.locator('[data-sentence]').waitFor()
  })

  it('tokens explains a key from before the restart', async () => {
    const page = await pageOf('tokens')
    await page.getByLabel('Key or token, with or without Bearer').fill(aurora.anonKey)
    const verdict = page.getByRole('region', { name: 'Verdict' })
    await verdict.getByText('signature valid').waitFor()
    await verdict.getByText('valid', { exact: true }).waitFor()
  })

  it('mailbox shows a message as soon as it is sent', async () => {
    const page = await pageOf('mailbox')
    const sent = await at.call('POST', '/auth/v1/otp/send', {
      headers: { apikey: aurora.anonKey },
      body: { email: ANA, channel: 'email' },
    })
    expect(sent.status).toBe(200)
    await page.getByRole('row', { name: /ana@patients/ }).click()
    await page.getByRole('complementary', { name: 'Message' }).waitFor()
  })

  it('faults arms an error, which the next request gets', async () => {
    const page = await pageOf('faults')
    await page.getByRole('searchbox', { name: 'Search the catalogue' }).fill('rows.read')
    await page.getByRole('row').filter({ hasText: 'rows.read' }).click()
    const sheet = page.getByRole('complementary', { name: 'New fault' })
    await sheet.getByRole('combobox', { name: 'Code' }).click()
    await page.getByRole('combobox', { name: 'Search: Code' }).fill('57014')
    await page.getByRole('option', { name: '57014' }).first().click()
    await sheet.getByRole('button', { name: 'Arm fault' }).click()
    await page.getByText('A fault is armed').waitFor()
    expect((await aurora.get('/rooms', aurora.serviceRoleKey)).status).toBe(500)
    // By default the fault fires once.
    await page.getByText('A fault is armed').waitFor({ state: 'detached' })
    expect((await aurora.get('/rooms', aurora.serviceRoleKey)).status).toBe(200)
  })

  it('fixtures checks and applies a fixture', async () => {
    const page = await pageOf('fixtures')
    await page.getByRole('row').filter({ hasText: 'clinics' }).first().click()
    const sheet = page.getByRole('complementary', { name: 'Fixture' })
    await sheet.getByRole('button', { name: 'Check fixture' }).click()
    await sheet.getByText('No problems').waitFor()
    await sheet.getByRole('button', { name: 'Apply fixture' }).click()
    await sheet.getByText(/^Applied in/).waitFor()
  })

  it('snapshots saves a state and restores it', async () => {
    const page = await pageOf('snapshots')
    await page.getByRole('button', { name: 'Save snapshot' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Save snapshot' })
    await dialog.getByLabel('Name').fill('after-restart')
    await dialog.getByRole('button', { name: 'Save snapshot' }).click()
    await page.getByRole('complementary', { name: 'Snapshot' }).waitFor()
    await aurora.execute(`insert into rooms (name) values ('Attic')`)
    await page.getByRole('button', { name: 'Restore snapshot…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore snapshot' }).click()
    await page.getByText('Restored after-restart').waitFor()
    const attic = await aurora.get('/rooms?name=eq.Attic', aurora.serviceRoleKey)
    expect(attic.body).toEqual([])
  })

  it('clock advances by a day', async () => {
    const page = await pageOf('clock')
    await page.getByRole('button', { name: '+1 day' }).click()
    await page.getByText('1 d ahead of real time').waitFor()
    const clock = await at.call('GET', '/_emulator/v1/clock')
    expect(clock.body.offset_ms).toBe(86_400_000)
  })
  it('each screen says that the emulator was reset when it restarts with other data', async () => {
    const page = await pageOf('clock')
    const { port } = new URL(at.url)
    await at[Symbol.asyncDispose]()
    await lost(page).waitFor()
    at = await startTestEmulator({}, [], Number(port))
    await page.getByRole('status').filter({ hasText: 'The emulator was reset' }).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('The emulator was reset').waitFor({ state: 'detached' })
  })
})

/** The text that a page shows while it cannot reach the emulator. */
const lost = (page: Page) => page.getByText(/^reconnecting$/i).first()

async function joinChannel(page: Page): Promise<void> {
  const form = page.getByRole('form', { name: 'New test channel' })
  await form.getByLabel('Channel').fill('lobby')
  await form.getByRole('button', { name: 'Join' }).click()
  await page
    .getByRole('listitem', { name: 'lobby as' })
    .getByText('joined', { exact: true })
    .waitFor()
}

async function expectDisabledActions(page: Page): Promise<void> {
  await page.getByRole('alert').filter({ hasText: 'The emulator does not answer' }).waitFor()
  expect(await page.getByRole('button', { name: 'Provision tenant' }).isDisabled()).toBe(true)
}
