// The faults screen in a browser, by clicking: arm a fault, see it fire, open its request, disarm it, and search the catalogue.
import { afterEach, expect, it } from 'vitest'
import type { ReadyLine } from '../../../emulator/contract/addresses.ts'
import type { FaultList } from '../../../emulator/contract/faults.ts'
import { describeOwnInspector } from '../../support/describe-inspector.ts'

describeOwnInspector('the faults screen', (world) => {
  afterEach(async () => {
    await fetch(`${world.url}/v1/faults`, { method: 'DELETE' })
  })

  async function open(path = '/faults') {
    const { page } = await world.open(path)
    await page.getByRole('tab', { name: 'Catalogue' }).waitFor()
    return page
  }
  async function readRooms(): Promise<number> {
    const info = (await (await fetch(`${world.url}/v1/info`)).json()) as ReadyLine
    const tenant = info.groups.flatMap(({ tenants }) => tenants).find((t) => t.slug === 'aurora')
    const { status } = await fetch(`${info.data_url}/rooms`, {
      headers: {
        apikey: tenant?.anon_key ?? '',
        authorization: `Bearer ${tenant?.service_role_key}`,
      },
    })
    return status
  }

  it('arms an error from the catalogue', async () => {
    const page = await open('/faults?view=catalogue')
    await page.getByRole('searchbox', { name: 'Search the catalogue' }).fill('rows.read')
    await page.getByRole('row').filter({ hasText: 'rows.read' }).click()
    const sheet = page.getByRole('complementary', { name: 'New fault' })
    await sheet.getByRole('combobox', { name: 'Code' }).click()
    await page.getByRole('combobox', { name: 'Search: Code' }).fill('57014')
    await page.getByRole('option', { name: '57014' }).first().click()
    await world.shoot('faults-arm')
    await sheet.getByRole('button', { name: 'Arm fault' }).click()
    await page.getByText('A fault is armed').waitFor()
    expect(await readRooms()).toBe(500)
  })

  it('shows which requests a fault applies to, and afterwards the requests that it affected', async () => {
    expect(await readRooms()).toBe(200)
    const page = await open('/faults?arm=any')
    const form = page.getByRole('form', { name: 'New fault' })
    const matches = form.getByRole('region', { name: 'Matches' })
    await matches
      .getByText(/^Matches \d\d operations, [1-9]\d* of the last \d+ requests\.$/)
      .waitFor()
    await form.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'anon' }).click()
    await matches.getByText(/, none of the last \d+ requests?\.$/).waitFor()
    await world.shoot('faults-preview')
    await fetch(`${world.url}/v1/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        scope: { service: 'data' },
        effect: { kind: 'latency', ms: 20 },
        count: 1,
      }),
    })
    await page.getByText('A fault is armed').waitFor()
    expect(await readRooms()).toBe(200)
    await page.getByText('A fault is armed').waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'History' }).click()
    const fired = page.getByRole('grid', { name: 'Fired faults' })
    const row = fired.getByRole('row').filter({ hasText: '+20 ms' }).first()
    await row.click()
    const sheet = page.getByRole('complementary', { name: 'Fault', exact: true })
    await sheet.getByText('1 of 1').waitFor()
    await world.shoot('faults-history')
    await row.getByRole('link').click()
    await page.waitForURL(/\/requests\//)
    await page.getByRole('heading', { name: 'What the fault did' }).waitFor()
    await page.getByText('An armed fault delayed the request before any work was done.').waitFor()
    await page.getByRole('link', { name: /^flt_/ }).waitFor()
    await page
      .getByTitle(/^Fault flt_.* applied/)
      .first()
      .waitFor()
    await world.shoot('faults-request')
  })

  it('disarms all faults and removes the banner', async () => {
    const page = await open('/faults?arm=any')
    const sheet = page.getByRole('complementary', { name: 'New fault' })
    await sheet.getByRole('combobox', { name: 'Effect' }).click()
    await page.getByRole('option', { name: 'Latency' }).click()
    await sheet.getByRole('button', { name: 'Arm fault' }).click()
    await page.getByText('A fault is armed').waitFor()
    await page.reload()
    await page.getByText('A fault is armed').waitFor()
    await page.getByRole('button', { name: 'Disarm all faults' }).click()
    await page.getByText('No faults armed').waitFor()
    await page.getByText('A fault is armed').waitFor({ state: 'detached' })
  })

  it('arms one fault when the button is clicked twice', async () => {
    const page = await open('/faults?arm=any')
    const form = page.getByRole('form', { name: 'New fault' })
    await form.getByRole('button', { name: 'Arm fault' }).dblclick()
    await page.getByRole('row').filter({ hasText: 'every request' }).first().waitFor()
    const { faults } = (await (await fetch(`${world.url}/v1/faults`)).json()) as FaultList
    expect(faults).toHaveLength(1)
  })

  it('counts the codes that do not fit in a row of the catalogue', async () => {
    const page = await open('/faults?view=catalogue&q=rows.read')
    const rest = page
      .getByRole('row')
      .filter({ hasText: 'rows.read' })
      .getByText(/^\+\d+$/)
    await rest.waitFor()
    const { x = 0, width = 0 } = (await rest.boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(1_440)
  })

  it('shows a problem next to its field and disables the button', async () => {
    const page = await open('/faults?arm=any')
    const form = page.getByRole('form', { name: 'New fault' })
    await form.getByRole('textbox', { name: 'Probability' }).fill('2')
    await page.getByText('Enter a number from 0 to 1.').waitFor()
    expect(await form.getByRole('button', { name: 'Arm fault' }).isDisabled()).toBe(true)
  })
})
