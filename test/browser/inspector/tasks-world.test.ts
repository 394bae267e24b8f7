// Tasks of a developer that change the whole emulator, with the number of clicks that each may take.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { Clicks } from '../../support/clicks.ts'
import { type DemoTenant, demoTenant } from '../../support/demo-tenant.ts'
import { describeOwnInspector } from '../../support/describe-inspector.ts'

describeOwnInspector('a developer of a whole platform', (world) => {
  let aurora: DemoTenant

  beforeAll(async () => {
    aurora = await demoTenant(world.at, 'aurora')
  })

  const start = async (): Promise<{ readonly page: Page; readonly clicks: Clicks }> => {
    const { page } = await world.open('/', { isFresh: true })
    return { page, clicks: new Clicks(page) }
  }

  it('arms a fault for three requests in 3 clicks, and sees the affected requests in 5', async () => {
    const { page, clicks } = await start()
    await clicks.screen('Faults')
    await clicks.on(page.getByRole('button', { name: 'Arm fault' }).first())
    const form = page.getByRole('form', { name: 'New fault' })
    await form.getByRole('combobox', { name: 'Operation' }).press('Enter')
    await page.keyboard.type('rows.read')
    await page.getByRole('option', { name: 'rows.read' }).waitFor()
    await page.keyboard.press('Enter')
    await form.getByRole('textbox', { name: 'Times' }).fill('3')
    await clicks.on(form.getByRole('button', { name: 'Arm fault' }))
    await page.getByText('A fault is armed').waitFor()
    expect(clicks.count).toBe(3)
    const statuses: number[] = []
    for (let time = 0; time < 4; time += 1)
      statuses.push((await aurora.get('/rooms', aurora.serviceRoleKey)).status)
    expect(statuses.map((status) => status < 400)).toEqual([false, false, false, true])
    await page.getByText('A fault is armed').waitFor({ state: 'detached' })
    await clicks.on(page.getByRole('tab', { name: 'History' }))
    const fired = page.getByRole('grid', { name: 'Fired faults' })
    await clicks.on(fired.getByRole('row').nth(1))
    const sheet = page.getByRole('complementary', { name: 'Fault', exact: true })
    await sheet.getByText('3 of 3').waitFor()
    expect(clicks.count).toBeLessThanOrEqual(6)
    await world.shoot('task-fault')
  })

  it('saves a snapshot, sees later changes, and restores the snapshot in 5 clicks', async () => {
    const { page, clicks } = await start()
    await clicks.screen('Snapshots')
    await clicks.on(page.getByRole('button', { name: 'Save snapshot' }).first())
    const dialog = page.getByRole('dialog')
    await clicks.on(dialog.getByRole('button', { name: 'Save snapshot' }))
    await page.getByText('No differences').waitFor()
    await aurora.execute("insert into rooms (name) values ('Attic')")
    await page.getByRole('list', { name: 'Rows of rooms' }).getByText('Attic').waitFor()
    await clicks.on(page.getByRole('button', { name: 'Restore snapshot…' }))
    await clicks.on(dialog.getByRole('button', { name: 'Restore snapshot' }))
    await page.getByText('No differences').waitFor()
    expect(clicks.count).toBeLessThanOrEqual(6)
    const rooms = await aurora.get('/rooms?name=eq.Attic', aurora.serviceRoleKey)
    expect(rooms.body).toEqual([])
  })
})
