// The complete workflow of an application, only with the command line. The test pulls the application from the hosted platform,
// changes it, rehearses the change on every tenant, and applies it on the platform. One emulator plays the hosted platform, and a
// second emulator is the local one.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReadyGroup } from '../../../emulator/contract/addresses.ts'
import { type Ended, temporaryFolder } from '../../support/cli-process.ts'
import { type CliRun, runCliIn } from '../../support/cli-run.ts'
import { patiently } from '../../support/patience.ts'

const TENANTS = ['ana', 'bia', 'caio', 'eva', 'gil']
/** The tenant with an additional column, as if a user had added it in the SQL console. */
const BY_HAND = 'gil'

const HOSTED = {
  'fixture.yaml': `title: Shops
groups:
  - name: Shops
    template:
      slug: shops
      sql: [shops.sql, { text: "insert into products values (1, 'Sample', 1, true), (2, 'Draft', 2, false)" }]
    tenants:
${TENANTS.map(
  (slug) => `      - slug: ${slug}
        rows:
          products: [{ id: 1, name: Mug, price: 5, published: true }, { id: 2, name: Secret of ${slug}, price: 7, published: false }]
${slug === BY_HAND ? '        sql: [{ text: "alter table products add column stock int not null default 0" }]\n' : ''}`,
).join('')}`,
  'shops.sql': `create table products (id int primary key, name text not null, price int not null, published boolean not null default false);
alter table products enable row level security;
create policy visible on products for select to anon using (published);
`,
}

const PRICES =
  '-- Prices become cents. A second run would show.\nupdate products set price = price * 100;\n'
const CARELESS = `alter table products add column stock int not null default 0;
alter policy visible on products using (true);
${PRICES}`
const CORRECTED = `alter table products add column if not exists stock int not null default 0;
alter policy visible on products using (published and stock >= 0);
${PRICES}`

const root = temporaryFolder()
const application = join(root.path, 'application')
const started: CliRun[] = []
let remote: string
let group: ReadyGroup
let keys: Readonly<Record<string, string>>
let local: string | undefined
let localSession: string
let step: string

async function start(folder: string, ...args: readonly string[]) {
  const cli = runCliIn(folder, ['start', '--json', '--memory', '--port', '0', ...args])
  started.push(cli)
  return cli.ready
}

/** Runs a command in the application's folder, with the local emulator. */
function tenantry(...args: readonly string[]): Promise<Ended> {
  const env = local === undefined ? {} : { TENANTRY_AUTH_URL: local }
  return runCliIn(application, args, { ...keys, ...env }).ended
}

const onRemote = () => ['--remote', remote, '--group', group.id] as const

/** The structure of a project as a step, without the comment that names the project. */
async function structureOf(url: string, session: string, project: string): Promise<string> {
  const out = join(root.path, `${new URL(url).port}-${project}`)
  const key = { TENANTRY_REMOTE_SESSION_TOKEN: session }
  const args = ['pull', '--url', url, '--project', project, '--rows', 'products', '--out', out]
  expect(await runCliIn(root.path, args, key).ended).toMatchObject({ code: 0 })
  const [file = ''] = readdirSync(join(out, 'migrations'))
  return readFileSync(join(out, 'migrations', file), 'utf8').replace(/^--.*\n/, '')
}

const pricesOf = (url: string, project: string): readonly number[] =>
  JSON.parse(
    readFileSync(join(root.path, `${new URL(url).port}-${project}`, 'rows/products.json'), 'utf8'),
  ).map(({ price }: { readonly price: number }) => price)

beforeAll(async () => {
  const hosted = join(root.path, 'hosted')
  mkdirSync(hosted)
  mkdirSync(application)
  for (const [name, text] of Object.entries(HOSTED)) writeFileSync(join(hosted, name), text)
  const ready = await start(hosted, '--fixture', hosted)
  remote = ready.auth_url
  group = ready.groups[0] as ReadyGroup
  keys = {
    TENANTRY_REMOTE_SESSION_TOKEN: ready.platform.session_token,
    TENANTRY_REMOTE_GROUP_API_KEY: group.group_api_key,
  }
})
afterAll(async () => {
  for (const { child } of started) child.kill('SIGTERM')
  await Promise.all(started.map(({ ended }) => ended))
  root.remove()
})

