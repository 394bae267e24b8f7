// Every screen of the inspector opens from the address bar, in both themes, without a complaint of the browser or of the
// accessibility checker.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCREENS } from '../../../emulator/contract/screens.ts'
import { seriousFindings } from '../../support/axe.ts'
import { CHROMIUM, CHROMIUM_HINT } from '../../support/chromium.ts'
import { type InspectorWorld, loaded, startInspector } from '../../support/inspector-page.ts'
import { startTestEmulator } from '../../support/test-emulator.ts'

const TENANT = '/t/aurora'
const OPENED = SCREENS.map(
  ({ path, label }) =>
    [path.split('/').at(-1) || 'home', path.replace('/t/$tenant', TENANT), label] as const,
)

describe.skipIf(CHROMIUM === undefined)(`the inspector’s shell${CHROMIUM_HINT}`, () => {
  let world: InspectorWorld
  beforeAll(async () => {
    world = await startInspector()
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  describe.each(['dark', 'light'] as const)('in the %s theme', (theme) => {
    it.each(OPENED)('opens %s from the address bar', async (name, path, title) => {
      await using opened = await world.open(path, { theme })
      await opened.page.getByRole('heading', { level: 1, name: title }).waitFor()
      await loaded(opened.page)
      await opened.shoot(name)
      expect(await seriousFindings(opened.page)).toEqual([])
      opened.expectSilence()
    })
  })

  it('shows the tenant of the address in the switcher', async () => {
    await using opened = await world.open(`${TENANT}/tables`)
    await opened.page.getByLabel('Tenant', { exact: true }).filter({ hasText: 'aurora' }).waitFor()
  })

  it('reports an unknown tenant in the address on each tenant screen', async () => {
    for (const screen of ['tables', 'sql', 'realtime?view=try']) {
      await using opened = await world.open(`/t/nobody/${screen}`)
      await opened.page.getByText('Tenant “nobody” not found').waitFor()
      expect(await opened.page.getByRole('heading', { level: 1 }).count()).toBe(0)
    }
  })

  it('removes unknown parameters of a screen from the address', async () => {
    await using opened = await world.open(`${TENANT}/realtime?view=nonsense&table=rooms&foo=1`)
    await opened.page.waitForURL(`${world.url}${TENANT}/realtime?table=rooms`)
    await opened.page.getByText('No changes yet').waitFor()
    opened.expectSilence()
  })

  it('goes to a screen with g and its letter', async () => {
    await using opened = await world.open('/')
    await opened.page.keyboard.press('g')
    await opened.page.keyboard.press('m')
    await opened.page.waitForURL(/\/_emulator\/mailbox/)
    opened.expectSilence()
  })

  it('goes to a screen out of the palette', async () => {
    await using opened = await world.open('/clock')
    await opened.page.keyboard.press('Control+k')
    await opened.page.getByRole('combobox', { name: 'Go to' }).fill('SQL')
    await opened.shoot('palette')
    await opened.page.keyboard.press('Enter')
    await opened.page.waitForURL(/\/sql/)
  })

  it('remembers the theme that was chosen', async () => {
    await using opened = await world.open('/', { theme: 'dark' })
    await opened.page.getByRole('button', { name: 'Use the light theme' }).click()
    await opened.page.reload()
    await opened.page.getByRole('button', { name: 'Use the dark theme' }).waitFor()
  })

  it('gives an application its .env', async () => {
    await using opened = await world.open(`${TENANT}/tables`)
    await opened.page.getByRole('button', { name: 'Connect', exact: true }).click()
    const block = opened.page.getByRole('group', { name: '.env block' })
    await block.waitFor()
    await opened.shoot('connect')
    expect(await block.innerText()).toContain('TENANTRY_PROJECT=aurora')
  })

  it('shows the clock’s offset when platform time was moved', async () => {
    await using opened = await world.open('/')
    await world.at.call('POST', '/_emulator/v1/clock', { body: { advance_ms: 3_600_000 } })
    await opened.page.getByRole('link', { name: /^Platform clock .*\+1 h/ }).waitFor()
    await world.at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
  })

  it('is live in more tabs of one browser than it has connections to a host', async () => {
    await using opened = await world.open('/clock')
    const tabs = [opened.page]
    for (let count = 1; count <= 6; count += 1) {
      const tab = await opened.context.newPage()
      await tab.goto(`${world.url}/clock`)
      tabs.push(tab)
    }
    await world.at.call('POST', '/_emulator/v1/clock', { body: { advance_ms: 3_600_000 } })
    for (const tab of tabs)
      await tab.getByRole('link', { name: /^Platform clock .*\+1 h/ }).waitFor()
    await world.at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
    opened.expectSilence()
  })

  it('requests the admin token when one is set, and shows live data after it is entered', async () => {
    const adminToken = 'a-token-of-sixteen-or-more'
    await using guarded = await startTestEmulator({ adminToken })
    await using opened = await world.open('/')
    const { page } = opened
    await page.goto(`${guarded.url}/_emulator/clock`)
    const dialog = page.getByRole('dialog', { name: 'Admin token' })
    await dialog.getByLabel('Admin token').fill(adminToken)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByTestId('clock-face').waitFor()
    opened.expectSilence([/401/])
  })
})
