// Steps that change while `tenantry dev` runs: no row is lost unless the user asks for it.
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliProcess, spawnCliWithInput, temporaryFolder } from '../../support/cli-process.ts'
import { type CliRun, runCliIn } from '../../support/cli-run.ts'
import { type JsonLines, jsonLinesOf } from '../../support/json-lines.ts'
import { callsTo, type Json } from '../../support/test-emulator.ts'
import { until } from '../../support/until.ts'

let folder: ReturnType<typeof temporaryFolder>
let dev: CliRun | CliProcess
let lines: JsonLines
let url: string

beforeEach(async () => {
  folder = temporaryFolder()
  await runCliIn(folder.path, ['init']).ended
})
afterEach(async () => {
  dev.child.kill('SIGINT')
  await dev.ended
  folder.remove()
})

const STEPS = 'tenantry/migrations'
const STEP = '20991231000000_tasks.sql'
const TASKS =
  'create table tasks (id int primary key, title text);\nalter table tasks enable row level security;\n'
const MINE = "insert into tasks values (1, 'mine')"
const OPTIONS = ['dev', '--port', '0', '--postgres-port', 'none']
const save = (text: string, file = STEP): void =>
  writeFileSync(join(folder.path, STEPS, file), text)

async function start(): Promise<void> {
  dev = runCliIn(folder.path, [...OPTIONS, '--json'])
  lines = jsonLinesOf(dev.child)
  url = (await lines.next()).auth_url
  await lines.next()
}

async function ask(project: string, sql: string): Promise<Json> {
  const path = `/_emulator/v1/projects/${project}/sql`
  const { body } = await callsTo(url)<Json>('POST', path, { body: { sql, identity: 'owner' } })
  return body.error ?? body.results.at(-1).rows
}

/** Starts `dev`, and saves a step that would drop a table with one row, so that the save waits. */
async function startWaiting(): Promise<Json> {
  save(TASKS)
  await start()
  await ask('acme', MINE)
  rmSync(join(folder.path, STEPS, STEP))
  return lines.next()
}

const SNAPSHOTS = '/_emulator/v1/snapshots'
const REBUILD = '/_emulator/v1/fixtures/followed/rebuild'

