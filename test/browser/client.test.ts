// The built client library in a real page. The tests sign in by password, by code and by consent page, read the user's rows, and
// refresh once for two tabs.
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CHROMIUM, CHROMIUM_HINT, workerChromium } from '../support/chromium.ts'
import { type ClientWorld, startClientWorld } from '../support/client-world.ts'
import { type PageServer, startPageServer } from '../support/page-server.ts'

const REFRESH = '/auth/v1/token/refresh'

if (CHROMIUM === undefined)
  process.stderr.write(`The tests in a browser are left out${CHROMIUM_HINT}\n`)

describe.skipIf(CHROMIUM === undefined)(`the client library in a browser${CHROMIUM_HINT}`, () => {
  let world: ClientWorld
  let pages: PageServer
  let context: BrowserContext

  beforeAll(async () => {
    world = await startClientWorld()
    await world.execute(`
      create table notes (id serial primary key, owner uuid default auth.uid(), text text);
      alter table notes enable row level security;
      create policy own on notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
    `)
    pages = await startPageServer({
      url: world.at.url,
      key: world.tenant.anonKey,
      project: world.tenant.slug,
    })
  })
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await world?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    context = await (await workerChromium()).newContext()
    await context.clock.install()
  })
  afterEach(() => context.close())

  async function open({ url } = pages): Promise<Page> {
    const page = await context.newPage()
    await page.goto(url)
    await page.waitForSelector('body[data-ready]')
    return page
  }
  async function signUp(page: Page, email: string): Promise<void> {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill('correct horse')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByText(email).waitFor()
  }
  const eventsOf = (page: Page): Promise<string[]> =>
    page.getByLabel('Events').getByRole('listitem').allTextContents()

  it('signs up a second user, who sees no rows of the first user', async () => {
    const page = await open()
    await signUp(page, world.freshEmail())
    await page.getByLabel('Note').fill('mine')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.locator('#notes li', { hasText: 'mine' }).waitFor()
    await page.reload()
    await page.locator('#notes li', { hasText: 'mine' }).waitFor()
    expect(await eventsOf(page)).toEqual(['INITIAL_SESSION'])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Nobody is signed in.').waitFor()
    await page.locator('#notes li').waitFor({ state: 'detached' })
    await signUp(page, world.freshEmail())
    expect(await page.locator('#notes li').count()).toBe(0)
  })

  it('requests data from the host "api." after a sign-in at the host "auth."', async () => {
    const { tenant, at } = world
    await using byName = await startPageServer({
      url: at.url.replace('127.0.0.1', 'auth.localhost'),
      key: tenant.anonKey,
      project: tenant.schemaName,
    })
    const page = await open(byName)
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).hostname))
    await signUp(page, world.freshEmail())
    await page.getByLabel('Note').fill('by name')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.locator('#notes li', { hasText: 'by name' }).waitFor()
    expect([...hosts].sort()).toEqual(['api.localhost', 'auth.localhost'])
  })

  it('shows a refusal with its code', async () => {
    const page = await open()
    await page.getByLabel('E-mail').fill(world.freshEmail())
    await page.getByLabel('Password').fill('x')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'invalid_credentials' }).waitFor()
  })

  it('signs in with a code out of the mailbox', async () => {
    const page = await open()
    const email = world.freshEmail()
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('button', { name: 'Send me a code' }).click()
    const path = `/_emulator/v1/mailbox/next?to=${encodeURIComponent(email)}`
    const { code } = (await world.at.call('GET', path)).body
    await page.getByLabel('Code', { exact: true }).fill(code)
    await page.getByRole('button', { name: 'Sign in with the code' }).click()
    await page.getByText(email).waitFor()
    expect(await eventsOf(page)).toEqual(['INITIAL_SESSION', 'SIGNED_IN'])
  })

  describe('with a social provider', () => {
    async function toConsent(): Promise<Page> {
      const page = await open()
      await page.getByRole('button', { name: 'Continue with Google' }).click()
      await page.getByRole('heading', { name: 'Sign in with Google' }).waitFor()
      return page
    }

    it('signs in with an invented account, and returns to the application’s address without parameters', async () => {
      const page = await toConsent()
      const account = page.getByRole('listitem').getByRole('button').first()
      const text = await account.innerText()
      await account.click()
      await page.waitForSelector('body[data-ready]')
      const who = await page.locator('#who').innerText()
      expect(text).toContain(who)
      expect(page.url()).toBe(pages.url)
      expect(await eventsOf(page)).toContain('SIGNED_IN')
    })

    it('signs in as a new user', async () => {
      const page = await toConsent()
      const email = world.freshEmail()
      await page.getByLabel('Name', { exact: true }).fill('Zoë Ñandú')
      await page.getByLabel('E-mail').fill(email)
      await page.getByRole('button', { name: 'New account' }).click()
      await page.getByText(email).waitFor()
    })

    it.each([
      ['Deny', 'access_denied'],
      ['Provider error', 'server_error'],
    ])('shows the error in the application after the user clicks "%s"', async (button, code) => {
      const page = await toConsent()
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('alert').filter({ hasText: code }).waitFor()
      await page.getByText('Nobody is signed in.').waitFor()
      expect(page.url()).toBe(pages.url)
    })
  })

  it('keeps the session in two tabs while only the platform’s clock is advanced, frozen and set back', async () => {
    const first = await open()
    await signUp(first, world.freshEmail())
    const second = await open()
    const before = await world.asked(REFRESH)
    const addNote = async (page: Page, text: string): Promise<void> => {
      await page.getByLabel('Note').fill(text)
      await page.getByRole('button', { name: 'Add' }).click()
      await page.locator('#notes li', { hasText: text }).waitFor()
    }
    await world.advance(2 * 3_600)
    await addNote(first, 'after two hours')
    await addNote(second, 'in the second tab')
    expect((await world.asked(REFRESH)) - before).toBe(1)
    for (const page of [first, second])
      await page.getByLabel('Events').getByText('TOKEN_REFRESHED').waitFor()
    await world.clock({ freeze: true })
    await addNote(first, 'while frozen')
    await world.clock({ reset: true })
    await addNote(first, 'in the past')
    await addNote(second, 'in the past, too')
    expect((await world.asked(REFRESH)) - before).toBe(1)
    for (const page of [first, second]) expect(await page.getByRole('alert').innerText()).toBe('')
  })

  it.each(['Web Locks', 'a lease in the storage'])(
    'refreshes the session once while two tabs are open, with %s, and both tabs get the new session',
    async (kind) => {
      if (kind !== 'Web Locks')
        await context.addInitScript(() =>
          Object.defineProperty(Navigator.prototype, 'locks', { value: undefined }),
        )
      const first = await open()
      await signUp(first, world.freshEmail())
      const second = await open()
      const before = await world.asked(REFRESH)
      const bothAwake = Promise.withResolvers<void>()
      await context.route(`**${REFRESH}`, async (route) => {
        await bothAwake.promise
        await route.continue()
      })

      await world.advance(59 * 60 + 5)
      await context.clock.fastForward((59 * 60 + 5) * 1_000)
      bothAwake.resolve()

      for (const page of [first, second])
        await page.getByLabel('Events').getByText('TOKEN_REFRESHED').waitFor()
      await context.clock.runFor(5_000)
      expect((await world.asked(REFRESH)) - before).toBe(1)
      expect(await eventsOf(first)).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED'])
      expect(await eventsOf(second)).toEqual(['INITIAL_SESSION', 'TOKEN_REFRESHED'])
      await first.getByRole('button', { name: 'Sign out' }).click()
      await second.getByText('Nobody is signed in.').waitFor()
    },
  )
})
