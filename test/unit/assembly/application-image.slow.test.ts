// The image of an application's steps. A second run starts from the image and runs no step. A changed step makes a new image.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { applicationImage } from '../../../emulator/assembly/engine/application-image.ts'
import { openEmulator, readAhead } from '../../../emulator/assembly/library/emulator.ts'
import { temporaryFolder } from '../../support/cli-process.ts'
import { writeFixture } from '../../support/fixture-folder.ts'
import { callsTo, type Json } from '../../support/test-emulator.ts'

const root = temporaryFolder()
afterAll(() => root.remove())
const cache = join(root.path, 'node_modules', '.cache', 'tenantry')

const MARKS = `create table marks (id uuid primary key default gen_random_uuid());
insert into marks default values;
`

function write(step: string, slug = 'app'): string {
  return writeFixture(root.path, {
    'fixture.yaml': `groups:
  - name: App
    template: { slug: ${slug}, migrations: migrations, sql: [after.sql] }
    tenants:
      - slug: two
      - slug: one
        users: [{ email: ana@a.test, password: long-enough }]
`,
    'after.sql': "comment on table marks is 'sql ran';\n",
    'migrations/20260101000000_marks.sql': step,
  })
}

/**
 * Applies the fixture in a new emulator. Returns the rows of the template's step and SQL, and the rows or SQLSTATE of a query in
 * the tenant.
 */
async function run(folder: string, question = 'select 1'): Promise<Json> {
  const fixture = await readAhead(folder)
  const { path: preparedImage, problem } = await applicationImage(root.path, fixture)
  const emulator = await openEmulator({}, [], { preparedImage })
  try {
    const { port } = await emulator.listen({ port: 0, host: '127.0.0.1' })
    await emulator.applyFixture(fixture)
    const call = callsTo(`http://127.0.0.1:${port}`)
    const ask = async (project: string, sql: string): Promise<Json> => {
      const path = `/_emulator/v1/projects/${project}/sql`
      const { body } = await call<Json>('POST', path, { body: { sql, identity: 'owner' } })
      return body.error?.code ?? body.results[0].rows
    }
    return {
      marks: await ask('app', 'select id from marks'),
      sql: await ask('app', "select obj_description('marks'::regclass)"),
      ledger: await ask('app', 'select applied_at from tenantry_migrations'),
      tenant: await ask('one', 'select count(*) from marks'),
      answer: await ask('one', question),
      problem,
    }
  } finally {
    await emulator.close()
  }
}

const images = (): readonly string[] => readdirSync(cache).filter((name) => name.endsWith('.img'))

describe('the image of an application', () => {
  it('is created by the first run and reused by the second run', async () => {
    const folder = write(MARKS)
    const first = await run(folder)
    expect(first).toMatchObject({ sql: [['sql ran']], tenant: [['0']] })
    expect(images()).toHaveLength(1)
    // If the step had run again, the random value and the time would differ.
    expect(await run(folder)).toEqual(first)
    expect(images()).toHaveLength(1)
  })

  it('is created again when a step changed', async () => {
    const first = await run(write(MARKS))
    const other = await run(write(`${MARKS}insert into marks default values;\n`))
    expect(other.marks).toHaveLength(2)
    expect(other.marks).not.toContainEqual(first.marks[0])
    expect(images()).toHaveLength(2)
  })

  it('is created again when it is damaged', async () => {
    for (const name of images()) writeFileSync(join(cache, name), 'broken')
    expect((await run(write(MARKS))).marks).toHaveLength(1)
    expect((await run(write(MARKS))).marks).toHaveLength(1)
  })

  const counting = (setting: string) => `${MARKS}create function counted() returns bigint
language plpgsql security definer ${setting} as $$ begin return (select count(*) from marks); end $$;
`

  it('has functions with SET search_path FROM CURRENT, which work in each project', async () => {
    const before = images().length
    const folder = write(counting('set search_path from current'))
    const question =
      "select counted(), (select proconfig[1] from pg_proc where proname = 'counted')"
    const first = await run(folder, question)
    expect(first).toMatchObject({
      answer: [['0', 'search_path=proj_one, extensions']],
      problem: undefined,
    })
    expect(images()).toHaveLength(before + 1)
    expect(await run(folder, question)).toEqual(first)
  })

  it('has functions with an empty search_path, which find no table of their project', async () => {
    const folder = write(counting("set search_path = ''"))
    expect(await run(folder, 'select counted()')).toMatchObject({ answer: '42P01' })
  })

  it('is missing when it cannot be created, and each run reports the reason', async () => {
    const folder = write(`${MARKS}create materialized view counts as select count(*) from marks;\n`)
    for (let times = 0; times < 2; times += 1)
      expect(await run(folder)).toMatchObject({
        tenant: [['0']],
        problem: 'the template has a materialised view',
      })
  })

  it('is not created when a step names its own schema', async () => {
    const before = images()
    const folder = write(`create table proj_app.marks (id int primary key);
insert into marks values (7);
`)
    expect((await run(folder)).marks).toEqual([['7']])
    expect(before).toEqual(expect.arrayContaining([...images()]))
  })

  it('does not change the error of an invalid step', async () => {
    await expect(run(write('create tabl marks (id int);\n'))).rejects.toThrow(/marks\.sql:1.*42601/)
  })

  it('is kept in a cache of at most five images', async () => {
    mkdirSync(cache, { recursive: true })
    for (let number = 0; number < 8; number += 1)
      writeFileSync(join(cache, `old-${number}.img`), '')
    await run(write(`${MARKS}select 3;\n`))
    expect(readdirSync(cache).length).toBeLessThanOrEqual(5)
  })
})
