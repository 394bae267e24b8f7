// `tenantry dev` applies each save of the application's folder, and refuses a wrong one without changing anything.
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliProcess, spawnCliIn, temporaryFolder } from '../../support/cli-process.ts'
import { type CliRun, runCliIn } from '../../support/cli-run.ts'
import { readEvents } from '../../support/event-stream.ts'
import { type JsonLines, jsonLinesOf } from '../../support/json-lines.ts'
import { callsTo, type Json } from '../../support/test-emulator.ts'

let folder: ReturnType<typeof temporaryFolder>
let dev: CliRun | CliProcess | undefined
let lines: JsonLines
let url: string

beforeEach(async () => {
  folder = temporaryFolder()
  await runCliIn(folder.path, ['init']).ended
})
afterEach(async () => {
  dev?.child.kill('SIGINT')
  await dev?.ended
  dev = undefined
  folder.remove()
})

const inFolder = (name: string): string => join(folder.path, 'tenantry', name)
const save = (name: string, text: string): void => writeFileSync(inFolder(name), text)
const DEV = ['dev', '--json', '--port', '0', '--postgres-port', 'none']
const STARS = 'migrations/20991231000000_stars.sql'

/** Starts `tenantry dev`. Returns the report of the first application. */
function start(...args: string[]): Promise<Json> {
  return started(runCliIn(folder.path, [...DEV, ...args]))
}

/** Same as `start`, but in a separate process. */
function startProcess(): Promise<Json> {
  return started(spawnCliIn(folder.path, DEV))
}

async function started(cli: CliRun | CliProcess): Promise<Json> {
  dev = cli
  lines = jsonLinesOf(dev.child)
  url = (await lines.next()).auth_url
  return lines.next()
}

async function ask(project: string, sql: string): Promise<Json> {
  const path = `/_emulator/v1/projects/${project}/sql`
  const { body } = await callsTo(url)<Json>('POST', path, { body: { sql, identity: 'owner' } })
  return body.error ?? body.results.at(-1).rows
}

async function followed(): Promise<Json> {
  return (await callsTo(url)<Json>('GET', '/_emulator/v1/fixtures')).body.followed
}

