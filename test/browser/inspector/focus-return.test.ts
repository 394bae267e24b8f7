// Where the focus is after a sheet, an editor or a dialog closes: on the element that opened it, or on the list.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeOwnInspector } from '../../support/describe-inspector.ts'
import { ask } from '../../support/fixture-folder.ts'

describeOwnInspector('the focus', (world) => {
  const focused = (page: Page): Promise<string | null> =>
    page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('aria-label') ?? element?.textContent ?? null
    })
  const expectFocus = (page: Page, name: string) =>
    expect.poll(() => focused(page), { timeout: 5_000 }).toBe(name)

  it.each([
    ['/t/aurora/tables/rooms', 'Insert row', 'New row of rooms'],
    ['/tenants', 'Provision tenant', 'New tenant'],
    ['/faults', 'Arm fault', 'New fault'],
    ['/t/aurora/users', 'Create user', 'New user'],
  ])('returns on %s to "%s" after Esc and Close', async (path, button, label) => {
    const { page } = await world.open(path)
    const sheet = page.getByRole('complementary', { name: label })
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => sheet.getByRole('button', { name: 'Close' }).click(),
    ]) {
      await page.getByRole('button', { name: button }).first().click()
      await sheet.waitFor()
      await close()
      await sheet.waitFor({ state: 'detached' })
      await expectFocus(page, button)
    }
  })

  it('returns to "Create policy" after Cancel in the policy editor', async () => {
    const { page } = await world.open('/t/aurora/policies/rooms')
    await page.getByRole('button', { name: 'Create policy' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expectFocus(page, 'Create policy')
  })

  it('goes to the grid after rows were deleted', async () => {
    await ask(world.at, 'aurora', "insert into rooms (name, floor) values ('Attic', 9)")
    const { page } = await world.open('/t/aurora/tables/rooms', { isFresh: true })
    const row = page.getByRole('row').filter({ hasText: 'Attic' })
    await row.getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Delete 1 row' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 row' }).click()
    await row.waitFor({ state: 'detached' })
    await expectFocus(page, 'Rows of rooms')
  })
})
