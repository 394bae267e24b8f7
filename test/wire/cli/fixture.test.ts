// `tenantry fixture` with a running emulator, and the remaining data when the emulator is killed while it applies a fixture.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spawnCli, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { writeFixture } from '../../support/fixture-folder.ts'
import { type Json, startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'

const folder = temporaryFolder()
let at: TestEmulator
beforeAll(async () => {
  at = await startTestEmulator()
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

const fixture = (...args: readonly string[]) => runCli(['fixture', ...args, '--url', at.url]).ended

const SOUND = `projects:
  - slug: notes
    users: [{ email: ana@x.test, password: secret1 }]
    sql: [notes.sql]
    rows: { notes: [{ id: 1, author: $user(ana@x.test) }] }
`
const NOTES = 'create table notes (id int primary key, author uuid);\n'

describe('tenantry fixture', () => {
  it('check ends with exit code 1, and prints the problem with file and line', async () => {
    const path = writeFixture(folder.path, {
      'fixture.yaml': SOUND,
      'notes.sql': '\ncreate tabel notes ();\n',
    })
    const { code, stdout } = await fixture('check', path)
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^notes\.sql:2: projects\[0\]\.sql\[0\]: syntax error at or near "tabel"/,
    )
    expect(stdout).toMatch(/1 problem; nothing was applied\.\n$/)
  })

  it('applies a folder, and reports nothing new the second time', async () => {
    const path = writeFixture(folder.path, { 'fixture.yaml': SOUND, 'notes.sql': NOTES })
    expect(await fixture('apply', path)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Applied .* made 1 project, 1 user, 1 row\.\n$/),
    })
    const again = await fixture('apply', path, '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({
      applied: true,
      created: { rows: 0 },
      unchanged: { rows: 1 },
    })
  })

  it('exports into a folder and a bundle, and checks both', async () => {
    const target = join(folder.path, 'exported')
    const bundle = join(folder.path, 'exported.tenantry-fixture')
    expect(await fixture('export', target)).toMatchObject({ code: 0, stdout: `Wrote ${target}.\n` })
    expect(readFileSync(join(target, 'fixture.yaml'), 'utf8')).toMatch(/slug: notes/)
    expect((await fixture('export', bundle)).code).toBe(0)
    for (const each of [target, bundle]) expect((await fixture('check', each)).code).toBe(0)
  })

  it('does not change a folder that is not empty', async () => {
    const target = join(folder.path, 'full')
    mkdirSync(join(target, 'mine'), { recursive: true })
    expect(await fixture('export', target)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is not empty\. Name a folder that does not exist yet\./),
    })
    expect(existsSync(join(target, 'fixture.yaml'))).toBe(false)
  })

  it('lists the built-in fixtures', async () => {
    expect((await fixture('list')).stdout).toMatch(
      /^clinics +Clinics\nquota-edge +Quota edge\nshop +Shop\n$/,
    )
  })
})

describe('an emulator killed while it applies a fixture', () => {
  it('has the state before the fixture when it starts again', async () => {
    const dataDir = join(folder.path, 'data')
    const before = SOUND.replace('] }\n', ', { id: 7 }] }\n')
    const plain = writeFixture(folder.path, { 'fixture.yaml': before, 'notes.sql': NOTES })
    const start = (...args: readonly string[]) =>
      spawnCli([
        'start',
        '--data-dir',
        dataDir,
        '--port',
        '0',
        '--postgres-port',
        'none',
        '--json',
        ...args,
      ])
    const first = start('--fixture', plain)
    const { auth_url: url } = await first.ready
    // The folder now also changes one row and removes another.
    writeFileSync(
      join(plain, 'fixture.yaml'),
      `${SOUND.replace('secret1 }]', 'secret1 }, { email: bia@x.test, password: secret2 }]').replace('rows: { notes: [', 'rows: { notes: [{ id: 2, author: $user(bia@x.test) }, ').replace('id: 1, author: $user(ana', 'id: 1, author: $user(bia')}  - slug: slow
    sql: [{ text: select pg_sleep(20) }]
accounts: [{ email: vendor@x.test, password: vendor-secret }]
`,
    )
    const applying = fetch(`${url}/_emulator/v1/fixtures/apply`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ fixture: plain }),
    }).catch(() => undefined)
    while (!(await exportedRows(url)).some(({ id }: Json) => id === 2));
    first.child.kill('SIGKILL')
    await Promise.all([applying, first.ended])

    const second = start('--fixture', 'none')
    const again = await second.ready
    expect((await usersOf(again.auth_url)).map(({ email }: Json) => email)).toEqual(['ana@x.test'])
    const [ana] = await usersOf(again.auth_url)
    expect(await exportedRows(again.auth_url)).toEqual([
      { id: 1, author: ana.id },
      { id: 7, author: null },
    ])
    expect((await fetch(`${again.auth_url}/_emulator/v1/projects/slow/tables`)).status).toBe(404)
    second.child.kill('SIGINT')
    await second.ended
  })
})

async function usersOf(url: string): Promise<Json> {
  return ((await (await fetch(`${url}/_emulator/v1/projects/notes/users`)).json()) as Json).users
}

async function exportedRows(url: string): Promise<Json> {
  const path = '/_emulator/v1/projects/notes/tables/notes/export?format=json'
  return await (await fetch(url + path)).json()
}