describe('an application of five tenants', () => {
  it('is pulled into a folder, and its first step is recorded on the source platform', async () => {
    const from = ['--from', remote, '--project', 'shops', '--group', group.id, '--rows', 'products']
    const pulled = await tenantry('init', ...from)
    expect(pulled).toMatchObject({ code: 0, stderr: '' })
    const [, record = ''] = /^Record .*: tenantry (.*)$/m.exec(pulled.stdout) ?? []
    const recorded = await tenantry(...record.split(' '), '--yes')
    expect(recorded).toMatchObject({ code: 0, stderr: '' })
    expect(recorded.stdout.trim().split('\n')).toEqual([
      'template shops: up to date',
      ...TENANTS.map((slug) => `tenant ${slug}: up to date`),
    ])
  })

  it('starts locally from the folder', async () => {
    const ready = await start(application)
    local = ready.auth_url
    localSession = ready.platform.session_token
    expect(ready.groups[0]?.tenants.map(({ slug }) => slug)).toEqual(TENANTS)
    const status = await tenantry('migrate', 'status')
    expect(status).toMatchObject({ code: 0 })
    expect(status.stdout.match(/none pending/g)).toHaveLength(1 + TENANTS.length)
  })

  it('is rehearsed, which finds that anon would see drafts and that a step would fail in one tenant', async () => {
    const { stdout } = await tenantry('migrate', 'new', 'stock')
    step = /Created (.*)\.\n/.exec(stdout)?.[1] ?? ''
    writeFileSync(join(application, step), CARELESS)

    const here = await tenantry('migrate', 'rehearse')
    expect(here).toMatchObject({ code: 0, stderr: '' })
    expect(here.stdout).toContain(
      'anon newly sees 1 row of products, e.g. {"id":"2","name":"Draft"',
    )

    const there = await tenantry('migrate', 'rehearse', '--url', remote)
    expect(there).toMatchObject({ code: 1, stderr: '' })
    expect(there.stdout.match(/^\w+: fails/gm)).toEqual([`${BY_HAND}: fails`])
    expect(there.stdout).toContain('column "stock" of relation "products" already exists')
    expect(there.stdout.match(/^ +drift: .*$/gm)).toEqual([
      '  drift: column products.stock is extra',
    ])
    expect(here.stdout).not.toContain('drift: ')
    for (const slug of TENANTS)
      expect(there.stdout.includes(`"Secret of ${slug}"`)).toBe(slug !== BY_HAND)
  })

  it('passes the rehearsal of the corrected step without a failure or a newly visible row', async () => {
    writeFileSync(join(application, step), CORRECTED)
    for (const url of [local ?? '', remote]) {
      const { code, stdout } = await tenantry('migrate', 'rehearse', '--url', url)
      expect(code).toBe(0)
      expect(stdout).not.toMatch(/newly sees|no longer sees/)
      expect(stdout.match(/: ok, 1 pending, 2 rows changed/g)?.length).toBeGreaterThan(0)
    }
    expect(await tenantry('migrate', 'apply', '--tenants', 'all', '--publish')).toMatchObject({
      code: 0,
    })
  })

  it(
    'applies its steps on the source platform, even when answers are lost and a key is refused',
    async () => {
      const apply = ['migrate', 'apply', '--tenants', 'all', '--publish', ...onRemote()]
      const dry = await tenantry(...apply)
      expect(dry).toMatchObject({ code: 0 })
      expect(dry.stdout).toContain('Dry run: nothing was applied.')
      expect(dry.stdout.match(/would apply \d{14}$/gm)).toHaveLength(1 + TENANTS.length)

      const arm = async (...args: readonly string[]) =>
        expect(
          await tenantry('fault', 'arm', ...args, '--count', '1', '--url', remote),
        ).toMatchObject({ code: 0 })
      await arm('answer_lost', '--operation', 'template.publish')
      await arm('answer_lost', '--operation', 'database.exec', '--project', 'caio')
      await arm(
        'error',
        '--code',
        'unauthorized',
        '--operation',
        'database.exec',
        '--project',
        'eva',
      )
      const first = await tenantry(...apply, '--yes')
      expect(first.code).toBe(1)
      expect(first.stdout).toMatch(/^published shops_v2$/m)
      expect(first.stdout).toMatch(/^tenant caio: applied \d{14}$/m)
      expect(first.stdout).toMatch(/^tenant eva: failed: /m)
      expect(first.stdout).toMatch(/^tenant gil: skipped: an earlier tenant failed$/m)

      const second = await tenantry(...apply, '--yes')
      expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('finished: 3.') })
      expect(second.stdout).toMatch(/^published shops_v2$/m)
      expect(second.stdout.match(/: applied \d{14}$/gm)).toHaveLength(2)
    },
    patiently(90_000),
  )

  it('has no pending steps and equal structures on both platforms, and each price changed once', async () => {
    const status = await tenantry('migrate', 'status', ...onRemote())
    expect(status).toMatchObject({ code: 0, stderr: '' })
    // The list contains the template, its version and the tenants.
    expect(status.stdout.match(/none pending/g)).toHaveLength(2 + TENANTS.length)

    const { TENANTRY_REMOTE_SESSION_TOKEN: session = '' } = keys
    const structures = [
      await structureOf(local ?? '', localSession, 'shops'),
      await structureOf(remote, session, 'shops'),
      await structureOf(remote, session, 'caio'),
      await structureOf(remote, session, BY_HAND),
    ]
    expect(structures[0]).toContain('stock >= 0')
    expect(new Set(structures).size).toBe(1)
    expect(pricesOf(remote, 'caio')).toEqual([500, 700])
    expect(pricesOf(remote, BY_HAND)).toEqual([500, 700])
  })
})