describe('a migration step that changes while dev runs', () => {
  it('keeps rows when it is created empty and filled in later', async () => {
    await start()
    await ask(
      'acme',
      "insert into notes (id, owner, title) select 90, id, 'mine' from auth_users limit 1",
    )
    await runCliIn(folder.path, ['migrate', 'new', 'add_done']).ended
    expect(await lines.next()).toMatchObject({ event: 'applied', migrated: [] })
    const [file = ''] = readdirSync(join(folder.path, STEPS)).toReversed()
    const text = 'alter table notes add column done boolean;\n'
    appendFileSync(join(folder.path, STEPS, file), text)
    expect(await lines.next()).toMatchObject({ event: 'applied', migrated: [{}, {}] })
    appendFileSync(join(folder.path, STEPS, file), '-- done\n')
    expect(await lines.next()).toMatchObject({ event: 'applied', migrated: [], redone: [] })
    // Replaces the file by renaming another one, as some editors do.
    save(text.replace('boolean', 'text'), `${file}~`)
    renameSync(join(folder.path, STEPS, `${file}~`), join(folder.path, STEPS, file))
    expect(await lines.next()).toMatchObject({ event: 'applied', redone: [{}, {}], losses: [] })
    expect(await ask('acme', 'select title, done from notes where id = 90')).toEqual([
      ['mine', null],
    ])
  })

  it('changes the structure in place after a snapshot was restored', async () => {
    await start()
    const text = 'alter table notes add column chip text;\n'
    const calls = callsTo(url)
    expect((await calls('POST', SNAPSHOTS, { body: { name: 's1' } })).status).toBe(201)
    save(text)
    expect(await lines.next()).toMatchObject({ event: 'applied', migrated: [{}, {}] })
    expect((await calls('POST', `${SNAPSHOTS}/s1/restore`)).status).toBe(200)
    save(TASKS, '20991231000001_tasks.sql')
    expect(await lines.next()).toMatchObject({
      event: 'applied',
      migrated: [{ steps: [STEP, expect.any(String)] }, {}],
    })
    save(text.replace('text', 'int'))
    expect(await lines.next()).toMatchObject({ event: 'applied', stuck: [], redone: [{}, {}] })
  })

  it('can run after a reset to the fixture when the group was renamed', async () => {
    await start()
    dev.child.kill('SIGINT')
    await dev.ended
    const file = join(folder.path, 'tenantry/fixture.yaml')
    const renamed = readFileSync(file, 'utf8').replace('- name: Notes', '- name: Cards')
    writeFileSync(file, renamed)
    dev = runCliIn(folder.path, [...OPTIONS, '--json'])
    lines = jsonLinesOf(dev.child)
    url = (await lines.next()).auth_url
    const refusal = { message: expect.stringContaining('"tenantry reset --to fixture"') }
    expect(await lines.next()).toMatchObject({ event: 'refused', problems: [refusal] })
    expect(await runCliIn(folder.path, ['reset', '--to', 'fixture']).ended).toMatchObject({
      code: 0,
    })
    save(TASKS)
    expect(await lines.next()).toMatchObject({ event: 'applied', migrated: [{}, {}] })
  })

  it('waits, and names the rows that would be lost, until the user presses r', async () => {
    expect(await startWaiting()).toMatchObject({
      event: 'waiting',
      losses: [
        {
          project: 'acme',
          table: 'tasks',
          column: null,
          rows: 1,
          example: '{"id": 1, "title": "mine"}',
        },
      ],
    })
    expect(await ask('acme', 'select title from tasks')).toEqual([['mine']])
    dev.child.stdin?.write('r\n')
    expect(await lines.next()).toMatchObject({ event: 'applied', losses: [{ rows: 1 }] })
    expect(await ask('acme', 'select from tasks')).toMatchObject({ code: '42P01' })
    expect((await callsTo(url)('POST', REBUILD)).status).toBe(409)
  })

  it('waits until the API or dev --rebuild allows the loss, and keeps the rows when the step is restored', async () => {
    expect(await startWaiting()).toMatchObject({ event: 'waiting' })
    save(TASKS)
    expect(await lines.next()).toMatchObject({ event: 'applied', redone: [] })
    expect(await ask('acme', 'select title from tasks')).toEqual([['mine']])
    save(TASKS.replace(', title text', ''))
    expect(await lines.next()).toMatchObject({
      event: 'waiting',
      losses: [{ project: 'acme', table: 'tasks', column: 'title', rows: 1 }],
    })
    const { body, status } = await callsTo(url)<Json>('POST', REBUILD)
    expect({ status, body }).toMatchObject({ status: 200, body: { event: 'applied' } })
    expect(await lines.next()).toMatchObject({ event: 'applied', losses: [{}] })
    expect(await ask('acme', 'select * from tasks')).toEqual([['1']])
    rmSync(join(folder.path, STEPS, STEP))
    expect(await lines.next()).toMatchObject({ event: 'waiting' })
    expect(await runCliIn(folder.path, ['dev', '--rebuild']).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Lost: acme: 1 row of tasks'),
    })
    expect(await lines.next()).toMatchObject({ event: 'applied' })
  })

  it('is reported with its risks, their lines and a safer form', async () => {
    await start()
    save(`${TASKS}create policy by_note on tasks to authenticated
  using (exists (select from notes where notes.id = tasks.id));\n`)
    const { lint } = await lines.next()
    expect(lint).toMatchObject([
      { file: `migrations/${STEP}`, line: 3, rule: 'realtime-cannot-judge', severity: 'warning' },
    ])
    expect(lint[0].safer).toContain('SECURITY DEFINER SET search_path FROM CURRENT')
  })

  it('is reported with the identities that see more or fewer rows', async () => {
    save('create policy readable on notes for select to authenticated using (true);\n')
    await start()
    save('create policy readable on notes for select using (true);\n')
    const { people } = await lines.next()
    expect(people).toMatchObject([
      { project: 'acme', table: 'notes', identity: 'anon', gained: 3, lost: 0, error: null },
    ])
    expect(people[0].example).toMatchObject({ id: expect.any(String) })
    rmSync(join(folder.path, STEPS, STEP))
    const gone = (await lines.next()).people as readonly Json[]
    // Users still see their own notes: ana sees two, and ben sees one. The order of users depends on their random ids.
    expect(gone.map(({ identity, lost }) => `${identity} ${lost}`).toSorted()).toEqual([
      'ana@acme.test 1',
      'anon 3',
      'ben@acme.test 2',
    ])
  })

  it('is explained in the terminal while it waits, and an incomplete step is reported only once', async () => {
    save(TASKS)
    dev = spawnCliWithInput(folder.path, OPTIONS)
    let shown = ''
    dev.child.stdout?.on('data', (bytes: Buffer) => {
      shown += bytes.toString()
    })
    const sees = (text: string): Promise<void> => until(() => shown.includes(text))
    await sees('Watching tenantry for changes.')
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(shown)?.[0] ?? ''
    await ask('acme', MINE)
    save(`${TASKS}create tabl`)
    await sees(`${STEPS}/${STEP}:3: syntax error`)
    await sees(`Waiting until migrations/${STEP} can be parsed. The emulator stays as it was.\n`)
    save(`${TASKS}create table`)
    save('create table others (id int);\n', '20991231000001_others.sql')
    save(`${TASKS}create table more (id int);`)
    await sees('Applied in')
    await sees(`changed ${STEP} in notes, acme; 20991231000001_others.sql in notes, acme.`)
    expect(shown.match(/can be parsed/g)).toHaveLength(1)
    rmSync(join(folder.path, STEPS, '20991231000001_others.sql'))
    await sees('took back 20991231000001_others.sql in notes, acme.')
    rmSync(join(folder.path, STEPS, STEP))
    await sees(
      'because this save would lose rows:\n  acme: 1 row of tasks, e.g. {"id": 1, "title": "mine"}\n',
    )
    await sees('Press r to lose these rows, or run "tenantry dev --rebuild".')
    dev.child.stdin?.write('no\nr\n')
    await sees('Lost: acme: 1 row of tasks')
    save('create policy readable on notes for select using (true);\n')
    await sees('\n  acme: anon newly sees 3 rows of notes, e.g. {"id":')
  })
})
