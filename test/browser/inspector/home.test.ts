// Home in a browser: problems grouped by cause, service health, addresses and keys, and a terminal command that works as copied.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { accessibilityFindings } from '../../support/axe.ts'
import { demoTenant } from '../../support/demo-tenant.ts'
import { describeInspector } from '../../support/describe-inspector.ts'
import { ask } from '../../support/fixture-folder.ts'

const run = promisify(execFile)

describeInspector('the home screen', (world) => {
  it('shows the health of every service', async () => {
    const { page } = await world.open('/')
    const services = page.getByRole('list', { name: 'Services' })
    await services.getByText(/Answered in \d+ ms/).waitFor()
    expect(await services.getByRole('listitem').count()).toBe(6)
    await page.getByText('All services healthy').waitFor()
    await page.getByText(/in memory/).waitFor()
    await page.getByRole('group', { name: 'Command' }).waitFor()
    await world.shoot('home')
  })

  it('copies a command that works in a terminal, and masks the command’s keys on the screen', async () => {
    const { page } = await world.open('/')
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
      const { page } = await world.open('/')
      await page.getByRole('tab', { name: step }).click()
      const first = page.getByRole('region', { name: 'First steps' })
      await first.getByRole('button', { name: 'Copy' }).click()
      const command = await page.evaluate(() => navigator.clipboard.readText())
      await run('sh', ['-c', `${command} --silent --show-error --fail-with-body`])
    },
  )

  it('reveals and copies a key of the tenant', async () => {
    const { page } = await world.open('/')
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

  it('groups problems by cause, marks injected faults, and opens the request in one click', async () => {
    const { page } = await world.open('/')
    const problems = page.getByRole('region', { name: 'Problems' })
    // Changes the schema to end an audit that a page of another test file may still run.
    await ask(world.at, 'aurora', "comment on table rooms is 'Rooms of the clinic'")
    await problems.getByText(/Access: [01] of \d+ tenants audited\./).waitFor()
    const aurora = await demoTenant(world.at, 'aurora')
    const claims = { sub: 'user-7', project_schema: 'proj_aurora' }
    const forged = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AAAA`
    await aurora.get('/rooms', forged)
    const insert = () =>
      world.at.call('POST', '/rooms', {
        credential: aurora.anonKey,
        headers: { apikey: aurora.anonKey, 'accept-profile': 'proj_aurora' },
        body: { name: 'not allowed' },
      })
    for (let turn = 0; turn < 3; turn += 1) await insert()
    await world.at.call('POST', '/_emulator/v1/faults', {
      body: { effect: { kind: 'error', code: '57P03' }, scope: { service: 'data' }, count: 2 },
    })
    for (let turn = 0; turn < 2; turn += 1) await insert()

    const list = problems.getByRole('list', { name: 'refused' })
    const refused = list.getByRole('link', { name: /POST \/rooms.*3 times/ })
    await refused.getByText('Seen in the last 5 minutes').waitFor()
    await list.getByText('aurora (claimed)').waitFor()
    const injected = problems.getByRole('list', { name: 'injected' }).getByRole('link')
    await injected.getByText('The fault is not armed').waitFor()
    await injected.getByText('2 times').waitFor()
    await page.getByText('All services healthy').waitFor()
    // A single response has all numbers of the page, so they are consistent.
    const text = await page
      .getByText(/^\d+ of \d+ requests refused, 2 of them by injected faults$/)
      .innerText()
    const [, shown = '', total = ''] = /^(\d+) of (\d+)/.exec(text) ?? []
    await page
      .getByText(`${total} requests, ${shown} refused, 2 of them by injected faults`)
      .waitFor()
    await world.shoot('home-problems')
    expect(await accessibilityFindings(page)).toEqual([])

    await refused.click()
    const sheet = page.getByRole('complementary', { name: 'Request' })
    await sheet.locator('[data-state="broken"]').waitFor()
    await sheet.getByRole('tab', { name: 'Bodies' }).click()
    await sheet.getByText('"not allowed"').waitFor()
    // The link opens the list with the filter "Refused".
    expect(
      await page.getByRole('button', { name: /^Refused \d/ }).getAttribute('aria-pressed'),
    ).toBe('true')
  })

  it('shows a failed load and tries again', async () => {
    const error = { code: 'internal', message: 'Not today.' }
    const { page } = await world.open('/', {
      isFresh: true,
      before: (shown) =>
        shown.route('**/_emulator/v1/home', (route) =>
          route.fulfill({ status: 500, json: { error } }),
        ),
    })
    world.allow(/500/)
    const alert = page.getByRole('alert').filter({ hasText: 'Could not load service health' })
    await alert.getByText('Not today.').waitFor()
    await world.shoot('home-failed')
    const again = page.waitForRequest('**/_emulator/v1/home')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await again
    // The card also retries without a click, so the button may disappear from here on.
    await page.unroute('**/_emulator/v1/home')
    await page.getByText(/Answered in/).waitFor()
  })
})
