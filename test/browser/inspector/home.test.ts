// Home in a browser: how everything is, the addresses and keys, the last errors, and a first line for a terminal that works.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, CHROMIUM_HINT } from '../../support/chromium.ts'
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

  it('copies a line that works in a terminal, and hides its keys', async () => {
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

  it('links an error to its request', async () => {
    await world.at.call('PUT', '/_emulator/v1/projects/aurora/switches', { body: { on: [] } })
    await using inspector = await world.open('/')
    const { page } = inspector
    await page.getByText('No internal errors.').waitFor()
    const [group] = (await world.at.call('GET', '/_emulator/v1/info')).body.groups
    const template = group.template_project_id
    await world.at.call('PUT', `/_emulator/v1/projects/${template}/switches`, {
      body: { on: ['provision_fails'] },
    })
    const failed = await world.at.call('POST', `/groups/v1/${group.id}/tenants`, {
      credential: group.group_api_key,
      body: { slug: 'never' },
    })
    await world.at.call('PUT', `/_emulator/v1/projects/${template}/switches`, { body: { on: [] } })
    expect(failed.status).toBe(500)
    await page.getByRole('list', { name: 'Last errors' }).getByRole('link').first().click()
    await page.waitForURL(/\/requests\/./)
    await page.getByRole('complementary', { name: 'Request' }).waitFor()
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
    await page.unroute('**/_emulator/v1/overview')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/Answered in/).waitFor()
  })
})
