// The inspector beside `tenantry dev`: a refused save shows its problem with file and line, and the next valid save removes the
// problem.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, CHROMIUM_HINT, workerChromium } from '../../support/chromium.ts'
import { temporaryFolder } from '../../support/cli-process.ts'
import { type CliRun, runCliIn } from '../../support/cli-run.ts'
import { type InspectorPage, openInspectorPage } from '../../support/inspector-page.ts'
import { untilAsync } from '../../support/until.ts'

const STEP = 'tenantry/migrations/20991231000000_stars.sql'

describe.skipIf(CHROMIUM === undefined)(`the followed folder${CHROMIUM_HINT}`, () => {
  const folder = temporaryFolder()
  let dev: CliRun
  let url: string
  let opened: InspectorPage | undefined

  beforeAll(async () => {
    await runCliIn(folder.path, ['init']).ended
    dev = runCliIn(folder.path, ['dev', '--json', '--memory', '--port', '0'])
    url = (await dev.ready).inspector_url.replace(/\/$/, '')
  })
  afterEach(async () => {
    await opened?.[Symbol.asyncDispose]()
    opened = undefined
  })
  afterAll(async () => {
    dev?.child.kill('SIGTERM')
    await dev?.ended
    folder.remove()
  })

  it('shows the last save on Fixtures, and a refused save on Home too', async () => {
    opened = await openInspectorPage(await workerChromium(), `${url}/fixtures`)
    const { page } = opened
    const panel = page.getByRole('region', { name: 'Application folder' })
    await panel.getByText(/^Last save applied in/).waitFor()
    writeFileSync(join(folder.path, STEP), '\nalter table nots add column stars integer;\n')
    await panel.getByText('The last save was refused.').waitFor()
    await panel.getByText('migrations/20991231000000_stars.sql:2').waitFor()
    await panel.getByText('alter table nots add column stars integer').waitFor()
    await opened.shoot('followed-refused')
    await page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name: 'Home' })
      .click()
    await panel.getByText(/relation "nots" does not exist/).waitFor()
    await opened.shoot('home-followed-refused')
    writeFileSync(join(folder.path, STEP), 'alter table notes add column stars integer;\n')
    await panel.waitFor({ state: 'detached' })
    expect(await page.getByRole('heading', { name: 'Home' }).count()).toBe(1)
    opened.expectSilence()
  })

  it('saves a query of the console as a file, and replaces the file only on request', async () => {
    const saved = () => readFileSync(join(folder.path, 'tenantry/queries/all notes.sql'), 'utf8')
    opened = await openInspectorPage(await workerChromium(), `${url}/t/acme/sql`)
    const { page } = opened
    const write = async (text: string) => {
      await page.locator('.cm-content').focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(text)
    }
    await write('select * from notes')
    await page.getByRole('button', { name: 'Saved queries' }).click()
    const name = page.getByRole('textbox', { name: 'Name of the file' })
    await name.fill('../notes')
    expect(await page.getByRole('button', { name: 'Save query' }).isDisabled()).toBe(true)
    await name.fill('all notes')
    await page.getByRole('button', { name: 'Save query' }).click()
    const entry = page.getByRole('list', { name: 'Queries' }).getByText('all notes.sql')
    await entry.waitFor()
    expect(saved()).toBe('select * from notes\n')
    await opened.shoot('sql-queries')
    await write('select 1')
    const order = { name: 'all notes', sql: 'select 2' }
    const refused = await fetch(new URL('/_emulator/v1/projects/acme/queries', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
    })
    expect([refused.status, saved()]).toEqual([409, 'select * from notes\n'])
    await page.getByRole('button', { name: 'Replace file' }).click()
    await untilAsync(async () => saved() === 'select 1\n')
    opened.expectSilence()
  })

  it('applies a save that would lose rows only after the user confirms', async () => {
    const at = join(folder.path, 'tenantry/migrations/20991231000002_tags.sql')
    const sql = async (text: string): Promise<string> => {
      const api = new URL('/_emulator/v1/projects/acme/sql', url).href
      const body = JSON.stringify({ sql: text, identity: 'owner' })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(api, { method: 'POST', headers, body })).text()
    }
    writeFileSync(at, 'create table tags (id int primary key, name text);\n')
    const insertion = "insert into tags values (1, 'mine')"
    await untilAsync(async () => (await sql(insertion)).includes('"error":null'))
    opened = await openInspectorPage(await workerChromium(), url)
    const { page } = opened
    writeFileSync(at, 'create table tags (id int primary key);\n')
    const panel = page.getByRole('region', { name: 'Application folder' })
    await panel.getByText('Last save waits, because it would lose rows.').waitFor()
    const lost = panel.getByRole('list', { name: 'Rows that would be lost' })
    await lost.getByText('acme: 1 row of tags.name').waitFor()
    await lost.getByText('{"id": 1, "name": "mine"}').waitFor()
    await opened.shoot('followed-waiting')
    expect(await sql('select name from tags')).toContain('mine')
    await panel.getByRole('button', { name: 'Apply save and lose these rows' }).click()
    await panel.waitFor({ state: 'detached' })
    expect(await sql('select * from tags')).toContain('"rows":[["1"]]')
    opened.expectSilence()
  })

  it('applies a suggested fix as a migration step', async () => {
    const api = new URL('/_emulator/v1/projects/acme/sql', url).href
    const sql = async (text: string): Promise<string> => {
      const body = JSON.stringify({ sql: text, identity: 'owner' })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(api, { method: 'POST', headers, body })).text()
    }
    writeFileSync(
      join(folder.path, 'tenantry/migrations/20991231000001_tasks.sql'),
      'create table tasks (id int primary key, owner uuid); alter table tasks enable row level security;',
    )
    const insertion = 'insert into tasks select id, owner from notes'
    await untilAsync(async () => (await sql(insertion)).includes('"error":null'))
    opened = await openInspectorPage(
      await workerChromium(),
      `${url}/t/acme/tables/tasks?as=user%3Aben%40acme.test`,
    )
    const { page } = opened
    const row = page.locator('[data-hidden-row]').last()
    await row.getByRole('button', { name: /Why is this row hidden/ }).click()
    const fix = page.getByLabel('Suggested fixes').getByRole('listitem').first()
    await fix
      .getByText(/^Lets ben@acme\.test see this row\. Also lets 1 other user see 2 rows/)
      .waitFor()
    await opened.shoot('followed-fix')
    await fix.getByRole('button', { name: 'Apply fix…' }).click()
    const sheet = page.getByRole('dialog', { name: 'Change' })
    await sheet.getByRole('button', { name: /^Rehearse on the template/ }).click()
    await sheet.getByRole('button', { name: /^Save step and apply/ }).click()
    await sheet.getByText('done', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByTestId('verdict').filter({ hasText: 'Visible to ben@acme.test' }).waitFor()
    const [saved = ''] = readdirSync(join(folder.path, 'tenantry/migrations')).toReversed()
    expect(saved).toMatch(/^20991231000003_a_new_policy_lets_authenticated_see/)
    expect(readFileSync(join(folder.path, 'tenantry/migrations', saved), 'utf8')).toMatch(
      /^-- A new policy .*\n\ncreate policy "authenticated_select" on "tasks" .* using \("owner" = auth\.uid\(\)\);\n$/,
    )
    opened.expectSilence()
  })
})
