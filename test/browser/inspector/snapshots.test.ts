// The snapshots screen in a browser, by clicking: save, compare, restore, reset, delete.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { SnapshotDiff } from '../../../emulator/contract/snapshots.ts'
import { describeOwnInspector } from '../../support/describe-inspector.ts'

describeOwnInspector('the snapshots screen', (world) => {
  async function open(): Promise<Page> {
    const { page } = await world.open('/snapshots', { before: compareQuickly })
    await page.getByRole('button', { name: 'Save snapshot' }).first().waitFor()
    return page
  }
  async function save(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Save snapshot' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Save snapshot' })
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Note').fill('<b>before</b> the change')
    await dialog.getByRole('button', { name: 'Save snapshot' }).click()
    await page.getByRole('complementary', { name: 'Snapshot' }).waitFor()
  }
  async function sql(text: string): Promise<string | null | undefined> {
    const response = await fetch(`${world.url}/v1/projects/aurora/sql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql: text, identity: 'owner' }),
    })
    const { results } = (await response.json()) as {
      readonly results: readonly { readonly rows: readonly (readonly (string | null)[])[] }[]
    }
    return results[0]?.rows[0]?.[0]
  }

  it('saves a snapshot, compares cell by cell, repeats the comparison after a change, and restores', async () => {
    const page = await open()
    const compared = page.waitForResponse(/\/v1\/.*\/compare/)
    await save(page, 'before')
    const first = (await (await compared).json()) as SnapshotDiff
    await page.getByText('No differences').waitFor()
    await sql(`insert into rooms (name) values ('Attic')`)
    const rows = page.getByRole('list', { name: 'Rows of rooms' })
    await rows.getByText('Attic').waitFor()
    await sql(
      `update rooms set name = 'Loft' where name = (select max(name) from rooms where name <> 'Attic')`,
    )
    await rows.getByText('Loft').first().waitFor()
    await world.shoot('snapshots-diff')
    const again = page.waitForResponse(/\/v1\/.*\/compare/)
    await page.getByRole('button', { name: 'Repeat comparison' }).click()
    const renewed = (await (await again).json()) as SnapshotDiff
    expect(Date.parse(renewed.taken_at)).toBeGreaterThan(Date.parse(first.taken_at))
    await page.getByText(`Compared at ${renewed.taken_at.slice(11, 23)} UTC`).waitFor()
    await page.getByRole('button', { name: 'Restore snapshot…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore snapshot' }).click()
    await page.getByText('Restored before').waitFor()
    await page.getByText('No differences').waitFor()
    expect(await sql(`select count(*) from rooms where name = 'Attic'`)).toBe('0')
  })

  it('deletes a snapshot', async () => {
    const page = await open()
    await save(page, 'short-lived')
    await page.getByText('No differences').waitFor()
    await page.getByRole('button', { name: 'Delete snapshot…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete snapshot' }).click()
    await page.getByText('Deleted short-lived').waitFor()
    await page.getByRole('button', { name: /^short-lived/ }).waitFor({ state: 'detached' })
  })

  it('resets the platform to the state after the fixture was applied', async () => {
    const page = await open()
    await sql(`insert into rooms (name) values ('Cellar')`)
    await page.getByRole('button', { name: 'Reset platform…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset platform' }).click()
    await page.getByText(/reset in/).waitFor()
    expect(await sql(`select count(*) from rooms where name = 'Cellar'`)).toBe('0')
  })

  it('resets the platform to its fixture, and says that keys stay valid', async () => {
    const page = await open()
    await sql(`insert into rooms (name) values ('Cellar')`)
    await page.getByRole('button', { name: 'Reset to fixture…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Keys stay valid.').waitFor()
    await dialog.getByRole('button', { name: 'Reset platform to fixture' }).click()
    await page.getByText(/reset in/).waitFor()
    expect(await sql(`select count(*) from rooms where name = 'Cellar'`)).toBe('0')
  })

  it('refuses an invalid name', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Save snapshot' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Save snapshot' })
    await dialog.getByLabel('Name').fill('../up')
    await dialog.getByText('at most 64').waitFor()
    expect(await dialog.getByRole('button', { name: 'Save snapshot' }).isDisabled()).toBe(true)
  })
})

/**
 * Replaces the reported duration by a short one, because the screen does not repeat slow comparisons. On a busy machine, every
 * comparison is slow.
 */
async function compareQuickly(page: Page): Promise<void> {
  await page.route(/\/v1\/.*\/compare/, async (route) => {
    const response = await route.fetch()
    const diff = (await response.json()) as SnapshotDiff
    await route.fulfill({ response, json: { ...diff, duration_ms: 10 } })
  })
}
