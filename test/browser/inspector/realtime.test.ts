// The realtime screen in a browser: join as two users, see the verdicts of a change, send a broadcast.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type DemoTenant, demoTenant } from '../../support/demo-tenant.ts'
import { describeInspector } from '../../support/describe-inspector.ts'

describeInspector('the realtime screen', (world) => {
  let aurora: DemoTenant

  beforeAll(async () => {
    aurora = await demoTenant(world.at, 'aurora')
  })

  async function actAs(page: Page, who: string): Promise<void> {
    await page.getByRole('combobox', { name: 'Act as' }).click()
    await page.getByRole('combobox', { name: 'Search: Act as' }).fill(who)
    await page.getByRole('option', { name: who }).first().click()
  }

  async function joinAs(page: Page, who: string, channel: string, table?: string): Promise<void> {
    const form = page.getByRole('form', { name: 'New test channel' })
    await actAs(page, who)
    await form.getByText(`Joins as ${who}.`).waitFor()
    await form.getByLabel('Channel').fill(channel)
    if (table !== undefined) {
      await form.getByRole('combobox', { name: 'Row changes of' }).click()
      await page.getByRole('option', { name: table, exact: true }).click()
    }
    await form.getByRole('button', { name: 'Join' }).click()
    const card = page.getByRole('listitem', { name: `${channel} as ${who}` })
    await card.getByText('joined', { exact: true }).waitFor()
    if (table !== undefined) await card.getByText('Subscribed to PostgreSQL').waitFor()
  }

  it('shows a change with the verdict for each subscriber', async () => {
    const { page } = await world.open('/t/aurora/realtime?view=try', { isFresh: true })
    await joinAs(page, 'reception@aurora.test', 'desk', 'appointments')
    await joinAs(page, 'silva@aurora.test', 'surgery', 'appointments')
    await page.getByRole('tab', { name: 'Connections' }).click()
    const load = page.getByRole('region', { name: 'Realtime load' })
    const room = load.getByRole('listitem').filter({ hasText: 'desk' })
    await room.getByText('1 member', { exact: true }).waitFor()
    const patch = () =>
      aurora.patch('/appointments?id=eq.2', aurora.serviceRoleKey, { state: 'arrived' })
    await patch()
    await room.getByText(/^0\.[1-9]\/s$/).waitFor()
    await world.shoot('realtime-live')
    await page.getByRole('tab', { name: 'Changes' }).click()

    const changed = await patch()
    expect(changed.status).toBe(204)

    await page.getByRole('row', { name: 'appointments' }).first().waitFor()
    const subscribers = page.getByRole('list', { name: 'Subscribers' })
    const delivered = subscribers.locator('[data-verdict="delivered"]')
    const hidden = subscribers.locator('[data-verdict="hidden"]')
    await delivered.waitFor()
    await hidden.waitFor()
    expect(await delivered.innerText()).toMatch(
      /reception@aurora\.test[\s\S]*delivered after .* ms/,
    )
    expect(await hidden.innerText()).toContain('silva@aurora.test')
    await hidden.click()
    await page.getByText('doctors_see_their_appointments').first().waitFor()
    await world.shoot('fan-out')
    await page.getByRole('link', { name: 'Explain row' }).click()
    await page.waitForURL(/\/t\/aurora\/policies\/appointments\?.*view=rows/)
  })

  it('changes a row, and shows its old and new values', async () => {
    const { page } = await world.open('/t/aurora/realtime?view=try', { isFresh: true })
    await joinAs(page, 'reception@aurora.test', 'desk', 'rooms')
    await actAs(page, 'Owner')
    await page.getByText('Joins as service_role. Realtime has no owner.').waitFor()
    await page.getByRole('tab', { name: 'Changes' }).click()
    await page.getByRole('button', { name: 'Change a row' }).click()
    const sheet = page.getByRole('complementary', { name: 'Change a row' })
    await sheet.getByRole('combobox', { name: 'Table' }).filter({ hasText: 'rooms' }).waitFor()
    await sheet.getByRole('button', { name: 'Edit row 1' }).click()
    await sheet.getByLabel('name', { exact: true }).fill('Yellow room')
    await sheet.getByRole('button', { name: 'Update row' }).click()
    await sheet.getByRole('button', { name: 'Edit row 1' }).waitFor()
    const changed = page.locator('[data-changed]')
    await changed.getByText('Yellow room').waitFor()
    expect(await changed.locator('del').innerText()).not.toBe('Yellow room')
    await page.getByRole('row', { name: /rooms.*→ Yellow room/ }).waitFor()
    await page.getByRole('link', { name: 'Change this row' }).click()
    await sheet.getByText('Row 1', { exact: true }).waitFor()
    expect(await sheet.getByRole('button', { name: /^Edit row/ }).count()).toBe(1)
    await sheet.getByRole('button', { name: 'Show all rows' }).click()
    await sheet.getByRole('button', { name: 'Edit row 2' }).waitFor()
    await world.shoot('realtime-change-row')
    await page.goto(`${world.url}/t/aurora/realtime?sheet=row&rows=rooms&as=user:ana@patients.test`)
    await sheet.getByText('as ana@patients.test').waitFor()
    await sheet.getByText('No channel subscribes to rooms').waitFor()
  })

  it('sends a broadcast that another channel receives', async () => {
    const { page } = await world.open('/t/aurora/realtime?view=try', { isFresh: true })
    await joinAs(page, 'anon', 'hall')
    await joinAs(page, 'ana@patients.test', 'hall')
    await world.shoot('realtime-test-channels')
    const sender = page.getByRole('listitem', { name: 'hall as anon' })
    await sender.getByLabel('Event').fill('ring')
    await sender.getByRole('button', { name: 'Broadcast' }).click()
    const receiver = page.getByRole('listitem', { name: 'hall as ana@patients.test' })
    await receiver.locator('[data-direction="received"]', { hasText: 'broadcast ring' }).waitFor()
    await page.getByRole('tab', { name: 'Connections' }).click()
    const connections = page.getByRole('list', { name: 'Connections' })
    await connections.getByText('ana@patients.test').waitFor()
    expect(await connections.getByText('hall', { exact: true }).count()).toBe(2)
  })

  it('shows the refusal of a wrong filter', async () => {
    const { page } = await world.open('/t/aurora/realtime?view=try', { isFresh: true })
    const form = page.getByRole('form', { name: 'New test channel' })
    await form.getByRole('combobox', { name: 'Row changes of' }).click()
    await page.getByRole('option', { name: 'rooms', exact: true }).click()
    await form.getByLabel('Filter').fill('nonsense')
    await form.getByRole('button', { name: 'Join' }).click()
    const channels = page.getByRole('list', { name: 'Test channels' })
    await channels
      .getByText(/Error parsing `filter` params/)
      .first()
      .waitFor()
  })
})
