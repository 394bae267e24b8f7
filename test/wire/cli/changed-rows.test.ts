// Changed rows in the application's folder. `dev`, `start` and `fixture apply` apply the changes to the tenants, and name rows
// that were edited since the last application.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import { type CliRun, runCliIn } from '../../support/cli-run.ts'
import { type JsonLines, jsonLinesOf } from '../../support/json-lines.ts'
import { callsTo, type Json } from '../../support/test-emulator.ts'

let folder: ReturnType<typeof temporaryFolder>
let running: CliRun | undefined
let url: string

beforeEach(async () => {
  folder = temporaryFolder()
  await runCliIn(folder.path, ['init']).ended
})
afterEach(async () => {
  await stop()
  folder.remove()
})

async function stop(): Promise<{ readonly stderr: string } | undefined> {
  running?.child.kill('SIGINT')
  const ended = await running?.ended
  running = undefined
  return ended
}

const ROWS = 'tenantry/rows/notes.csv'
const rows = (): string => readFileSync(join(folder.path, ROWS), 'utf8')
const save = (text: string): void => writeFileSync(join(folder.path, ROWS), text)

/** Starts a command in the application's folder. Returns the JSON lines that the command prints next. */
async function start(command: 'dev' | 'start', ...more: readonly string[]): Promise<JsonLines> {
  const options = ['--json', '--port', '0', '--postgres-port', 'none', ...more]
  running = runCliIn(folder.path, [command, ...options])
  const lines = jsonLinesOf(running.child)
  url = (await lines.next()).auth_url
  return lines
}

async function ask(sql: string): Promise<Json> {
  const path = '/_emulator/v1/projects/acme/sql'
  const { body } = await callsTo(url)<Json>('POST', path, { body: { sql, identity: 'owner' } })
  return body.error ?? body.results.at(-1).rows
}

const titles = () => ask('select id, title from notes order by id')
const KEPT = 'acme: Kept 1 row of notes, which was edited since the fixture wrote it (title): id 2.'
const HINT = 'To drop everything that was made by hand, run "tenantry reset --to fixture".'

describe('changed rows of the application folder', () => {
  it('reach the tenants after a save, except rows that were edited in the tenant', async () => {
    const lines = await start('dev')
    await lines.next()
    await ask("update notes set title = 'By hand' where id = 2")
    save(rows().replace('Buy coffee', 'Buy tea').replace('Call the bank', 'Call a friend'))
    expect(await lines.next()).toMatchObject({
      event: 'applied',
      rows: {
        changed: 1,
        removed: 0,
        kept: [{ project: 'acme', table: 'notes', keys: [{ id: '2' }], columns: ['title'] }],
      },
    })
    save(rows().replace(/^3,.*$/m, '4,$user(ben@acme.test),New'))
    expect(await lines.next()).toMatchObject({
      created: { rows: 1 },
      rows: { changed: 0, removed: 1, kept: [] },
    })
    expect(await titles()).toEqual([
      ['1', 'Buy tea'],
      ['2', 'By hand'],
      ['4', 'New'],
    ])
  })

  it('reach the tenants at the next start, which names the edited rows once on standard error', async () => {
    await start('start')
    await ask("update notes set title = 'By hand' where id = 2")
    await stop()
    save(rows().replace('Buy coffee', 'Buy tea').replace('Call the bank', 'Call a friend'))
    await start('start')
    expect(await titles()).toContainEqual(['1', 'Buy tea'])
    expect(await titles()).toContainEqual(['2', 'By hand'])
    expect((await stop())?.stderr).toBe(`tenantry: ${KEPT}\ntenantry: ${HINT}\n`)
    await start('start')
    expect((await stop())?.stderr).toBe('')
  })

  it('reach the tenants with fixture apply, which prints what it changed', async () => {
    await start('start')
    await ask("update notes set title = 'By hand' where id = 2")
    save(
      rows()
        .replace('Buy coffee', 'Buy tea')
        .replace('Call the bank', 'x')
        .replace(/^3,.*$/m, ''),
    )
    const { code, stdout } = await runCliIn(folder.path, ['fixture', 'apply', 'tenantry']).ended
    expect(code).toBe(0)
    const [head, ...kept] = stdout.trimEnd().split('\n')
    expect(head).toMatch(
      /^Applied tenantry in \d+ ms: made nothing new; 1 changed row; 1 removed row; there already: .*1 row\.$/,
    )
    expect(kept).toEqual([KEPT, HINT])
    const reset = await runCliIn(folder.path, ['reset', '--to', 'fixture']).ended
    expect(reset).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Reset to the fixture in/),
    })
    expect(await titles()).toEqual([
      ['1', 'Buy tea'],
      ['2', 'x'],
    ])
  })

  it('come from the seed that --seed-data chooses', async () => {
    const place = join(folder.path, 'tenantry/seeds/demo/rows/notes.csv')
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, 'id,owner,title\n1,$user(ana@acme.test),Demo\n')
    const lines = await start('dev', '--seed-data', 'demo')
    await lines.next()
    expect(await titles()).toEqual([['1', 'Demo']])
    writeFileSync(place, 'id,owner,title\n1,$user(ana@acme.test),Demo two\n')
    expect(await lines.next()).toMatchObject({ rows: { changed: 1 } })
    expect((await runCliIn(folder.path, ['reset', '--to', 'fixture']).ended).code).toBe(0)
    expect(await titles()).toEqual([['1', 'Demo two']])
    const other = ['fixture', 'apply', 'tenantry', '--seed-data', 'none']
    expect(await runCliIn(folder.path, other).ended).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('there is no seed "none". The fixture has the seeds demo'),
    })
    await runCliIn(folder.path, ['fixture', 'apply', 'tenantry']).ended
    expect(await titles()).toContainEqual(['3', 'Water the plants'])
  })
})
