// Fuzzes fixture files: definitions with valid and invalid values of every member, broken YAML, files with SQL and rows, and
// bundles of any bytes. The emulator only checks each fixture, so that it stores nothing.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { FIXTURE_EXAMPLES, type FixtureCase } from '../examples/fixture.ts'
import type { FuzzWorld } from '../fuzz-world.ts'
import { type FuzzSession, type FuzzTarget, requireNoTrace, requireThat } from '../target.ts'

const crumb = fc.constantFrom(
  ...[
    '',
    'a',
    'x1',
    'A B',
    'target',
    'canary',
    'a@b.test',
    '+551199999999',
    'files/none.sql',
    '../x',
  ],
  ...[
    'rows.csv',
    '2030-01-01T00:00:00Z',
    'secret1',
    'JBSWY3DP',
    'pro',
    'free',
    'magic',
    '\0',
    '\ud800',
  ],
  ...['00000000-0000-4000-8000-000000000000', 'text/plain', '__proto__', 'scrypt$1$a$b', 'é', '~'],
)
const leaf = fc.oneof(
  { weight: 5, arbitrary: crumb },
  fc.constantFrom(true, false, null, 0, 1, -1, 1.5, 1e308, '9'.repeat(25)),
  fc.jsonValue({ maxDepth: 1 }),
)
// Nearly all values are valid, so that the checks also reach nested members.
const mostly = <Value>(fitting: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 40, arbitrary: fitting }, leaf)
const record = (
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  requiredKeys: readonly string[] = [],
) => fc.record(members, { requiredKeys: [...requiredKeys], noNullPrototype: true })
const list = (of: fc.Arbitrary<unknown>) => mostly(fc.array(mostly(of), { maxLength: 2 }))
const text = mostly(fc.constantFrom('a', 'B c', 'é'))
const flag = mostly(fc.boolean())
const instant = mostly(fc.constantFrom('2030-01-01T00:00:00Z', '1999-12-31T23:59:59+14:00'))
const email = mostly(fc.constantFrom('a@b.test', 'A@b.test', 'c@d.test'))
const statement = fc.constantFrom(
  ...[
    'create table t (id int primary key, n text);',
    'select 1',
    'selec',
    '',
    'drop schema public;',
  ],
  ...[
    'insert into t values (1);',
    'set role postgres;',
    "select '",
    'begin;',
    'commit;',
    '--',
    '$$',
  ],
)
const sql = list(fc.oneof(fc.record({ text: statement }), crumb))
const cells = fc.dictionary(fc.constantFrom('id', 'n', 'x', ''), leaf, { noNullPrototype: true })
const rows = fc.dictionary(
  fc.constantFrom('t', 'auth_users', 'public.t', ''),
  mostly(fc.oneof(fc.constant('rows.csv'), fc.array(cells, { maxLength: 2 }))),
  { maxKeys: 2, noNullPrototype: true },
)
const user = record(
  {
    email,
    phone: mostly(fc.constant('+551199999999')),
    data: mostly(record({ a: leaf })),
    confirmed: flag,
    banned_until: instant,
    identities: list(record({ provider: text, id: text, email }, ['provider', 'id'])),
    factors: list(
      record({ secret: mostly(fc.constant('JBSWY3DP')), friendly_name: text, verified: flag }, [
        'secret',
      ]),
    ),
  },
  ['email'],
)
const object = record({ key: text, text, file: leaf, type: text })
const bucket = record(
  {
    name: mostly(fc.constantFrom('files', 'b')),
    public: flag,
    file_size_limit: mostly(fc.nat()),
    allowed_mime_types: list(crumb),
    objects: list(object),
  },
  ['name'],
)
const content = {
  users: list(user),
  sql,
  rows: mostly(rows),
  buckets: list(bucket),
  switches: fc.constantFrom([], [], ['template_unavailable'], ['magic']),
  sequences: mostly(fc.dictionary(crumb, leaf, { maxKeys: 2, noNullPrototype: true })),
  auth: mostly(record({ redirect_urls: list(fc.constantFrom('https://a.test/x', 'a')) })),
}
const slug = mostly(fc.constantFrom('x1', 'x2', 'x3', 'x4', 'target'))
const plan = mostly(fc.constantFrom('free', 'pro'))
const project = record({ slug, name: text, plan, owner: email, ...content }, ['slug'])
const tenant = record(
  { slug, external_id: text, metadata: mostly(record({ a: leaf })), version: leaf, ...content },
  ['slug'],
)
const group = record({ name: text, template: project, tenants: list(tenant) }, ['name', 'template'])
const fixture = record({
  title: text,
  clock: mostly(record({ now: instant, frozen: flag }, ['now'])),
  accounts: list(
    record({ email, password: mostly(fc.constant('12345678')) }, ['email', 'password']),
  ),
  projects: list(project),
  groups: list(group),
  faults: fc.constantFrom([], [], [], [{}], [{ effect: {} }], 7),
})
const YAML_CRUMBS = [
  ...[
    'groups:',
    'projects:',
    '- ',
    '  ',
    '\n',
    '\t',
    ': ',
    '&a ',
    '*a',
    '[',
    ']',
    '{',
    '}',
    '|',
    '>',
  ],
  ...['!!binary ', '!!js/function ', '<<: *a', '---\n', '...', '"', "'", '%YAML 9.9\n', '? ', '#'],
  ...['slug: x1', 'name: G', 'a: &a [*a]', '0x1F', '.inf', '~', '\u0000', '\ufeff', '\u2028', 'é'],
]
const brokenYaml = fc
  .array(fc.constantFrom(...YAML_CRUMBS), { maxLength: 14 })
  .map((crumbs) => crumbs.join(''))
