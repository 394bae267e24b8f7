// The structure of tables in a browser. The tests create a table and add a column, a foreign key and an index. Before a column is
// dropped, the sheet shows the lost values.
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityFindings } from '../../support/axe.ts'
import { describeOwnInspector } from '../../support/describe-inspector.ts'
import { ask } from '../../support/fixture-folder.ts'

describeOwnInspector('the structure of tables', (world) => {
  /** Applies the open change, and closes its sheet. */
  async function apply(page: Page, statement: string): Promise<void> {
    const sheet = page.getByRole('dialog', { name: 'Change' })
    await sheet.getByRole('figure', { name: 'Statements' }).getByText(statement).waitFor()
    await sheet.getByRole('button', { name: /^Apply to aurora/ }).click()
    await sheet.getByText('done', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
  }
  const review = (form: Locator) => form.getByRole('button', { name: 'Review change…' }).click()

  it('creates and edits a table, and says what dropping a column loses', async () => {
    const { page } = await world.open('/t/aurora/tables')
    await page.getByRole('button', { name: 'New table' }).click()
    const form = page.getByRole('form', { name: 'Create table' })
    await form.getByLabel('Table', { exact: true }).fill('reviews')
    await form.getByRole('button', { name: 'Add column' }).click()
    await form.getByLabel('Column', { exact: true }).last().fill('stars')
    await form.getByLabel('Type').last().fill('int')
    await form.getByRole('figure', { name: 'Statement' }).getByText('"stars" int').waitFor()
    await world.shoot('structure-new-table')
    await review(form)
    await apply(page, 'create table "reviews"')
    await page.getByRole('heading', { name: 'reviews' }).waitFor()
    await ask(world.at, 'aurora', 'insert into reviews (stars) values (3), (4), (null)')

    await page.getByRole('button', { name: 'Structure' }).click()
    const sheet = page.getByRole('complementary', { name: 'Structure of reviews' })
    await sheet.getByRole('button', { name: 'Add column' }).click()
    const column = sheet.getByRole('form', { name: 'New column' })
    await column.getByLabel('Column', { exact: true }).fill('author')
    await column.getByLabel('Type').fill('uuid')
    await review(column)
    await apply(page, 'alter table "reviews" add column "author" uuid')
    await sheet.getByRole('button', { name: 'Change author' }).waitFor()

    await sheet.getByRole('button', { name: 'Add foreign key' }).click()
    const key = sheet.getByRole('form', { name: 'New foreign key' })
    for (const [label, choice] of [
      ['Column', 'author'],
      ['References', 'auth_users'],
    ] as const) {
      await key.getByRole('combobox', { name: label, exact: true }).click()
      await page.getByRole('option', { name: choice, exact: true }).click()
    }
    await key.getByText('references "auth_users" ("id")').waitFor()
    await world.shoot('structure-foreign-key')
    await review(key)
    await apply(page, 'add foreign key ("author")')
    await sheet.getByText('reviews_author_fkey').waitFor()

    await sheet.getByRole('button', { name: 'Add index' }).click()
    const index = sheet.getByRole('form', { name: 'New index' })
    await index.getByRole('checkbox', { name: 'stars' }).click()
    await review(index)
    await apply(page, 'create index on "reviews" ("stars")')
    await sheet.getByText('reviews_stars_idx').waitFor()
    await index.waitFor({ state: 'detached' })
    expect(await accessibilityFindings(page)).toEqual([])
    await world.shoot('structure')

    await sheet.getByRole('button', { name: 'Drop stars' }).click()
    const change = page.getByRole('dialog', { name: 'Change' })
    await change.getByText('aurora: loses the value of reviews.stars in 2 rows').first().waitFor()
    await change.getByRole('button', { name: 'Apply to aurora and lose 2 values' }).waitFor()
    await world.shoot('structure-loss')
    await page.keyboard.press('Escape')
    // The page may request the dropped table once more before it opens another screen.
    world.allow(/404 .*\/tables\/reviews/)
    await sheet.getByRole('button', { name: 'Drop table…' }).click()
    await change.getByText('aurora: loses 3 rows of reviews').first().waitFor()
    await apply(page, 'drop table "reviews"')
    await page.getByText('Choose a table').waitFor()
  })

  it('shows no former column after a rename, and says that the sort order was removed', async () => {
    const { page } = await world.open('/t/aurora/tables/rooms?sort=floor.asc&where=floor.gte.0')
    const grid = page.getByRole('grid', { name: 'Rows of rooms' })
    await grid.getByText('Blue room').waitFor()
    world.allow(/400 .*\/rooms\/rows/)
    await ask(world.at, 'aurora', 'alter table rooms rename column floor to level')
    const notice = page.getByText(
      'The sort by floor and the filter on floor were removed, because rooms has no such column.',
    )
    await notice.waitFor()
    const cell = grid.getByRole('row').filter({ hasText: 'X-ray' }).locator('[data-column=level]')
    await cell.getByText('1', { exact: true }).waitFor()
    expect(await grid.getByText('null', { exact: true }).count()).toBe(0)
    await world.shoot('tables-removed-sort')

    await page.reload()
    await notice.waitFor()
    await cell.getByText('1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await notice.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')

    await grid.getByRole('columnheader', { name: 'level' }).click()
    await page.getByRole('button', { name: 'Structure' }).click()
    const sheet = page.getByRole('complementary', { name: 'Structure of rooms' })
    await sheet.getByRole('button', { name: 'Change level' }).click()
    const form = sheet.getByRole('form', { name: 'Change level' })
    await form.getByLabel('Column', { exact: true }).fill('floor')
    await review(form)
    await apply(page, 'rename column "level" to "floor"')
    await page.getByText('The sort by level was removed').waitFor()
    const floor = grid.getByRole('row').filter({ hasText: 'X-ray' }).locator('[data-column=floor]')
    await floor.getByText('1', { exact: true }).waitFor()
  })

  it('shows why Postgres refuses an edit before it is applied', async () => {
    const { page } = await world.open('/t/aurora/tables/announcements?sheet=structure')
    const sheet = page.getByRole('complementary', { name: 'Structure of announcements' })
    await sheet.getByRole('button', { name: 'Change title' }).click()
    const form = sheet.getByRole('form', { name: 'Change title' })
    await form.getByLabel('Type').fill('integer')
    await review(form)
    const change = page.getByRole('dialog', { name: 'Change' })
    await change.getByText(/invalid input syntax for type integer/).waitFor()
    expect(await change.getByRole('button', { name: 'Apply to aurora' }).isDisabled()).toBe(true)
    await world.shoot('structure-refused')
  })
})
