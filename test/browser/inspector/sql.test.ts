// The SQL console in a browser: results, identities, error positions, confirmations, tabs, links and hostile cells.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityFindings } from '../../support/axe.ts'
import { describeInspector } from '../../support/describe-inspector.ts'
import { type Look, openScreen } from '../../support/inspector-page.ts'

const CONSOLE = '/t/aurora/sql'

describeInspector('the SQL console', (world) => {
  // Opens a fresh page, because a loaded page keeps the results of its tabs.
  async function open(path = CONSOLE, look: Look = {}) {
    const { page } = await world.open(path, { ...look, isFresh: true })
    await page.locator('.cm-content').waitFor()
    return page
  }
  async function write(page: Page, sql: string): Promise<void> {
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(sql)
  }

  it('shows every result of a script', async () => {
    const page = await open()
    await write(
      page,
      'select name, born_on from patients order by name;\nselect count(*) as rooms from rooms;',
    )
    await page.keyboard.press('Control+Enter')
    await page.getByRole('row').filter({ hasText: 'Ana Ribeiro' }).waitFor()
    await world.shoot('sql-results')
    await page.getByRole('tab', { name: 'SELECT 1' }).click()
    await page.getByRole('columnheader', { name: 'rooms' }).waitFor()
  })

  it('does not cancel a statement when the button is clicked twice', async () => {
    const page = await open()
    await write(page, 'select pg_sleep(0.3), name from rooms')
    await page.getByRole('button', { name: 'Run', exact: true }).dblclick()
    await page.getByRole('tab', { name: 'SELECT 3' }).waitFor()
  })

  it('runs a statement as a user, and shows the rows that the policies allow', async () => {
    const page = await open()
    await write(page, 'select name from patients')
    await page.getByRole('combobox', { name: 'Act as' }).click()
    await page.getByRole('combobox', { name: 'Search: Act as' }).fill('ana@patients')
    await page.getByRole('option', { name: 'ana@patients.test' }).first().click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('tab', { name: 'SELECT 1' }).waitFor()
    await page.waitForURL(/as=user/)
  })

  it('keeps its results after a visit to another screen', async () => {
    const page = await open()
    await write(page, "select 'kept' as word")
    await page.keyboard.press('Control+Enter')
    await page.getByRole('row').filter({ hasText: 'kept' }).waitFor()
    await openScreen(page, 'Clock')
    await page.getByRole('heading', { level: 1, name: 'Clock' }).waitFor()
    await page.goBack()
    await page.getByRole('row').filter({ hasText: 'kept' }).waitFor()
  })

  it('runs only the selected text', async () => {
    const page = await open()
    await write(page, 'select 1 as one;\nselect 2 as two;')
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+End')
    await page.getByRole('button', { name: 'Run selection' }).click()
    await page.getByRole('columnheader', { name: 'two' }).waitFor()
    expect(await page.getByRole('tab', { name: /SELECT/ }).count()).toBe(1)
  })

  it('marks the position of a syntax error', async () => {
    const page = await open()
    await write(page, 'select name,\n  nonsense\nfrom patients')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').filter({ hasText: 'nonsense' }).waitFor()
    await page.getByLabel('Line 2, column 3').waitFor()
    expect(await page.locator('.cm-mark').innerText()).toBe('nonsense')
    await world.shoot('sql-failure')
  })

  it('asks for confirmation before a statement deletes every row, and can roll the statement back', async () => {
    const page = await open()
    await write(page, 'delete from rooms')
    await page.keyboard.press('Control+Enter')
    const question = page.getByRole('dialog', { name: 'This cannot be undone' })
    await question.getByText('Deletes every row of rooms.').waitFor()
    await world.shoot('sql-confirm')
    await question.getByRole('button', { name: 'Run and roll back' }).click()
    await page.getByText('rolled back', { exact: true }).waitFor()
    await write(page, 'select count(*) > 0 as still_there from rooms')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('gridcell', { name: 'true' }).waitFor()
  })

  it('shows the plan of a statement as a tree, with the identity’s policies', async () => {
    const page = await open(`${CONSOLE}?as=user:ana@patients.test`)
    await write(page, 'select * from appointments join patients on patients.id = patient_id')
    await page.getByRole('button', { name: 'Explain', exact: true }).click()
    const plan = page.getByRole('region', { name: 'Plan' })
    await plan.getByRole('columnheader', { name: 'Own cost' }).waitFor()
    const mark = plan.getByRole('link', { name: /patients_see_their_appointments/ })
    expect(await mark.getAttribute('href')).toContain('/policies/appointments?as=user')
    await page.getByRole('button', { name: 'Explain analyze' }).click()
    await plan.getByRole('columnheader', { name: 'Actual rows' }).waitFor()
    await page.getByText(/need \d+ % of the time and remove \d+ rows/).waitFor()
    const rows = await plan.getByRole('row').count()
    for (const width of [1_440, 800]) {
      await world.look({ theme: width === 800 ? 'light' : 'dark', width })
      expect(await accessibilityFindings(page)).toEqual([])
      await world.shoot(`sql-plan-${width}`)
    }
    await plan
      .getByRole('button', { name: /^Close / })
      .first()
      .click()
    expect(await plan.getByRole('row').count()).toBeLessThan(rows)
    await write(page, 'select nothing from patients')
    await page.getByRole('button', { name: 'Explain', exact: true }).click()
    await page.getByLabel('Line 1, column 8').waitFor()
  })

  it('inserts schema names at the cursor, and runs a statement with parameter values', async () => {
    const page = await open()
    const schema = page.getByRole('navigation', { name: 'Schema' })
    await write(page, 'select name from ')
    await schema.getByRole('button', { name: 'patients', exact: true }).click()
    await page.keyboard.insertText(' where ')
    await schema.getByRole('button', { name: 'Columns of patients' }).click()
    const columns = schema.getByRole('list', { name: 'Columns of patients' })
    await columns.getByRole('img', { name: 'Primary key' }).waitFor()
    await columns.getByRole('button', { name: 'name', exact: true }).click()
    await page.keyboard.insertText(' like $1')
    await page.getByRole('textbox', { name: '$1' }).fill('Ana%')
    for (const width of [1_440, 800]) {
      await world.look({ theme: width === 800 ? 'light' : 'dark', width })
      await world.shoot(`sql-schema-${width}`)
      expect(await accessibilityFindings(page)).toEqual([])
    }
    await world.look({})
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('gridcell', { name: 'Ana Ribeiro' }).waitFor()
    await page.getByRole('button', { name: '$1 is null' }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('tab', { name: 'SELECT 0' }).waitFor()
  })

  it('says that saving a query requires a followed folder', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Saved queries' }).click()
    await page.getByText('No folder followed').waitFor()
    const { body, status } = await world.at.call('POST', '/_emulator/v1/projects/aurora/queries', {
      body: { name: 'mine', sql: 'select 1' },
    })
    expect([status, body.error.message]).toEqual([
      404,
      'The emulator follows no folder to save the query in.',
    ])
  })

  it('cancels a statement that does not end', async () => {
    const page = await open()
    await write(page, 'select pg_sleep(60)')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('status', { name: 'Running' }).waitFor()
    await page.getByRole('toolbar', { name: 'Run' }).getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled').waitFor()
  })

  it('keeps its tabs and its history across a reload', async () => {
    const page = await open()
    await write(page, 'select 41 + 1 as answer')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('gridcell', { name: '42' }).waitFor()
    await page.getByRole('button', { name: 'New query' }).click()
    await page.reload()
    await page.getByRole('tab', { name: 'Query 2' }).waitFor()
    await page.getByRole('button', { name: 'History' }).click()
    const entry = page.getByRole('complementary', { name: 'History' }).getByRole('listitem')
    await entry
      .filter({ hasText: 'select 41 + 1' })
      .getByRole('button', { name: 'Open in editor' })
      .click()
    await page.locator('.cm-content').filter({ hasText: 'select 41 + 1' }).waitFor()
    await world.shoot('sql-history')
  })

  it('opens a new tab without the results of a closed tab, and shows no scrollbars on the tabs', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'New query' }).click()
    await write(page, 'select 1 as gone')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'gone' }).waitFor()
    await page.getByRole('tab', { name: 'Query 2' }).press('Delete')
    await page.getByRole('button', { name: 'New query' }).click()
    await page.getByText('No results yet').waitFor()
    const tabs = page.getByRole('tablist', { name: 'Queries' })
    const bars = await tabs.evaluate(
      (strip) => (strip as HTMLElement).offsetHeight - strip.clientHeight,
    )
    expect(bars).toBe(0)
  })

  it('loads the statement of a link without running it', async () => {
    const sql = 'delete from rooms where false'
    const page = await open(`${CONSOLE}?sql=${encodeURIComponent(sql)}`)
    await page.locator('.cm-content').filter({ hasText: sql }).waitFor()
    await page.getByText('No results yet').waitFor()
  })

  it('completes the names of the schema', async () => {
    const page = await open()
    await page.locator('.cm-content').click()
    await page.keyboard.type('select * from pati', { delay: 15 })
    await page.locator('.cm-tooltip-autocomplete').getByText('patients').first().waitFor()
    await world.shoot('sql-completion')
  })

  it('saves a result as CSV', async () => {
    const page = await open()
    await write(page, `select 'a,b' as one, null as two, '' as three`)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Export' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
    const stream = await (await download).createReadStream()
    const file = (await stream.toArray()).join('')
    expect(file).toBe('one,two,three\r\n"a,b",,""\r\n')
  })

  it('shows HTML in cells as text', async () => {
    const page = await open()
    await write(page, `select '<img src=x onerror="document.title=1">' as html`)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('gridcell', { name: /onerror/ }).click()
    await page.getByRole('complementary', { name: 'Row 1' }).getByText('<img src=x').waitFor()
    expect(await page.title()).not.toBe('1')
  })
})
