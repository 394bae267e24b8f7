// The fixtures screen in a browser, by clicking: check, apply, problems with their places, export.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeOwnInspector } from '../../support/describe-inspector.ts'

describeOwnInspector('the fixtures screen', (world) => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenantry-fixture-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  async function open() {
    const { page } = await world.open('/fixtures')
    await page.getByRole('grid', { name: 'Fixtures' }).waitFor()
    return page
  }

  it('checks and applies a listed fixture', async () => {
    const page = await open()
    await page.getByRole('row').filter({ hasText: 'clinics' }).first().click()
    const sheet = page.getByRole('complementary', { name: 'Fixture' })
    await sheet.getByRole('button', { name: 'Check fixture' }).click()
    await sheet.getByText('No problems').waitFor()
    await sheet.getByRole('button', { name: 'Apply fixture' }).click()
    await sheet.getByText(/^Applied in/).waitFor()
    await world.shoot('fixtures-applied')
  })

  it('names the file and line of every problem', async () => {
    await writeFile(
      join(folder, 'fixture.yaml'),
      'groups:\n  - name: Broken\n    template: { slug: broken, name: Broken, sql: [missing.sql] }\n    nonsense: "<img src=x onerror=document.title=1>"\n',
    )
    const page = await open()
    await page.getByLabel('Path of a fixture folder on this machine').fill(folder)
    await page.getByRole('button', { name: 'Open fixture' }).click()
    const sheet = page.getByRole('complementary', { name: 'Fixture' })
    await sheet.getByRole('button', { name: 'Check fixture' }).click()
    const problems = sheet.getByRole('list', { name: 'Problems' })
    await problems
      .getByText(/fixture\.yaml:\d+/)
      .first()
      .waitFor()
    await world.shoot('fixtures-problems')
    expect(await page.title()).not.toBe('1')
  })

  it('lists the edited rows that a changed fixture did not overwrite', async () => {
    const save = (name: string) =>
      writeFile(
        join(folder, 'fixture.yaml'),
        `projects:\n  - slug: kept\n    sql: [{ text: "create table rooms (id int primary key, name text)" }]\n    rows: { rooms: [{ id: 1, name: ${name} }] }\n`,
      )
    const post = (path: string, body: object) =>
      fetch(`${world.url}/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await save('Blue')
    await post('/fixtures/apply', { fixture: folder })
    await post('/projects/kept/sql', { sql: "update rooms set name = 'Mine'", identity: 'owner' })
    await save('Green')
    const page = await open()
    await page.getByLabel('Path of a fixture folder on this machine').fill(folder)
    await page.getByRole('button', { name: 'Open fixture' }).click()
    const sheet = page.getByRole('complementary', { name: 'Fixture' })
    await sheet.getByText('No row would change.').waitFor()
    await sheet.getByRole('button', { name: 'Apply fixture' }).click()
    await sheet
      .getByText('kept: 1 row of rooms kept (edited since the fixture wrote them, name): 1')
      .waitFor()
  })

  it('saves the running platform as a fixture', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Export fixture' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export whole platform' }).click()
    expect((await download).suggestedFilename()).toBe('platform.tenantry-fixture')
    const chunks = await (await (await download).createReadStream()).toArray()
    const bytes = Buffer.concat(chunks)
    expect([bytes[0], bytes[1]]).toEqual([0x1f, 0x8b])
  })
})
