// Every screen of the inspector opens from the address bar, in both themes and in wide and narrow windows. No screen causes an
// error message of the browser or a finding of the accessibility checker.
import { expect, it } from 'vitest'
import { SCREENS } from '../../../emulator/contract/screens.ts'
import { accessibilityFindings, CONTRAST } from '../../support/axe.ts'
import { describeOwnInspector } from '../../support/describe-inspector.ts'
import { loaded, openScreen } from '../../support/inspector-page.ts'
import { patiently } from '../../support/patience.ts'
import { startTestEmulator } from '../../support/test-emulator.ts'

const TENANT = '/t/aurora'
const OPENED = SCREENS.map(
  ({ path, label }) => [path.replace('/t/$tenant', TENANT), label] as const,
)
/** Addresses of parts of screens, with their headings. */
const VIEWS = [
  [`${TENANT}/tables/patients?row=id%3A1`, 'patients'],
  [`${TENANT}/tables/patients?as=user%3Aana%40patients.test&row=id%3A2&show=why`, 'patients'],
  [`${TENANT}/policies/appointments`, 'appointments'],
  [`${TENANT}/policies/appointments?view=rows&as=anon&row=id%3A1`, 'appointments'],
  [`${TENANT}/policies/patients?view=matrix`, 'patients'],
  [`${TENANT}/storage/documents`, 'Storage'],
  [`${TENANT}/realtime?view=try`, 'Realtime'],
  ['/tenants?project=aurora', 'Groups and tenants'],
  ['/tenants?sheet=provision', 'Groups and tenants'],
  ['/faults?view=catalogue', 'Faults'],
] as const

const ADDRESSES = [...OPENED, ...VIEWS]

