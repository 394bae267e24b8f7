// The tables screen while other clients change the same rows: a refused edit, a deleted row, and the number of loads.
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInspector } from '../../support/describe-inspector.ts'

describeInspector('the tables screen beside other clients', (world) => {
  async function execute(sql: string): Promise<string | null> {
    const response = await fetch(`${world.url}/v1/projects/aurora/sql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql, identity: 'owner' }),
    })
    const { error, results } = await response.json()
    expect(error).toBeNull()
    return results.at(-1)?.rows?.[0]?.[0] ?? null
  }
  const floor = () => execute(`select floor from rooms where name = 'Blue room'`)

  /** Opens the rooms with a value in the editor of Blue room's floor. */
  async function type(value: string): Promise<{ page: Page; cell: Locator }> {
    await execute(`update rooms set floor = 1 where name = 'Blue room'`)
    const { page } = await world.open('/t/aurora/tables/rooms', { isFresh: true })
    const row = page.getByRole('row').filter({ hasText: 'Blue room' })
    const cell = row.locator('[data-column=floor]')
    await cell.dblclick()
    await page.getByRole('textbox', { name: 'floor' }).fill(value)
    return { page, cell }
  }

  it('does not overwrite a cell that changed while the user typed, until the user says so', async () => {
    const { page, cell } = await type('7')
    await execute(`update rooms set floor = 5 where name = 'Blue room'`)
    await page.keyboard.press('Enter')
    await cell
      .getByRole('alert')
      .filter({
        hasText:
          'The cell has changed since you saw it: it is now “5”. Your value was not written.',
      })
      .waitFor()
    expect(await page.getByRole('textbox', { name: 'floor' }).inputValue()).toBe('7')
    expect(await floor()).toBe('5')
    await world.shoot('tables-changed-cell')

    await cell.getByRole('button', { name: 'Write anyway' }).click()
    await page.getByRole('textbox', { name: 'floor' }).waitFor({ state: 'detached' })
    expect(await floor()).toBe('7')
    world.allow(/409/)
  })

  it('compares with the value that the user saw, although the rows reloaded behind the editor', async () => {
    const { page, cell } = await type('7')
    const loaded = page.waitForResponse((response) => response.url().endsWith('/rooms/rows'))
    await execute(`update rooms set floor = 5 where name = 'Blue room'`)
    await (await loaded).finished()
    await page.keyboard.press('Enter')
    await cell.getByRole('alert').filter({ hasText: 'it is now “5”' }).waitFor()
    expect(await floor()).toBe('5')
    world.allow(/409/)
  })

  it('keeps the typed value of a row that another client deletes', async () => {
    await execute(`insert into rooms (name, floor) values ('Attic', 9)`)
    const { page } = await world.open('/t/aurora/tables/rooms', { isFresh: true })
    const row = page.getByRole('row').filter({ hasText: 'Attic' })
    await row.locator('[data-column=floor]').dblclick()
    await page.getByRole('textbox', { name: 'floor' }).fill('1234')
    await execute(`delete from rooms where name = 'Attic'`)
    await row.waitFor({ state: 'detached' })
    const lost = page.getByRole('alert').filter({ hasText: 'is no longer in this list' })
    await lost.getByText('1234').waitFor()
    expect(await page.getByRole('textbox', { name: 'floor' }).count()).toBe(0)
    await world.shoot('tables-lost-value')
    await lost.getByRole('button', { name: 'Discard value' }).click()
    await lost.waitFor({ state: 'detached' })
  })

  it('loads the rows once after an edit, and again after a foreign change', async () => {
    const { page, cell } = await type('7')
    let loads = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/rooms/rows') && request.method() === 'POST') loads += 1
    })
    await page.keyboard.press('Enter')
    await cell.filter({ hasText: '7' }).waitFor()
    // Longer than the pause before the reload that an event causes.
    await page.waitForTimeout(1_000)
    expect(loads).toBe(1)
    await execute(`update rooms set floor = 8 where name = 'Blue room'`)
    await cell.filter({ hasText: '8' }).waitFor()
    expect(loads).toBe(2)
  })
})
