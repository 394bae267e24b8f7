// Home in a browser: how everything is, the addresses and keys, the last refusals, and a first line for a terminal that works.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFindings } from '../../support/axe.ts'
import { CHROMIUM, CHROMIUM_HINT } from '../../support/chromium.ts'
import { demoTenant } from '../../support/demo-tenant.ts'
import { type InspectorWorld, startInspector } from '../../support/inspector-page.ts'

const run = promisify(execFile)

describe.skipIf(CHROMIUM === undefined)(`the home screen${CHROMIUM_HINT}`, () => {
  let world: InspectorWorld
  beforeAll(async () => {
    world = await startInspector()
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  it.each(['dark', 'light'] as const)(
    'shows the health of every service in the %s theme',
    async (theme) => {
      await using inspector = await world.open('/', { theme })
      const services = inspector.page.getByRole('list', { name: 'Services' })
      await services.getByText(/Answered in \d+ ms/).waitFor()
      expect(await services.getByRole('listitem').count()).toBe(6)
      await inspector.page.getByText('All services healthy').waitFor()
      await inspector.page.getByText(/in memory/).waitFor()
      await inspector.page.getByRole('group', { name: 'Command' }).waitFor()
      await inspector.shoot('home')
      inspector.expectSilence()
    },
  )

  it('copies a command that works in a terminal, and hides its keys', async () => {
    await using inspector = await world.open('/')
    const { page } = inspector
    const line = page.getByRole('group', { name: 'Command' })
    await line.getByText('?limit=5').waitFor()
    await page
      .getByRole('region', { name: 'First steps' })
      .getByRole('button', { name: 'Copy' })
      .click()
    const command = await page.evaluate(() => navigator.clipboard.readText())
    expect((await line.innerText()).length).toBeLessThan(command.length)
    const { stdout } = await run('sh', ['-c', `${command} --silent --show-error --fail-with-body`])
    expect(JSON.parse(stdout).length).toBeGreaterThan(0)
  })

  it.each(['Sign in as a user', 'Provision tenant', 'Send code'])(
    'gives a command for “%s” that works',
    async (step) => {
      await using inspector = await world.open('/')
      const { page } = inspector
      await page.getByRole('tab', { name: step }).click()
      const first = page.getByRole('region', { name: 'First steps' })
      await first.getByRole('button', { name: 'Copy' }).click()
      const command = await page.evaluate(() => navigator.clipboard.readText())
      await run('sh', ['-c', `${command} --silent --show-error --fail-with-body`])
    },
  )

  it('reveals and copies a key of the tenant', async () => {
    await using inspector = await world.open('/')
    const { page } = inspector
    const keys = page.getByRole('region', { name: /^Keys of / })
    const masked = keys.getByText(/^eyJ[^.]{0,8}•+$/).first()
    await masked.waitFor()
    await keys.getByRole('button', { name: 'Reveal anon key' }).click()
    const key = await keys.getByText(/^eyJ[\w.-]{100,}$/).innerText()
    await keys.getByRole('button', { name: 'Copy anon key' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    const asked = await world.at.call('GET', '/treatments?select=name', {
      credential: key,
      headers: { apikey: key, 'accept-profile': 'proj_aurora' },
    })
    expect(asked.status).toBe(200)
  })

  it('shows the last refusals with tenant, identity and reason, and leads to the request', async () => {
    await using inspector = await world.open('/')
    const { page } = inspector
    await page.getByText('No refused requests.').waitFor()
    const aurora = await demoTenant(world.at, 'aurora')
    const claims = { sub: 'user-7', project_schema: 'proj_aurora' }
    const forged = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AAAA`
    await aurora.get('/rooms', forged)
    await world.at.call('POST', '/rooms', {
      credential: aurora.anonKey,
      headers: { apikey: aurora.anonKey, 'accept-profile': 'proj_aurora' },
      body: { name: 'not allowed' },
    })
    const list = page.getByRole('list', { name: 'Last refusals' })
    await list.getByText('tenant aurora (claimed)').waitFor()
    await list.getByText('as user-7 (claimed)').waitFor()
    await list.getByText('tenant aurora', { exact: true }).waitFor()
    await page.getByText(/2 of \d+ requests refused/).waitFor()
    await inspector.shoot('home-refusals')
    expect(await seriousFindings(page)).toEqual([])

    await list.getByRole('link', { name: /POST \/rooms/ }).click()
    const sheet = page.getByRole('complementary', { name: 'Request' })
    await sheet.locator('[data-state="broken"]').waitFor()
    await sheet.getByRole('tab', { name: 'Bodies' }).click()
    await sheet.getByText('"not allowed"').waitFor()
    // The link opens the list with the filter "Refused".
    expect(
      await page.getByRole('button', { name: /^Refused \d/ }).getAttribute('aria-pressed'),
    ).toBe('true')
    inspector.expectSilence()
  })

  it('shows a failed load and tries again', async () => {
    await using inspector = await world.open('/clock')
    const { page } = inspector
    await page.route('**/_emulator/v1/overview', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'Not today.' } } }),
    )
    await page.goto(`${world.url}/`)
    const alert = page.getByRole('alert').filter({ hasText: 'Could not load service health' })
    await alert.getByText('Not today.').waitFor()
    await inspector.shoot('home-failed')
    const again = page.waitForRequest('**/_emulator/v1/overview')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await again
    // The card also renews itself, so the button may be gone from here on.
    await page.unroute('**/_emulator/v1/overview')
    await page.getByText(/Answered in/).waitFor()
  })
})