const bomb = fc.nat(12).map((levels) => {
  const lines = Array.from({ length: levels }, (_, level) => {
    const aliases = Array.from({ length: 9 }, () => `*a${level}`).join(', ')
    return `a${level + 1}: &a${level + 1} [${aliases}]`
  })
  return ['a0: &a0 x', ...lines].join('\n')
})
const deep = fc.nat(5_000).map((depth) => `projects: ${'['.repeat(depth)}`)
const csv = fc
  .array(fc.constantFrom('id', 'n', ',', '\n', '"', '1', '\r', '\ufeff', 'é', '\0'), {
    maxLength: 12,
  })
  .map((crumbs) => crumbs.join(''))

export const fixtureFiles: FuzzTarget<FixtureCase> = {
  name: 'fixture',
  cases: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ yaml: fixture.map((all) => JSON.stringify(all, null, 1)), rows: csv }),
    },
    { weight: 4, arbitrary: fc.record({ yaml: brokenYaml, rows: csv }) },
    fc.record({ yaml: fc.oneof(bomb, deep), rows: csv }),
    fc
      .tuple(fc.uint8Array({ maxLength: 700 }), fc.boolean())
      .map(([bytes, isZipped]) => (isZipped ? gzipSync(bytes) : Buffer.from(bytes)))
      .map((bytes) => ({ bundle: bytes.toString('base64') })),
  ),
  examples: FIXTURE_EXAMPLES,
  open: openFixtures,
}

async function openFixtures({ at }: FuzzWorld): Promise<FuzzSession<FixtureCase>> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-fuzz-'))
  mkdirSync(join(folder, 'case'))
  const check = async (one: FixtureCase) => {
    if ('bundle' in one) {
      const response = await fetch(`${at.url}/_emulator/v1/fixtures/check`, {
        method: 'POST',
        headers: { 'content-type': 'application/gzip' },
        body: Buffer.from(one.bundle, 'base64'),
      })
      return { status: response.status, text: await response.text() }
    }
    writeFileSync(join(folder, 'case', 'fixture.yaml'), one.yaml)
    writeFileSync(join(folder, 'case', 'rows.csv'), one.rows)
    const body = { fixture: join(folder, 'case') }
    return at.call('POST', '/_emulator/v1/fixtures/check', { body })
  }
  return {
    attempt: async (one) => {
      const { status, text } = await check(one)
      requireNoTrace(text, JSON.stringify(one))
      requireThat(status < 500, `answered ${status} ${text}`)
      if (status !== 200) return String(status)
      const { applied, problems } = JSON.parse(text)
      requireThat(applied === false, 'a check has applied the fixture')
      return problems.length === 0 ? '200 sound' : `200 ${kindOf(problems[0])}`
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function kindOf({ path, message }: { readonly path: string; readonly message: string }): string {
  return `${path.replaceAll(/\d+/g, 'n').slice(0, 40)}: ${message.slice(0, 30)}`
}