describe('tenantry dev', () => {
  it('applies the folder, and then each saved step to the template and the tenants', async () => {
    expect(await start()).toMatchObject({ event: 'applied', created: { tenants: 1, rows: 3 } })
    expect(readFileSync(join(folder.path, '.tenantry/.gitignore'), 'utf8')).toBe('*\n')
    save(STARS, 'alter table notes add column stars integer;\n')
    expect(await lines.next()).toEqual({
      event: 'applied',
      migrated: [
        { project: 'notes', steps: ['20991231000000_stars.sql'] },
        { project: 'acme', steps: ['20991231000000_stars.sql'] },
      ],
      redone: [],
      rebuilt: [],
      kept: [],
      created: expect.objectContaining({ rows: 0 }),
      rows: { changed: 0, removed: 0, kept: [] },
      types: null,
      problems: [],
      being_written: [],
      notes: [],
      losses: [],
      stuck: [],
      people: [],
      lint: [],
      duration_ms: expect.any(Number),
    })
    expect(await ask('acme', 'select stars from notes limit 1')).toEqual([[null]])
    expect(await followed()).toMatchObject({ event: 'applied', problems: [] })
    // The command finds the emulator through the folder, because the emulator listens on a free port.
    expect(await runCliIn(folder.path, ['migrate', 'status']).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('tenant    acme   steps: 2 ran, none pending'),
    })
  })

  it('refuses a step with an error, names file and line, and continues when the step is fixed', async () => {
    await start('--memory')
    save(STARS, '\nalter table notes add colum stars integer;\n')
    const { event, problems } = await lines.next()
    expect(event).toBe('refused')
    expect(problems).toMatchObject([
      { file: STARS, line: 2, message: expect.stringContaining('42601') },
    ])
    expect(await followed()).toMatchObject({ event: 'refused', problems: [{ line: 2 }] })
    save(STARS, 'alter table notes add column stars integer;\n')
    expect(await lines.next()).toMatchObject({ event: 'applied' })
  })

  it('notices files that are replaced or deleted, and many files saved at once', async () => {
    await start('--memory')
    const rows = readFileSync(inFolder('rows/notes.csv'), 'utf8')
    save('rows/notes.csv~', `${rows}4,$user(ana@acme.test),Replaced\n`)
    renameSync(inFolder('rows/notes.csv~'), inFolder('rows/notes.csv'))
    expect(await lines.next()).toMatchObject({ event: 'applied', created: { rows: 1 } })
    save('rows/notes.csv', `${rows}5,$user(ana@acme.test),In place\n`)
    expect(await lines.next()).toMatchObject({ event: 'applied', created: { rows: 1 } })
    for (let step = 10; step < 30; step += 1)
      save(`migrations/209912310000${step}_t.sql`, `create table t${step} (id int primary key);\n`)
    const migrated: string[] = []
    while (migrated.length < 20) {
      const { migrated: some } = await lines.next()
      migrated.push(...some.find(({ project }: Json) => project === 'notes').steps)
    }
    expect(await ask('acme', 'select count(*) from t29')).toEqual([['0']])
    rmSync(inFolder('migrations/20991231000029_t.sql'))
    expect(await lines.next()).toMatchObject({ event: 'applied', redone: [{}, {}] })
    expect(await ask('acme', 'select count(*) from t29')).toMatchObject({ code: '42P01' })
  })

  it('follows a folder that is moved away and back', async () => {
    await start('--memory')
    renameSync(inFolder('.'), join(folder.path, 'away'))
    expect(await lines.next()).toMatchObject({ event: 'refused', problems: [{ line: null }] })
    renameSync(join(folder.path, 'away'), inFolder('.'))
    expect(await lines.next()).toMatchObject({ event: 'applied' })
    save(STARS, 'alter table notes add column stars integer;\n')
    expect(await lines.next()).toMatchObject({ event: 'applied', migrated: [{}, {}] })
  })

  it('writes the file of types only when the types change, and does not react to its own write', async () => {
    await start('--memory')
    const fixture = readFileSync(inFolder('fixture.yaml'), 'utf8')
    save('fixture.yaml', fixture.replace('# types:', 'types:'))
    expect(await lines.next()).toMatchObject({ types: 'types/database.types.ts' })
    const types = inFolder('types/database.types.ts')
    expect(readFileSync(types, 'utf8')).toContain('notes:')
    const { mtimeMs } = statSync(types)
    save(
      'rows/notes.csv',
      `${readFileSync(inFolder('rows/notes.csv'), 'utf8')}4,$user(ben@acme.test),Swim\n`,
    )
    expect(await lines.next()).toMatchObject({ event: 'applied', types: null })
    expect(statSync(types).mtimeMs).toBe(mtimeMs)
    save(STARS, 'alter table notes add column stars integer;\n')
    expect(await lines.next()).toMatchObject({ types: 'types/database.types.ts' })
    expect(readFileSync(types, 'utf8')).toContain('stars: number | null')
  })

  it('writes types anywhere in the application’s folder, but never over a file that it did not make', async () => {
    await start('--memory')
    const fixture = readFileSync(inFolder('fixture.yaml'), 'utf8')
    const typesIn = (file: string) =>
      save('fixture.yaml', fixture.replace(/# types:.*/, `types: ${file}`))
    typesIn('../src/made/database.types.ts')
    expect(await lines.next()).toMatchObject({ types: '../src/made/database.types.ts' })
    expect(readFileSync(join(folder.path, 'src/made/database.types.ts'), 'utf8')).toContain(
      'notes:',
    )
    const mine = join(folder.path, 'src/mine.ts')
    writeFileSync(mine, 'export const mine = 1\n')
    typesIn('../src/mine.ts')
    expect(await lines.next()).toMatchObject({ event: 'applied', types: null })
    expect(readFileSync(mine, 'utf8')).toBe('export const mine = 1\n')
    const outside = temporaryFolder()
    symlinkSync(outside.path, join(folder.path, 'linked'))
    typesIn('../linked/new/database.types.ts')
    expect(await lines.next()).toMatchObject({ event: 'applied', types: null })
    expect(readdirSync(outside.path)).toEqual([])
    outside.remove()
    for (const file of ['../../database.types.ts', 'types/../../../database.types.ts']) {
      typesIn(file)
      expect(await lines.next()).toMatchObject({
        event: 'refused',
        problems: [
          { file: 'fixture.yaml', message: expect.stringContaining('application’s folder') },
        ],
      })
    }
    typesIn('../src/made/database.types.ts')
    expect(await lines.next()).toMatchObject({ event: 'applied', types: null })
    dev?.child.kill('SIGINT')
    const { stderr } = (await dev?.ended) ?? { stderr: '' }
    expect(stderr).toContain(
      `tenantry: ${mine} was not made by Tenantry, so no types were written into it.`,
    )
    expect(stderr).toContain('lies outside the application’s folder')
  })

  it('starts with a folder that has problems, and applies it when they are fixed', async () => {
    save(STARS, 'alter table nots add column stars integer;\n')
    expect(await start('--memory')).toMatchObject({ event: 'refused', problems: [{ file: STARS }] })
    save(STARS, 'alter table notes add column stars integer;\n')
    expect(await lines.next()).toMatchObject({ event: 'applied', created: { tenants: 1 } })
  })

  it('applies at its start a step that changed while dev was not running', async () => {
    save(STARS, 'alter table notes add column stars integer;\n')
    await start()
    dev?.child.kill('SIGINT')
    await dev?.ended
    save(STARS, 'alter table notes add column points integer;\n')
    expect(await start()).toMatchObject({
      event: 'applied',
      redone: [{ project: 'notes' }, { project: 'acme' }],
    })
    expect(await ask('acme', 'select count(points) from notes')).toEqual([['0']])
  })

  it('completes at its next start a rebuild that a crash interrupted', async () => {
    const fixture = readFileSync(inFolder('fixture.yaml'), 'utf8')
    save('fixture.yaml', fixture.replace('- slug: acme\n', '$&        sql: [data.sql]\n'))
    // The statement takes so long that the crash interrupts it.
    const slow = 'select pg_sleep(1); insert into proj_acme.notes (id, owner, title)'
    save('data.sql', `${slow} select 70, id, 'from sql' from proj_acme.auth_users limit 1;\n`)
    save(STARS, 'alter table notes add column stars integer;\n')
    await startProcess()
    // The steps cannot drop the column that these views use, so the projects must be emptied.
    for (const project of ['notes', 'acme'])
      await ask(project, 'create view starred as select stars from notes')
    save(STARS, 'alter table notes add column points integer;\n')
    expect(await lines.next()).toMatchObject({ event: 'waiting', stuck: [{}, {}] })
    await using events = await readEvents(url)
    const rebuilding = callsTo(url)('POST', '/_emulator/v1/fixtures/followed/rebuild')
    rebuilding.catch(() => undefined)
    await events.next(({ step }) => step === 'acme: migrations')
    dev?.child.kill('SIGKILL')
    await dev?.ended
    expect(await start()).toMatchObject({ event: 'rebuilt', rebuilt: ['notes', 'acme'] })
    expect(await ask('acme', 'select points, title from notes where id = 70')).toEqual([
      [null, 'from sql'],
    ])
  })

  it('ends with exit code 0 and removes its run file', async () => {
    await startProcess()
    dev?.child.kill('SIGINT')
    expect(await dev?.ended).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(join(folder.path, '.tenantry/running.json'))).toBe(false)
  })

  it('needs an application folder', async () => {
    rmSync(inFolder('.'), { recursive: true })
    dev = runCliIn(folder.path, ['dev'])
    expect(await dev.ended).toMatchObject({
      code: 1,
      stderr:
        'tenantry: There is no fixture.yaml in tenantry, so there is nothing to follow. Make an application folder with "tenantry init".\n',
    })
  })
})
