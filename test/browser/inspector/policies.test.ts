// The policies screen and the audit screen in a browser, by clicking. The screens show policies, the decision for each row, a
// matrix of rows and identities, and the audit of the whole tenant.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInspector } from '../../support/describe-inspector.ts'

const SILVA = 'silva@aurora.test'
const AS_SILVA = `as=${encodeURIComponent(`user:${SILVA}`)}`

describeInspector('the policies and audit screens', (world) => {
  async function open(path: string): Promise<Page> {
    const { page } = await world.open(path)
    return page
  }

  it('shows each policy, the grants and the warnings', async () => {
    const page = await open('/t/aurora/policies')
    await page.getByText('lines_follow_their_invoice').first().waitFor()
    await page.getByRole('link', { name: /^patients/ }).click()
    const policy = page.getByRole('article', { name: 'Policy patients_see_themselves' })
    await policy.getByText('user_id = auth.uid()').waitFor()
    await page.getByRole('row').filter({ hasText: 'service_role' }).waitFor()
    await world.shoot('policies-rules')
  })

  it('shows the decision for every row, and explains the decision for a chosen row', async () => {
    const page = await open('/t/aurora/policies/appointments')
    await page.getByRole('tab', { name: 'Decisions' }).click()
    await page.getByRole('combobox', { name: 'Act as' }).click()
    await page.getByRole('option', { name: SILVA }).click()
    await page.getByTestId('allowed-count').filter({ hasText: '3 of 5 rows visible' }).waitFor()
    await page.getByRole('row').filter({ hasText: 'hidden' }).first().click()
    await page
      .getByTestId('verdict')
      .filter({ hasText: `Hidden from ${SILVA}` })
      .waitFor()
    await page
      .locator('[data-policy=doctors_see_their_appointments]')
      .getByTestId('deciding-leaf')
      .waitFor()
    await world.shoot('policies-decisions')
  })

  it('keeps the reason for a decision visible in a narrow window', async () => {
    const { page } = await world.open(`/t/aurora/policies/appointments?view=rows&${AS_SILVA}`, {
      width: 1_100,
      height: 700,
    })
    const reason = page.getByText('none of 3 policies for SELECT allows it').first()
    await reason.waitFor()
    const { x = 0, width = 0 } = (await reason.boundingBox()) ?? {}
    expect(x + width).toBeLessThan(1_100)
  })

  it('evaluates the check clauses for a new row', async () => {
    const page = await open(`/t/aurora/policies/notes?view=rows&${AS_SILVA}&command=insert`)
    await page.getByRole('textbox', { name: 'author_id' }).fill('1')
    await page.getByRole('textbox', { name: 'appointment_id' }).fill('1')
    await page.getByRole('textbox', { name: 'body' }).fill('hello')
    await page.getByRole('button', { name: 'Evaluate policies' }).click()
    await page.getByTestId('verdict').filter({ hasText: 'Refused for' }).waitFor()
    await page.getByRole('textbox', { name: 'author_id' }).fill('3')
    await page.getByRole('button', { name: 'Evaluate policies' }).click()
    await page.getByTestId('verdict').filter({ hasText: 'Accepted for' }).waitFor()
    await world.shoot('policies-insert')
  })

  it('evaluates USING on the old row and WITH CHECK on the new row of an update', async () => {
    const set = encodeURIComponent(JSON.stringify({ author_id: '1' }))
    const page = await open(
      `/t/aurora/policies/notes?view=rows&${AS_SILVA}&command=update&set=${set}&row=id%3A1`,
    )
    await page.getByTestId('verdict').filter({ hasText: 'Cannot be changed by' }).waitFor()
    await page.getByRole('region', { name: /^using, on the existing row/ }).waitFor()
    await page.getByRole('region', { name: /^check, on the new row/ }).waitFor()
  })

  it('shows a matrix of rows and identities, and explains the decision of a chosen cell', async () => {
    const page = await open('/t/aurora/policies/patients?view=matrix')
    const table = page.getByRole('table', { name: 'Rows and identities' })
    await table.waitFor()
    const cell = table.getByRole('button', { name: /^ana@patients.test: hidden/ }).first()
    await cell.focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByTestId('verdict').filter({ hasText: 'Hidden from ana@patients.test' }).waitFor()
    expect(new URL(page.url()).searchParams.get('as')).toBe('user:ana@patients.test')
    // The last column stays in view beside the X-ray, and the fixed first column does not cover it.
    await page.getByRole('button', { name: 'Close' }).click()
    const last = table.getByRole('row').nth(2).getByRole('button').last()
    await last.click()
    await page.getByRole('complementary').waitFor()
    const [cellBox, headBox, sheetBox] = await Promise.all([
      last.boundingBox(),
      table.getByRole('rowheader').first().boundingBox(),
      page.getByRole('complementary').boundingBox(),
    ])
    if (cellBox === null || headBox === null || sheetBox === null) throw new Error('not rendered')
    expect(cellBox.x).toBeGreaterThanOrEqual(headBox.x + headBox.width)
    expect(cellBox.x + cellBox.width).toBeLessThanOrEqual(sheetBox.x + 1)
    await world.shoot('policies-matrix')
  })

  it('shows how many rows of each table every identity sees, and opens the rows of a chosen cell', async () => {
    const page = await open('/t/aurora/audit')
    const picture = page.getByRole('table', { name: 'Tables and identities' })
    await picture.getByRole('link', { name: 'anon, patients: none' }).waitFor()
    await picture.getByRole('link', { name: 'reception@aurora.test, patients: all' }).waitFor()
    await picture.getByRole('link', { name: `${SILVA}, appointments: 3 of 5` }).click()
    await page.getByTestId('allowed-count').filter({ hasText: '3 of 5 rows visible' }).waitFor()
    expect(page.url()).toContain(AS_SILVA)
  })

  it('shows which identities read and write the files of each bucket', async () => {
    const page = await open('/t/aurora/audit')
    const picture = page.getByRole('table', { name: 'Tables and identities' })
    const bucket = picture.getByRole('row', { name: /^documents/ })
    await bucket.waitFor()
    const cells = await bucket.getByRole('cell').allTextContents()
    expect([cells[0], cells[1], cells.at(-1)]).toEqual(['none', 'read, write', 'all'])
    await world.shoot('audit-buckets')
    await bucket.getByRole('link', { name: 'documents', exact: true }).click()
    await page.waitForURL(/\/t\/aurora\/storage\/documents/)
  })

  it('repeats an audit when the user leaves the screen before the audit ends, and then returns', async () => {
    const { page } = await world.open('/t/aurora/audit', { isFresh: true })
    await page.getByRole('table').getByRole('link', { name: 'documents', exact: true }).click()
    await page.waitForURL(/\/t\/aurora\/storage\/documents/)
    await page.goBack()
    await page.getByRole('tab', { name: 'Findings' }).click()
    await page.getByRole('list', { name: 'Findings' }).waitFor()
  })

  it('shows the request that proves a finding, and says that tenants are isolated', async () => {
    const page = await open('/t/aurora/audit')
    await page.getByRole('tab', { name: 'Findings' }).click()
    const finding = page.getByRole('listitem').filter({ hasText: 'signed_in_users_see_rooms' })
    await finding.getByText('Blue room').waitFor()
    await finding.getByText('Tenants: aurora, boavista').waitFor()
    await world.shoot('audit-causes')
    await finding.getByRole('button', { name: 'Copy curl command' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -s 'http:/)
    await page.getByRole('tab', { name: 'Other tenants' }).click()
    await page
      .getByRole('heading', { name: /^aurora → boavista: 0 of \d+ cells with access$/ })
      .waitFor()
    await page
      .getByRole('heading', { name: /^boavista → aurora: 0 of \d+ cells with access$/ })
      .waitFor()
  })

  it('downloads a contract, and shows which access widened after the download', async () => {
    const page = await open('/t/aurora/audit?view=contract')
    const to = `tenantry.contract.json --url ${world.at.url}`
    await page.getByText(`tenantry audit --tenant aurora --contract ${to}`).waitFor()
    await world.shoot('audit-no-contract')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download contract' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('tenantry.contract.json')
    const contract = readFileSync(await download.path())
    const check = (buffer: Buffer) =>
      page
        .getByTestId('contract-field')
        .setInputFiles({ name: 'old.json', mimeType: 'application/json', buffer })
    await check(contract)
    await page.getByText('Nothing widened').waitFor()
    const sql = `create table contract_rows (id int primary key); insert into contract_rows values (7)`
    const path = '/_emulator/v1/projects/aurora/sql'
    await world.at.call('POST', path, { body: { sql, identity: 'owner' } })
    await check(contract)
    const widened = page
      .getByRole('listitem')
      .filter({ hasText: 'anon sees every row of contract_rows.' })
    await widened.getByText('GET /contract_rows?limit=1').waitFor()
    await page.getByText(`tenantry audit --tenant aurora --accept-contract ${to}`).waitFor()
    await world.shoot('audit-contract')
    await widened.getByRole('link', { name: 'Show policies' }).click()
    await page.waitForURL(/\/t\/aurora\/policies\/contract_rows/)
    await page.goBack()
    world.allow(/400/)
    await check(Buffer.from('none'))
    await page.getByRole('alert').getByText('old.json is not JSON.').waitFor()
    await check(Buffer.from('[]'))
    await page.getByRole('alert').getByText('body: must be an object').waitFor()
  })

  it('shows one finding for a cause, with all affected tables', async () => {
    const sql = `
      create function broken() returns boolean language plpgsql as $$ begin raise exception 'no such plan'; end $$;
      create table first_plans (id int); create table second_plans (id int);
      insert into first_plans values (1); insert into second_plans values (1);
      alter table first_plans enable row level security; alter table second_plans enable row level security;
      create policy planned on first_plans for select using (broken());
      create policy planned on second_plans for select using (broken());`
    const path = '/_emulator/v1/projects/aurora/sql'
    const { body } = await world.at.call('POST', path, { body: { sql, identity: 'owner' } })
    expect(body.error).toBeNull()
    const page = await open('/t/aurora/audit?view=findings')
    const finding = page.getByRole('listitem').filter({ hasText: 'policy-fails' })
    await finding.getByText(/Tenants: aurora · Tables: first_plans, second_plans/).waitFor()
    expect(await finding.count()).toBe(1)
    await world.shoot('audit-one-cause')
  })

  it('opens the definition of a function that anon may execute', async () => {
    const sql = `create function every_room() returns setof rooms
      language sql stable security definer set search_path from current as 'select * from rooms'`
    const path = '/_emulator/v1/projects/aurora/sql'
    const { body } = await world.at.call('POST', path, { body: { sql, identity: 'owner' } })
    expect(body.error).toBeNull()
    const page = await open('/t/aurora/audit?view=findings')
    await page.getByRole('link', { name: 'Definition of every_room' }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText(/CREATE OR REPLACE FUNCTION .*every_room/).waitFor()
  })
})
