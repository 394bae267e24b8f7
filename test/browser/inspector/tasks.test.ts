// Tasks of a developer, from Home to the answer, with the number of clicks that each may take.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { Clicks } from '../../support/clicks.ts'
import { demoTenant } from '../../support/demo-tenant.ts'
import { describeInspector } from '../../support/describe-inspector.ts'

const ANA = 'ana@patients.test'

describeInspector('a developer', (world) => {
  it('finds out in 6 clicks why ana does not see an appointment', async () => {
    const { page, clicks } = await start()
    await clicks.screen('Tables')
    await clicks.on(page.getByRole('link', { name: /^appointments/ }))
    await actAsAna(page, clicks)
    await page.getByText('2 of 5 rows visible').waitFor()
    await clicks.on(page.getByRole('button', { name: /^Why is this row hidden/ }).first())
    await page.getByTestId('deciding-leaf').first().waitFor()
    expect(clicks.count).toBeLessThanOrEqual(6)
  })

  it('reads in one click why an earlier request was refused', async () => {
    const aurora = await demoTenant(world.at, 'aurora')
    await aurora.patch('/rooms?id=eq.1', aurora.anonKey, { name: 'x' })
    const { page, clicks } = await start()
    const problems = page.getByRole('region', { name: 'Problems' })
    await clicks.on(problems.getByRole('link', { name: /PATCH \/rooms/ }))
    await page.getByText('permission denied for table rooms').first().waitFor()
    expect(clicks.count).toBe(1)
  })

  it('sees in one click what anon reads', async () => {
    const { page, clicks } = await start()
    await clicks.screen('Audit')
    await page.getByLabel(/^anon, treatments: all/).waitFor()
    expect(clicks.count).toBe(1)
  })

  it('sees in 4 clicks the plan that a query has for a user', async () => {
    const { page, clicks } = await start()
    await clicks.screen('SQL console')
    await page.locator('.cm-content').focus()
    await page.keyboard.insertText('select * from appointments')
    await page.keyboard.press('Escape')
    await actAsAna(page, clicks)
    await clicks.on(page.getByRole('button', { name: 'Explain', exact: true }))
    const plan = page.getByRole('region', { name: 'Plan' })
    await plan.getByRole('link', { name: /patients_see_their_appointments/ }).waitFor()
    expect(clicks.count).toBeLessThanOrEqual(4)
  })

  async function start(): Promise<{ readonly page: Page; readonly clicks: Clicks }> {
    const { page } = await world.open('/', { isFresh: true })
    return { page, clicks: new Clicks(page) }
  }
})

async function actAsAna(page: Page, clicks: Clicks): Promise<void> {
  await clicks.on(page.getByRole('combobox', { name: 'Act as' }))
  await clicks.on(page.getByRole('option', { name: ANA }).first())
}
