// The context bar in a browser: every screen uses its tenant, identity and time.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInspector } from '../../support/describe-inspector.ts'
import { openScreen } from '../../support/inspector-page.ts'

const ANA = 'ana@patients.test'
/** A user that only the tenant aurora has. */
const DOCTOR = 'reception@aurora.test'

describeInspector('the context bar', (world) => {
  const actingAs = (page: Page) => page.getByRole('combobox', { name: 'Act as' })
  async function actAs(page: Page, who: string): Promise<void> {
    await actingAs(page).click()
    await page.getByRole('combobox', { name: 'Search: Act as' }).fill(who)
    await page.getByRole('option', { name: who }).first().click()
  }
  async function goTo(page: Page, screen: string): Promise<void> {
    await openScreen(page, screen)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  async function switchTo(page: Page, tenant: string): Promise<void> {
    await page.getByRole('combobox', { name: 'Tenant' }).click()
    await page.getByRole('option', { name: tenant }).click()
  }

  it('keeps the identity on every screen and in every address', async () => {
    const { page } = await world.open('/t/aurora/tables')
    await actAs(page, 'anon')
    for (const screen of ['Schema map', 'Storage', 'Requests', 'Home', 'SQL console']) {
      await goTo(page, screen)
      expect(new URL(page.url()).searchParams.get('as')).toBe('anon')
      expect(await actingAs(page).textContent()).toBe('anon')
    }
    await page.locator('.cm-content').click()
    await page.keyboard.insertText('select current_user')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('gridcell', { name: 'anon' }).waitFor()
  })

  it('frames the screen while you act as another identity than the owner', async () => {
    const { page } = await world.open('/t/aurora/tables')
    const frame = page.getByTestId('context-frame')
    expect(await frame.count()).toBe(0)
    await actAs(page, ANA)
    await frame.waitFor()
    await world.shoot('context-bar')
    await actAs(page, 'Owner')
    await frame.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.has('as')).toBe(false)
  })

  it('keeps acting as anon after a switch to another tenant', async () => {
    const { page } = await world.open('/t/aurora/tables?as=anon')
    await switchTo(page, 'boavista')
    await page.waitForURL(/\/t\/boavista\/tables\?as=anon$/)
    await actingAs(page).filter({ hasText: 'anon' }).waitFor()
  })

  it('keeps the open table and its view after a switch to a tenant that has the table', async () => {
    const { page } = await world.open('/t/aurora/policies/rooms?view=rows&as=anon')
    await switchTo(page, 'boavista')
    await page.waitForURL(/\/t\/boavista\/policies\/rooms\?view=rows&as=anon$/)
    await page.goto(`${world.url}/t/aurora/tables/rooms`)
    await switchTo(page, 'boavista')
    await page.waitForURL(/\/t\/boavista\/tables\/rooms$/)
  })

  it('reopens the last table when the user returns to Tables', async () => {
    const { page } = await world.open('/t/aurora/tables/rooms')
    await page.getByRole('grid', { name: 'Rows of rooms' }).waitFor()
    await goTo(page, 'Users')
    await goTo(page, 'Tables')
    await page.waitForURL(/\/t\/aurora\/tables\/rooms$/)
  })

  it('acts as the owner after a switch to a tenant without the user, and says so', async () => {
    const { page } = await world.open(`/t/aurora/tables?as=user:${DOCTOR}`)
    await switchTo(page, 'boavista')
    await page.getByText(`boavista does not know ${DOCTOR}.`).waitFor()
    await actingAs(page).filter({ hasText: 'Owner' }).waitFor()
  })

  it('acts as a user from the palette', async () => {
    const { page } = await world.open('/t/aurora/tables')
    await page.keyboard.press('Control+k')
    await page.keyboard.insertText('act as ana')
    await page.getByRole('option', { name: ANA }).click()
    await actingAs(page).filter({ hasText: ANA }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.insertText('act as owner')
    await page.getByRole('option', { name: 'Act as the owner' }).click()
    await actingAs(page).filter({ hasText: 'Owner' }).waitFor()
  })

  it('acts with a chosen role and custom claims', async () => {
    const { page } = await world.open('/t/aurora/tables')
    await actingAs(page).click()
    await page.getByRole('button', { name: 'Custom claims…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Custom claims' })
    await dialog.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'service_role' }).click()
    await dialog.getByRole('button', { name: 'Use claims' }).click()
    await actingAs(page).filter({ hasText: 'service_role' }).waitFor()
  })
})
