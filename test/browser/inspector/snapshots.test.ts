// The snapshots screen in a browser, by clicking: save, compare, restore, reset, delete.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, CHROMIUM_HINT } from '../../support/chromium.ts'
import {
  type InspectorPage,
  type InspectorWorld,
  startInspector,
} from '../../support/inspector-page.ts'

type Page = InspectorPage['page']

describe.skipIf(CHROMIUM === undefined)(`the snapshots screen${CHROMIUM_HINT}`, () => {
  let world: InspectorWorld
  let opened: InspectorPage | undefined

  beforeAll(async () => {
    world = await startInspector()
  })
  afterEach(async () => {
    await opened?.[Symbol.asyncDispose]()
    opened = undefined
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  async function open(theme: 'dark' | 'light' = 'dark'): Promise<Page> {
    opened = await world.open('/snapshots', { theme })
    await opened.page.getByRole('button', { name: 'Save snapshot' }).first().waitFor()
    return opened.page
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

  it.each(['dark', 'light'] as const)('saves, compares and restores, %s', async (theme) => {
    const page = await open(theme)
    const name = `before-${theme}`
    await save(page, name)
    await page.getByText('No differences').waitFor()
    await sql(`insert into rooms (name) values ('Attic ${theme}')`)
    await page.reload()
    const change = page.getByRole('list', { name: 'Differences' })
    await change.getByText('rooms', { exact: true }).waitFor()
    await opened?.shoot('snapshots-diff')
    await page.getByRole('button', { name: 'Restore snapshot…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore snapshot' }).click()
    await page.getByText(`Restored ${name}`).waitFor()
    expect(await sql(`select count(*) from rooms where name = 'Attic ${theme}'`)).toBe('0')
    opened?.expectSilence()
  })

  it('deletes a snapshot', async () => {
    const page = await open()
    await save(page, 'short-lived')
    await page.getByText('No differences').waitFor()
    await page.getByRole('button', { name: 'Delete snapshot…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete snapshot' }).click()
    await page.getByText('Deleted short-lived').waitFor()
    await page.getByRole('button', { name: /^short-lived/ }).waitFor({ state: 'detached' })
    opened?.expectSilence()
  })

  it('resets to the state after the fixture', async () => {
    const page = await open()
    await sql(`insert into rooms (name) values ('Cellar')`)
    await page.getByRole('button', { name: 'Reset platform…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset platform' }).click()
    await page.getByText(/reset in/).waitFor()
    expect(await sql(`select count(*) from rooms where name = 'Cellar'`)).toBe('0')
    opened?.expectSilence()
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
