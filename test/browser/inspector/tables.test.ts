// The tables screen in a browser, by clicking: rows for another identity, hidden rows and their X-ray, edits, files, keys and
// addresses.
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInspector } from '../../support/describe-inspector.ts'

const ANA = 'ana@patients.test'
const AS_ANA = `as=${encodeURIComponent(`user:${ANA}`)}`

describeInspector('the tables screen', (world) => {
  async function open(path: string): Promise<Page> {
    const { page } = await world.open(path)
    return page
  }
  async function execute(sql: string): Promise<void> {
    const response = await fetch(`${world.url}/v1/projects/aurora/sql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql, identity: 'owner' }),
    })
    expect(await response.json()).toMatchObject({ error: null })
  }
  async function viewAs(page: Page, who: string): Promise<void> {
    await page.getByRole('combobox', { name: 'Act as' }).click()
    await page.getByRole('combobox', { name: 'Search: Act as' }).fill(who)
    await page.getByRole('option', { name: who }).first().click()
  }

  it('dims hidden rows, and shows the condition that hid each row', async () => {
    const page = await open('/t/aurora/tables')
    await page.getByRole('link', { name: /^patients/ }).click()
    await page.getByRole('row').filter({ hasText: 'Clara Mendes' }).waitFor()
    await viewAs(page, ANA)
    await page.getByTestId('visible-count').filter({ hasText: '1 of 4 rows visible' }).waitFor()
    expect(await page.locator('[data-hidden-row]').count()).toBe(3)
    await world.shoot('tables-hidden-rows')

    const clara = page.locator('[data-hidden-row]').filter({ hasText: 'Clara Mendes' })
    await clara.getByRole('button', { name: /Why is this row hidden/ }).click()
    await page
      .getByTestId('verdict')
      .filter({ hasText: `Hidden from ${ANA}` })
      .waitFor()
    const leaf = page.getByTestId('deciding-leaf').filter({ hasText: 'user_id = auth.uid()' })
    const values = await leaf.getByTestId('operand-value').allTextContents()
    expect(values[0]).toBe('null')
    expect(values[1]).toMatch(/^[0-9a-f-]{36}$/)
    await world.shoot('tables-x-ray')
  })

  it('filters rows by a column and an operator', async () => {
    const page = await open('/t/aurora/tables/patients')
    await page.getByRole('row').filter({ hasText: 'Clara Mendes' }).waitFor()
    await page.getByRole('button', { name: 'Add filter' }).click()
    const form = page.getByRole('dialog', { name: 'Add filter' })
    await form.getByRole('combobox', { name: 'Column' }).click()
    await page.getByRole('option', { name: /^name/ }).click()
    await form.getByRole('combobox', { name: 'Operator' }).click()
    await page.getByRole('option', { name: 'like', exact: true }).click()
    await form.getByRole('textbox', { name: 'Value' }).fill('Clara%')
    await form.getByRole('button', { name: 'Apply filter' }).click()
    await page.getByRole('row').filter({ hasText: 'Ana Ribeiro' }).waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'Clara Mendes' }).waitFor()
  })

  it('counts the visible rows of a long table, and says that it lists only the first rows', async () => {
    await execute(`create table long (id int primary key, owner uuid);
      alter table long enable row level security;
      create policy own on long to authenticated using (owner = auth.uid());
      insert into long select n, case when n > 10000 then id end
        from generate_series(1, 10500) as n, auth_users where email = '${ANA}'`)
    const page = await open(`/t/aurora/tables/long?${AS_ANA}`)
    const count = page
      .getByTestId('visible-count')
      .filter({ hasText: '500 of 10,500 rows visible' })
    await count.getByText('· first 10,000 listed').waitFor()
    await page.getByRole('switch', { name: '10,000 hidden rows' }).waitFor()
    await execute('drop table long')
  })

  it('shows the row after a suggested fix is applied', async () => {
    const page = await open(`/t/aurora/tables/announcements?as=anon`)
    const fridge = page.getByRole('row').filter({ hasText: 'Fridge check' })
    await fridge.getByRole('button', { name: /Why is this row hidden/ }).click()
    const fix = page.getByLabel('Suggested fixes').getByRole('listitem').first()
    await fix.getByText('Set the row’s is_public to true').waitFor()
    await fix.getByText('anon: everybody', { exact: true }).waitFor()
    await fix
      .getByText(/^Lets anon .* see this row\. Also lets everybody who signs in see 1 row/)
      .waitFor()
    await fix.getByText(/^Rows and identities/).click()
    await fix.getByRole('listitem').filter({ hasText: 'any other signed-in user' }).waitFor()
    await world.shoot('tables-fix-to-anon')
    const link = fix.getByRole('link', { name: 'Open in SQL console' })
    expect(await link.getAttribute('href')).toContain('/t/aurora/sql?sql=')
    await fix.getByRole('button', { name: 'Apply fix…' }).click()
    const sheet = page.getByRole('dialog', { name: 'Change' })
    await sheet.getByText('The statements change rows of aurora only').waitFor()
    await sheet.getByRole('button', { name: 'Apply to aurora' }).click()
    await sheet.getByText('done', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByTestId('visible-count').filter({ hasText: '2 of 2' }).waitFor()
    await page.getByTestId('verdict').filter({ hasText: 'Visible to anon' }).waitFor()
  })

  it('gives advice when every suggested fix opens too many rows, and counts other users who gain rows', async () => {
    const page = await open('/t/aurora/tables/invoices?as=anon')
    const why = page
      .getByRole('row')
      .getByRole('button', { name: /Why is this row hidden/ })
      .first()
    await why.click()
    const advice = page.getByTestId('fix-advice')
    await advice.filter({ hasText: /lets everybody with the public key see its rows/ }).waitFor()
    expect(await page.getByText(/using \(true\)/).count()).toBe(0)
    await world.shoot('tables-fix-advice')

    await page.goto(
      new URL('/_emulator/t/aurora/tables/invoices?as=user%3Asilva%40aurora.test', page.url()).href,
    )
    await why.click()
    const fix = page.getByLabel('Suggested fixes').getByRole('listitem').first()
    await fix
      .getByText(/^Lets silva.* see this row, 1 other row and 3 rows of invoice_lines/)
      .waitFor()
    await fix.getByText(/Also lets 1 other user see /).waitFor()
    await fix.getByText('other users', { exact: true }).waitFor()
    await fix.getByText(/^Rows and identities/).click()
    await world.shoot('tables-fix-other-users')
  })

  it('saves an edited cell as the owner', async () => {
    const page = await open('/t/aurora/tables/rooms')
    const cell = page
      .getByRole('row')
      .filter({ hasText: 'Blue room' })
      .locator('[data-column=floor]')
    await cell.dblclick()
    await page.getByRole('textbox', { name: 'floor' }).fill('seven')
    await page.getByText('Enter a number.').waitFor()
    await page.getByRole('textbox', { name: 'floor' }).fill('7')
    await page.keyboard.press('Enter')
    await cell.filter({ hasText: '7' }).waitFor()
    await page.reload()
    await cell.filter({ hasText: '7' }).waitFor()
  })

  it('keeps a refused value in its cell, and explains the refusal in plain words', async () => {
    const page = await open('/t/aurora/tables/treatments')
    const row = page.getByRole('row').filter({ hasText: 'Vaccination' })
    const cell = row.locator('[data-column=price]')
    const editor = page.getByRole('textbox', { name: 'price' })
    await cell.dblclick()
    await editor.fill('99999999999999999999999999')
    await page.keyboard.press('Enter')
    await cell.getByRole('alert').filter({ hasText: 'is out of range for' }).waitFor()
    expect(await cell.innerText()).not.toMatch(/edits|invalid input|sql/i)
    await world.shoot('tables-refused-value')

    // The cell keeps the unsaved value after the user opened another row.
    await page.getByRole('row').nth(1).locator('[data-column=name]').click()
    await cell.getByRole('img', { name: 'Not saved' }).waitFor()
    expect(await cell.innerText()).toContain('99999999999999999999999999')
    await cell.dblclick()
    expect(await editor.inputValue()).toBe('99999999999999999999999999')
    await cell.getByRole('alert').waitFor()
    await editor.fill('12')
    await page.keyboard.press('Enter')
    await cell.filter({ hasText: /^12/ }).waitFor()
    world.allow(/400/)
  })

  it('explains why an edit is refused', async () => {
    const page = await open(`/t/aurora/tables/patients?${AS_ANA}`)
    const cell = page
      .getByRole('row')
      .filter({ hasText: 'Ana Ribeiro' })
      .locator('[data-column=name]')
    await cell.dblclick()
    await page.getByRole('textbox', { name: 'name' }).fill('Anabel')
    await page.keyboard.press('Enter')
    await cell
      .getByRole('alert')
      .filter({ hasText: 'no policy lets this identity see and change the row' })
      .waitFor()
    expect(await page.getByRole('textbox', { name: 'name' }).inputValue()).toBe('Anabel')
    await page.getByTestId('verdict').filter({ hasText: 'Cannot be changed by' }).waitFor()
    await page
      .locator('[data-policy=reception_edits_patients]')
      .getByTestId('deciding-leaf')
      .first()
      .waitFor()
    await world.shoot('tables-refused-edit')
  })

  it('opens the row, the reason and the filters that the address names', async () => {
    const page = await open(
      `/t/aurora/tables/appointments?${AS_ANA}&where=${encodeURIComponent('["state.eq.done"]')}&sort=id.desc&row=id%3A5&show=why`,
    )
    await page
      .getByTestId('verdict')
      .filter({ hasText: `Visible to ${ANA}` })
      .waitFor()
    await page.getByTestId('visible-count').filter({ hasText: '2 of 2 rows' }).waitFor()
    const ids = await page.locator('[data-column=id][role=gridcell]').allTextContents()
    expect(ids.map(Number)).toEqual(ids.map(Number).toSorted((one, other) => other - one))
    await page.getByRole('button', { name: 'Remove the filter on state' }).click()
    await page.getByTestId('visible-count').filter({ hasText: '2 of 5 rows' }).waitFor()
    expect(new URL(page.url()).searchParams.has('where')).toBe(false)
  })

  it('supports the keyboard: arrows choose a row, Enter opens it, Esc closes it', async () => {
    const page = await open('/t/aurora/tables/staff')
    await page.getByRole('grid').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Row of staff' }).waitFor()
    expect(new URL(page.url()).searchParams.get('row')).toBe(
      await page.getByRole('row').nth(2).getAttribute('data-row'),
    )
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'Row of staff' }).waitFor({ state: 'detached' })
  })

  it('follows a foreign key', async () => {
    const page = await open('/t/aurora/tables/notes')
    await page
      .getByRole('link', { name: /Go to appointments/ })
      .first()
      .click()
    await page.getByRole('grid', { name: 'Rows of appointments' }).waitFor()
    await page.getByText('1 row', { exact: true }).waitFor()
  })

  it('inserts a row, imports rows from a file, and deletes all of them together', async () => {
    const page = await open('/t/boavista/tables/rooms')
    await page.getByRole('button', { name: 'Insert' }).click()
    await page.getByRole('textbox', { name: 'name' }).fill('Attic')
    await page.getByRole('complementary').getByRole('button', { name: 'Insert' }).click()
    await page.getByRole('row').filter({ hasText: 'Attic' }).waitFor()
    const message = page.getByRole('dialog').filter({ hasText: 'Row inserted' })
    // Messages cover no part of the screen.
    expect(await rightOf(message)).toBeLessThanOrEqual(await leftOf(page.getByRole('main')))

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /Import/ }).click()
    await page.getByLabel('File to import').setInputFiles({
      name: 'rooms.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('name,floor\nCellar,-1\n"Hall, big",0\n'),
    })
    const importRows = page.getByRole('button', { name: 'Import 2 rows' })
    await importRows.click()
    // The preview of the file has the same rows until it closes.
    await importRows.waitFor({ state: 'hidden' })
    await page.getByRole('row').filter({ hasText: 'Hall, big' }).waitFor()

    for (const name of ['Attic', 'Cellar', 'Hall, big']) {
      const row = page.getByRole('row').filter({ hasText: name })
      await row.hover()
      await row.getByRole('checkbox').click()
    }
    await page.getByRole('button', { name: 'Delete 3 rows' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 3 rows' }).click()
    await page.getByText('1 row', { exact: true }).waitFor()
  })

  it('keeps names and counts visible with long names and in narrow windows', async () => {
    const name = 'a_table_with_a_very_long_name_that_goes_on_and_on_till_63_bytes'
    await execute(`create table ${name} (id int primary key)`)
    const { page } = await world.open(`/t/aurora/tables/${name}`, { width: 1_100, height: 700 })
    const insert = page.getByRole('button', { name: 'Insert' })
    await insert.waitFor()
    const list = page.getByRole('navigation', { name: 'Tables' })
    const badge = list.getByRole('link', { name }).getByRole('img')
    expect(await rightOf(badge)).toBeLessThan(await rightOf(list))
    expect(await rightOf(insert)).toBeLessThan(1_100)

    await list.getByRole('link', { name: /^appointments/ }).click()
    const policies = page.getByRole('link', { name: /^RLS on/ })
    await policies.waitFor()
    const title = page.getByRole('heading', { level: 1, name: 'appointments' })
    expect(await rightOf(title)).toBeLessThan(await leftOf(policies))
    expect(await rightOf(policies)).toBeLessThan(await leftOf(insert))
    await execute(`drop table ${name}`)
  })

  it('opens a long text within the grid, and keeps the button for a hidden row’s reason visible', async () => {
    await execute(
      `create table letters (id int primary key, body text, at date);
       alter table letters enable row level security;
       insert into letters values (1, repeat('lorem ipsum ', 50))`,
    )
    const { page } = await world.open('/t/aurora/tables/letters', { width: 1_100, height: 700 })
    const grid = page.getByRole('grid', { name: 'Rows of letters' })
    await grid.getByRole('gridcell', { name: /^lorem/ }).dblclick()
    const editor = grid.getByRole('textbox', { name: 'body' })
    await editor.waitFor()
    expect(await leftOf(editor)).toBeGreaterThan(await leftOf(grid))
    expect(await rightOf(editor)).toBeLessThan(await rightOf(grid))

    await page.goto(`${world.url}/t/aurora/tables/letters?as=anon&row=id%3A1`)
    await page.getByRole('complementary').waitFor()
    const reason = grid.getByRole('button', { name: /^Why is this row hidden/ })
    await reason.waitFor()
    expect(await leftOf(reason)).toBeGreaterThan(await leftOf(grid))
    await execute('drop table letters')
  })

  it('shows no row count for a table that could not be read', async () => {
    const page = await open('/t/aurora/tables/rooms?as=user%3Anobody%40aurora.test')
    await page.getByText('Could not load the rows').waitFor()
    expect(await page.getByText('0 rows').count()).toBe(0)
    world.allow(/404/)
  })
})

async function leftOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.x ?? Number.NaN
}

async function rightOf(locator: Locator): Promise<number> {
  const box = await locator.boundingBox()
  return box === null ? Number.NaN : box.x + box.width
}
