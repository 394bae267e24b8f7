// Clients that a public generator makes from each document compile in an application (docs/guide/openapi.md).
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import { createGroup, provisionTenant, type TestEmulator } from '../../support/test-emulator.ts'
import { typedApplication } from '../../support/typed-application.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const GENERATOR = resolve('node_modules/openapi-typescript/bin/cli.js')
const SQL = `create type mood as enum ('good', 'bad');
create table notes (id serial primary key, title text not null, mood mood, doc jsonb, tags text[]);
create table words (id uuid primary key, note integer references notes, word text);
create view titles as select title, doc from notes;
create function find_notes(wanted text default 'x', shape json default null) returns setof notes
  language sql stable as 'select * from notes where title = wanted'`

/** A use of the client for each document. The compiler would refuse it when a type were `any` or `never`. */
const DOCUMENTS: Readonly<Record<string, { readonly path: string; readonly use: string }>> = {
  own: {
    path: 'openapi.json',
    use: `const given: components['schemas']['JsonValue'] = { deep: [{ value: null }] }
const row: components['schemas']['NewRow'] = { title: 'x', doc: given }
// @ts-expect-error a row is an object
const text: components['schemas']['NewRow'] = 'x'
export const used = [row, text, Object.keys({} as paths['/info'])]`,
  },
  management: {
    path: 'openapi/management',
    use: `export const used = Object.keys({} as paths['/groups/v1/{group}/tenants'])`,
  },
  auth: { path: 'openapi/auth', use: `export const used = {} as keyof paths` },
  storage: { path: 'openapi/storage', use: `export const used = {} as keyof paths` },
  realtime: { path: 'openapi/realtime', use: `export const used = {} as keyof paths` },
  data: {
    path: 'openapi/data?project=north',
    use: `type Note = components['schemas']['notes']
export const title = (note: Note): string | null | undefined => note.title
// @ts-expect-error the table has no such column
export const nothing = (note: Note) => note.nothing`,
  },
}

const folder = temporaryFolder()
let complaints: readonly string[]

beforeAll(async () => {
  await using at = await workerEmulator()
  await provisionTenant(at, await createGroup(at, 'vendor', { sql: SQL }), 'north')
  const files = await Promise.all(
    Object.entries(DOCUMENTS).map(async ([name, { path, use }]) => [
      [`${name}.d.ts`, await generate(at, name, path)],
      [
        `${name}-use.ts`,
        `import type { components, paths } from './${name}.d.ts'\nexport type All = [components, paths]\n${use}\n`,
      ],
    ]),
  )
  using application = typedApplication(Object.fromEntries(files.flat()), {
    skipLibCheck: false,
    types: [],
  })
  complaints = (await application.compile()).split('\n').filter(Boolean)
})
afterAll(() => folder.remove())

/** Returns the types that the generator makes from a document. */
async function generate({ call }: TestEmulator, name: string, path: string): Promise<string> {
  const { text } = await call('GET', `/_emulator/v1/${path}`)
  const file = join(folder.path, `${name}.json`)
  writeFileSync(file, text)
  const { stdout } = await promisify(execFile)(process.execPath, [GENERATOR, file], {
    maxBuffer: 64 << 20,
  })
  return stdout
}

it.each(Object.keys(DOCUMENTS))(
  'the client generated from the document %s compiles in strict mode, with its library checked',
  (name) => {
    expect(complaints.filter((line) => line.startsWith(name))).toEqual([])
  },
)

it('all generated clients compile without any other error', () => {
  expect(complaints).toEqual([])
})