describeOwnInspector('the inspector’s shell', (world) => {
  // Uses one page for all addresses, because a new browser context for each address takes longer than the checks.
  it(
    'opens every screen from the address bar, with nothing outside the window',
    async () => {
      const { page } = await world.open('/clock', { width: 1_100, height: 800 })
      const findings: string[] = []
      for (const [path, title] of ADDRESSES) {
        await page.goto(world.url + path)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await loaded(page)
        findings.push(...(await page.evaluate(offScreen)).map((finding) => `${path}: ${finding}`))
      }
      expect(findings).toEqual([])
    },
    patiently(240_000),
  )

  // Uses one loaded page, because the accessibility checker takes twice as long in a new page.
  it(
    'is accessible on every screen, in both themes and at every width, with nothing outside the window',
    async () => {
      const findings: string[] = []
      for (const [path, title] of ADDRESSES) {
        const opened = await world.open(path, { width: 800, height: 700 })
        const { page } = opened
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await loaded(page)
        const note = (found: readonly string[], where: string) =>
          findings.push(...found.map((finding) => `${path}, ${where}: ${finding}`))
        note(await page.evaluate(offScreen), '800 px')
        note(await accessibilityFindings(page), '800 px, dark')
        await world.shoot(`800${path.replaceAll(/\W+/g, '-')}`)
        await world.look({ theme: 'light' })
        note(await page.evaluate(offScreen), '1440 px')
        // Checks only the contrast, because other findings do not depend on the theme.
        note(await accessibilityFindings(page, CONTRAST), '1440 px, light')
        await world.shoot(`1440${path.replaceAll(/\W+/g, '-')}`)
        opened.expectSilence()
      }
      expect(findings).toEqual([])
    },
    patiently(240_000),
  )

  it('shows the tenant of the address in the switcher', async () => {
    const { page } = await world.open(`${TENANT}/tables`, { isFresh: true })
    await page.getByLabel('Tenant', { exact: true }).filter({ hasText: 'aurora' }).waitFor()
  })

  it('reports an unknown tenant in the address on each tenant screen', async () => {
    for (const screen of ['tables', 'sql', 'realtime?view=try']) {
      const { page } = await world.open(`/t/nobody/${screen}`, { isFresh: true })
      await page.getByText('Tenant “nobody” not found').waitFor()
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0)
    }
    world.allow(/404/)
  })

  it('removes unknown parameters of a screen from the address', async () => {
    const { page } = await world.open(`${TENANT}/realtime?view=nonsense&table=rooms&foo=1`, {
      isFresh: true,
    })
    await page.waitForURL(`${world.url}${TENANT}/realtime?table=rooms`)
    await page.getByText('No changes yet').waitFor()
  })

  it('shows at most six groups of screens, and opens each screen with one click after pointing at its group', async () => {
    const { page } = await world.open('/', { width: 1_100 })
    const rail = page.getByRole('navigation', { name: 'Screens' })
    const jobs = [...new Set(SCREENS.map(({ group }) => group))]
    expect(await rail.getByRole('link').allInnerTexts()).toEqual(jobs)
    expect(jobs.length).toBeLessThanOrEqual(6)
    await rail.getByRole('link', { name: 'World' }).hover()
    await rail.getByRole('link', { name: 'Faults' }).waitFor()
    await world.shoot('rail-world')
    for (const { label, path } of SCREENS) {
      await openScreen(page, label)
      await page.waitForURL(world.url + path.replace('/t/$tenant', TENANT))
      await page.mouse.move(600, 5)
      // The address changes before the rail shows the screens of the job.
      await expect.poll(() => rail.getByRole('link').count()).toBeLessThanOrEqual(6 + 5)
    }
  })

  it('opens a screen with the key g and the screen’s letter', async () => {
    const { page } = await world.open('/')
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await page.waitForURL(/\/_emulator\/mailbox/)
  })

  it('finds users, requests and rows from the palette, and runs actions', async () => {
    const { page } = await world.open('/t/aurora/sql')
    const find = async (text: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to' }).fill(text)
    }
    const choose = (name: string | RegExp) => page.getByRole('option', { name }).first().click()
    await page.locator('.cm-content').waitFor()
    await find('ana@')
    await page.getByRole('option', { name: 'ana@patients.test' }).first().waitFor()
    await world.shoot('palette-found')
    await choose('ana@patients.test')
    await page.waitForURL(/users\?user=/)
    await find('patients 2')
    await choose('patients 2')
    await page.waitForURL(/tables\/patients\?row=/)
    const answer = await fetch(`${world.at.url}/auth/v1/nothing`)
    await find(answer.headers.get('x-request-id') ?? '')
    await choose(/auth\/v1\/nothing/)
    await page.waitForURL(/requests\/[^/]+$/)
    await find('provision')
    await choose('Provision tenant')
    await page.waitForURL(/tenants\?.*sheet=provision/)
    await find('advance')
    await choose('Advance clock by 1 hour')
    await page.getByText('Platform time is').waitFor()
    await find('export rooms')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      choose('Export rooms as CSV'),
    ])
    expect(download.suggestedFilename()).toBe('rooms.csv')
    await world.at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
  })

  it('opens a screen from the palette', async () => {
    const { page } = await world.open('/clock')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill('SQL')
    await world.shoot('palette')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/sql/)
  })

  it('finds a misspelled screen in the palette, and lists the screen first the next time', async () => {
    const { page } = await world.open('/clock')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill('polices')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/policies/)
    await page.keyboard.press('Control+k')
    await page.getByText('Recent', { exact: true }).waitFor()
    expect(await page.getByRole('option').first().innerText()).toContain('Policies')
    await page.keyboard.press('Escape')
  })

  it('explains a credential that was pasted into the palette, and keeps the credential out of the address', async () => {
    const { page } = await world.open('/clock')
    const { body: info } = await world.at.call('GET', '/_emulator/v1/info')
    const key: string = info.groups[0].tenants[0].anon_key
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill(`Authorization: Bearer ${key}`)
    await page.getByRole('option', { name: 'Explain this credential' }).click()
    await page.waitForURL(/\/tokens$/)
    await page.getByRole('heading', { name: 'anon key' }).waitFor()
  })

  it.each([
    ['/tenants', 'Provision tenant', 'Slug'],
    [`${TENANT}/users`, 'Create user', 'E-mail'],
    ['/snapshots', 'Save snapshot', 'Name'],
  ])('on %s focuses the first field after %s', async (path, action, field) => {
    const { page } = await world.open(path)
    await page.getByRole('button', { name: action }).first().click()
    const first = page.getByRole('textbox', { name: field })
    await first.waitFor()
    await page.waitForFunction(
      (element) => document.activeElement === element,
      await first.elementHandle(),
    )
    await page.keyboard.press('Escape')
  })

  it('remembers the theme that was chosen', async () => {
    const { page } = await world.open('/', { theme: 'dark' })
    await page.getByRole('button', { name: 'Use the light theme' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Use the dark theme' }).waitFor()
  })

  it('shows the .env block for an application, and masks the service role key until it is revealed', async () => {
    const { page } = await world.open(`${TENANT}/tables`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const block = page.getByRole('group', { name: '.env block' })
    await block.waitFor()
    await world.shoot('connect')
    const text = await block.innerText()
    expect(text).toContain('TENANTRY_PROJECT=aurora')
    expect(text).toMatch(/^TENANTRY_SERVICE_ROLE_KEY=•+$/m)
    await page.getByRole('button', { name: 'Reveal keys' }).click()
    expect(await block.innerText()).toMatch(/^TENANTRY_SERVICE_ROLE_KEY=eyJ/m)
    await page.keyboard.press('Escape')
    await block.waitFor({ state: 'detached' })
  })

  it('shows the clock’s offset when platform time was moved', async () => {
    const { page } = await world.open('/')
    await world.at.call('POST', '/_emulator/v1/clock', { body: { advance_ms: 3_600_000 } })
    await page.getByRole('link', { name: /^Platform clock .*\+1 h/ }).waitFor()
    await world.at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
  })

  it('shows a button’s tooltip on hover and on focus, and hides the tooltip on Escape', async () => {
    const { page } = await world.open('/clock')
    const tip = page.locator('[data-base-ui-portal]').getByText('Keyboard shortcuts')
    const button = page.getByRole('button', { name: 'Keyboard shortcuts' })
    await button.hover()
    await tip.waitFor()
    await page.mouse.move(400, 400)
    await tip.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Connect' }).focus()
    await page.keyboard.press('Tab')
    await tip.waitFor()
    await page.keyboard.press('Escape')
    await tip.waitFor({ state: 'detached' })
  })

  it('stays live when one browser has more tabs open than connections to a host', async () => {
    const { page } = await world.open('/clock')
    const tabs = [page]
    for (let count = 1; count <= 6; count += 1) {
      const tab = await page.context().newPage()
      await tab.goto(`${world.url}/clock`)
      tabs.push(tab)
    }
    await world.at.call('POST', '/_emulator/v1/clock', { body: { advance_ms: 3_600_000 } })
    for (const tab of tabs)
      await tab.getByRole('link', { name: /^Platform clock .*\+1 h/ }).waitFor()
    for (const tab of tabs.slice(1)) await tab.close()
    await world.at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
  })

  it('requests the admin token when one is set, and shows live data after it is entered', async () => {
    const adminToken = 'a-token-of-sixteen-or-more'
    await using guarded = await startTestEmulator({ adminToken })
    const { page } = await world.open('/')
    await page.goto(`${guarded.url}/_emulator/clock`)
    const dialog = page.getByRole('dialog', { name: 'Admin token' })
    await dialog.getByLabel('Admin token').fill(adminToken)
    for (const look of [{ theme: 'light', width: 800 }, {}] as const) {
      await world.look(look)
      expect(await accessibilityFindings(page)).toEqual([])
    }
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByTestId('clock-face').waitFor()
    world.allow(/401/)
    // Closes the page, which would otherwise try to reconnect after the emulator has ended.
    await page.goto('about:blank')
  })
})

/**
 * Runs in the page. Returns the elements beyond the window's edges, and the parts of a screen that scroll sideways. Grids, tables
 * and drawings may scroll, because they have widths of their own. Waits for two frames, because the page adapts to a new window
 * width only in the next frame.
 */
async function offScreen(): Promise<readonly string[]> {
  for (let frame = 0; frame < 2; frame += 1)
    await new Promise((drawn) => requestAnimationFrame(drawn))
  const name = (element: Element) =>
    `${element.tagName} “${element.textContent?.slice(0, 40)}” ${element.className}`
  const scrolls = (element: Element) =>
    /auto|scroll/.test(getComputedStyle(element).overflowX) &&
    element.scrollWidth > element.clientWidth + 1
  const mayScroll = (element: Element) => element.matches('[role=grid], :has(> table), :has(> svg)')
  return [...document.querySelectorAll('body *')].flatMap((element) => {
    if (scrolls(element) && !mayScroll(element)) return `scrolls sideways: ${name(element)}`
    const { left, right, width, height } = element.getBoundingClientRect()
    const isBeyond = width > 0 && height > 0 && (right > innerWidth + 1 || left < -1)
    if (!isBeyond || element.closest('svg svg, svg > *') !== null) return []
    for (let around = element.parentElement; around !== null; around = around.parentElement)
      if (scrolls(around)) return []
    return `off screen: ${name(element)}`
  })
}
