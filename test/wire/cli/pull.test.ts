// `tenantry pull` reads a project of one emulator, which plays the hosted platform, and makes a folder for another one.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReadyGroup } from '../../../emulator/contract/addresses.ts'
import { temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { applyTo, ask } from '../../support/fixture-folder.ts'
import { patiently } from '../../support/patience.ts'
import { type Json, startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'

const folder = temporaryFolder()
let there: TestEmulator
let here: TestEmulator
let session: Readonly<Record<string, string>>
let groups: readonly ReadyGroup[]
let count = 0

const STORIES = ['clinics', 'shop', 'quota-edge'] as const
const SLUGS = { clinics: 'clinics', shop: 'shops', 'quota-edge': 'stations' } as const

beforeAll(async () => {
  there = await startTestEmulator()
  here = await startTestEmulator()
  for (const story of STORIES) await there.emulator.applyFixture(story)
  session = { TENANTRY_REMOTE_SESSION_TOKEN: there.session }
  groups = (await there.emulator.ready(there.url)).groups
})
afterAll(async () => {
  await there[Symbol.asyncDispose]()
  await here[Symbol.asyncDispose]()
  folder.remove()
})

function freshFolder(): string {
  count += 1
  return join(folder.path, `pulled-${count}`)
}

const pull = (
  env: Readonly<Record<string, string>>,
  out: string,
  args: readonly string[],
  url: string = there.url,
) => runCli(['pull', '--url', url, '--out', out, ...args], env).ended

const stepIn = (out: string): string => {
  const [file = ''] = readdirSync(join(out, 'migrations'))
  return readFileSync(join(out, 'migrations', file), 'utf8')
}
const fixtureIn = (out: string) => readFileSync(join(out, 'fixture.yaml'), 'utf8')

const groupOf = (slug: string): ReadyGroup => {
  const found = groups.find(({ template_project_id: id }) => id.startsWith(`proj_${slug}`))
  if (found === undefined) throw new Error(`no group of ${slug}`)
  return found
}

async function newProject(slug: string, sql: string): Promise<string> {
  const made = await there.call('POST', '/platform/v1/projects', {
    credential: there.session,
    body: { name: slug, slug },
  })
  const run = await there.call('POST', `/platform/v1/projects/proj_${slug}/db/exec`, {
    credential: there.session,
    body: { sql },
  })
  expect(run.body).not.toHaveProperty('error')
  const key = await there.call('POST', `/platform/v1/projects/${made.body.id}/db/keys`, {
    credential: there.session,
    body: { label: 'pull' },
  })
  expect(key.status).toBe(201)
  return key.body.key
}

describe('tenantry pull', () => {
  it.each(STORIES)(
    'writes a folder of %s that gives another emulator the same structure',
    async (story) => {
      const slug = SLUGS[story]
      const out = freshFolder()
      const pulled = await pull(session, out, ['--project', slug])
      expect(pulled).toMatchObject({ code: 0, stderr: '' })
      expect(await applyTo(here, out)).toMatchObject({ applied: true, problems: [] })
      const again = freshFolder()
      const local = { TENANTRY_REMOTE_SESSION_TOKEN: here.session }
      expect(await pull(local, again, ['--project', slug], here.url)).toMatchObject({ code: 0 })
      const withoutTitle = (text: string) => text.replace(/^--.*\n/, '')
      expect(withoutTitle(stepIn(again))).toBe(withoutTitle(stepIn(out)))
    },
    60_000,
  )

  it('reads tenants with a Group API Key, and buckets with a management key', async () => {
    const key = await newProject('with_files', 'create table t (id int primary key)')
    await there.call('POST', '/platform/v1/projects/proj_with_files/buckets', {
      credential: key,
      body: { name: 'photos', public: true, file_size_limit: 1000 },
    })
    const out = freshFolder()
    const management = { TENANTRY_REMOTE_MANAGEMENT_KEY: key }
    expect(await pull(management, out, ['--project', 'with_files'])).toMatchObject({ code: 0 })
    expect(fixtureIn(out)).toContain(
      '- name: photos\n          public: true\n          file_size_limit: 1000\n',
    )

    const clinics = groupOf('clinics')
    const withTenants = freshFolder()
    const keys = { ...session, TENANTRY_REMOTE_GROUP_API_KEY: clinics.group_api_key }
    expect(
      await pull(keys, withTenants, ['--project', 'clinics', '--group', clinics.id]),
    ).toMatchObject({ code: 0 })
    const fixture = fixtureIn(withTenants)
    expect(fixture).toContain(
      '- slug: aurora\n        external_id: customer-1001\n        metadata:\n          city: Porto Alegre',
    )
    for (const secret of [
      ...Object.values(keys),
      key,
      ...clinics.tenants.map(({ anon_key: anon }) => anon),
    ])
      expect(fixture).not.toContain(secret)
  })

  it(
    'reads rows with masked columns, in an order in which the rows can be inserted',
    async () => {
      const key = await newProject(
        'with_rows',
        `create table people (id int generated always as identity primary key, chief_id int references people, email text not null,
         phone varchar(20), born date, code uuid, score numeric(6, 2), extra jsonb, shout text generated always as (upper(email)) stored);
       create table orders (id int primary key, person_id int not null references people, user_id uuid references auth_users, total numeric);
       create table secrets (id int primary key, owner uuid not null references auth_users);
       insert into people (chief_id, email, phone, born, code, score, extra) select case when n > 1 then n - 1 end, 'person' || n || '@real.example', '+55 ' || n,
         date '1980-01-01' + n, gen_random_uuid(), n, '{"iban": "DE1"}' from generate_series(1, 5) as n;
       insert into orders select n, 6 - n, null, 10.10 from generate_series(1, 5) as n`,
      )
      const out = freshFolder()
      const management = { TENANTRY_REMOTE_MANAGEMENT_KEY: key }
      const masks = 'email,people.phone,born,code,extra'
      const options = [
        '--project',
        'with_rows',
        '--rows',
        'orders,people',
        '--row-limit',
        '3',
        '--mask',
        masks,
        '--users',
        'none',
      ]
      expect(await pull(management, out, options)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('orders.user_id became NULL'),
      })
      const people = readFileSync(join(out, 'rows/people.json'), 'utf8')
      expect(JSON.parse(people)).toMatchObject([
        {
          id: 1,
          chief_id: null,
          email: 'masked1@example.test',
          phone: 'masked 1',
          born: '2000-01-02',
          score: 1,
          extra: {},
        },
        {
          id: 2,
          chief_id: 1,
          email: 'masked2@example.test',
          code: expect.stringMatching(/^00000000-0000-4000-8000-00000000000\d$/),
        },
        { id: 3, chief_id: 2 },
      ])
      expect(people).not.toMatch(/real\.example|DE1|1980|shout/)
      expect(people).toContain('"score":1.00')
      expect(await applyTo(here, out)).toMatchObject({
        applied: true,
        problems: [],
        created: { rows: 6 },
      })
      expect(
        await ask(
          here,
          'with_rows',
          'select count(*)::int as n from orders join people on people.id = person_id',
        ),
      ).toEqual([['3']])
      const refused = [
        [['--rows', 'secrets', '--users', 'none'], 'A pull reads no users'],
        [['--rows', 'people', '--mask', 'emial'], 'no table of --rows has a column emial'],
        [['--rows', 'people', '--mask', 'id'], 'people.id cannot be masked'],
        [['--rows', 'orders'], 'Add people to --rows'],
        [['--rows', 'persons'], 'has no table persons'],
      ] as const
      for (const [args, message] of refused) {
        const other = freshFolder()
        const { code, stderr } = await pull(management, other, ['--project', 'with_rows', ...args])
        expect(code).toBe(1)
        expect(stderr.toLowerCase()).toContain(message.toLowerCase())
        expect(existsSync(other)).toBe(false)
      }
    },
    patiently(90_000),
  )

  it('includes the users that rows refer to, with invented addresses', async () => {
    const key = await newProject(
      'with_users',
      `create table notes (id int primary key, owner uuid not null references auth_users, title text);
       create table drafts (id int primary key, author uuid references auth_users)`,
    )
    const add = async (email: string, data: object): Promise<string> => {
      const path = '/_emulator/v1/projects/with_users/users'
      const { body, status } = await there.call('POST', path, {
        body: { email, password: 'secret1', user_metadata: data },
      })
      expect(status).toBe(201)
      return body.id
    }
    const ana = await add('ana@real.example', { full_name: 'Ana', contact: 'ana@real.example' })
    await add('unused@real.example', {})
    await ask(there, 'with_users', `insert into notes values (1, '${ana}', 'Coffee')`)
    await there.call('POST', '/platform/v1/projects/proj_with_users/buckets', {
      credential: key,
      body: { name: 'photos' },
    })
    const out = freshFolder()
    const management = { TENANTRY_REMOTE_MANAGEMENT_KEY: key }
    const options = ['--project', 'with_users', '--rows', 'notes,drafts']
    const { code, stdout } = await pull(management, out, options)
    expect(code).toBe(0)
    expect(stdout).toContain('Rows refer to 1 user, who came with ids, metadata and made-up')
    expect(stdout).toContain('the MIME types that these buckets accept: proj_with_users_photos.')
    expect(stdout).toContain('No rows were read of drafts.')
    expect(readdirSync(out, { recursive: true }).map(String).toSorted()).toEqual([
      'fixture.yaml',
      'migrations',
      expect.stringMatching(/^migrations.+_pulled\.sql$/),
      'rows',
      join('rows', 'notes.json'),
    ])
    expect(fixtureIn(out)).toContain('migrate_tenants: true')
    expect(fixtureIn(out)).not.toContain('real.example')
    expect(await applyTo(here, out)).toMatchObject({ applied: true, problems: [] })
    const query =
      "select u.id, u.email, u.user_metadata ->> 'full_name', u.user_metadata ->> 'contact' from notes join auth_users u on u.id = owner"
    expect(await ask(here, 'with_users', query)).toEqual([
      [ana, 'user1@example.test', 'Ana', 'user1@example.test'],
    ])

    const proxy = await proxyThat('types')
    const told = freshFolder()
    const again = await pull(management, told, ['--project', 'with_users'], proxy.url)
    await proxy.close()
    expect(again).toMatchObject({ code: 0, stdout: expect.not.stringContaining('MIME') })
    expect(fixtureIn(told)).toContain('allowed_mime_types:\n            - image/png\n')
    expect(fixtureIn(told)).not.toContain('users:')
  })

  it('sends only requests that read, and changes nothing at the source', async () => {
    const shop = groupOf('shops')
    await there.call('POST', '/_emulator/v1/snapshots', { body: { name: 'before' } })
    const seen = await there.call('GET', '/_emulator/v1/journal?limit=1')
    const keys = { ...session, TENANTRY_REMOTE_GROUP_API_KEY: shop.group_api_key }
    const options = ['--project', 'shops', '--group', shop.id, '--rows', 'categories']
    expect(await pull(keys, freshFolder(), options)).toMatchObject({ code: 0 })
    const last = seen.body.entries[0].sequence
    const { body } = await there.call('GET', `/_emulator/v1/journal?limit=1000&after=${last}`)
    const statements: string[] = []
    for (const { method, statement, target } of body.entries as readonly Json[]) {
      if (method === 'GET') continue
      expect([method, target]).toEqual(['POST', '/platform/v1/projects/proj_shops/db/exec'])
      statements.push(...statement.split(/;\n/))
    }
    expect(statements.length).toBeGreaterThan(4)
    for (const statement of statements) expect(statement).toMatch(/^(select|with) /)
    expect((await there.call('GET', '/_emulator/v1/snapshots/before/compare')).body).toMatchObject({
      tenants: [],
    })
  })

  it('refuses to write into the folder of another project', async () => {
    const out = freshFolder()
    expect(await pull(session, out, ['--project', 'shops'])).toMatchObject({ code: 0 })
    const before = fixtureIn(out)
    expect(await pull(session, out, ['--project', 'clinics'])).toMatchObject({
      code: 1,
      stderr: `tenantry: ${out} is the folder of shops, not of clinics. Name another folder with --out.\n`,
    })
    expect(fixtureIn(out)).toBe(before)
    expect(readdirSync(join(out, 'migrations'))).toHaveLength(1)
  })
})

describe('a pull that fails', () => {
  it.each<readonly [string, Readonly<Record<string, string>>, readonly string[], RegExp]>([
    [
      'no key',
      {},
      ['--project', 'shops'],
      /No key is set for the project\. Set TENANTRY_REMOTE_MANAGEMENT_KEY or/,
    ],
    [
      'a wrong key',
      { TENANTRY_REMOTE_MANAGEMENT_KEY: 'sdb_pmk_wrong' },
      ['--project', 'shops'],
      /answered 401 unauthorized: .* TENANTRY_REMOTE_MANAGEMENT_KEY is wrong, expired or revoked/,
    ],
    [
      'no group key',
      { session: '' },
      ['--project', 'shops', '--group', 'grp_x'],
      /Set TENANTRY_REMOTE_GROUP_API_KEY/,
    ],
    [
      'an unknown project',
      { session: '' },
      ['--project', 'nowhere'],
      /answered 404 .* Check --project/,
    ],
  ])(
    'says what to do about %s',
    async (_name, env, args, message) => {
      const out = freshFolder()
      const given = 'session' in env ? session : { TENANTRY_REMOTE_SESSION_TOKEN: '', ...env }
      const { code, stderr, stdout } = await pull(given, out, args)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(message)
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(
        readdirSync(folder.path).filter((name) => out.endsWith(name) || name.startsWith('.')),
      ).toEqual([])
    },
    30_000,
  )

  it('says that a management key belongs to another project', async () => {
    const key = await newProject('elsewhere', 'select 1')
    const { code, stderr } = await pull({ TENANTRY_REMOTE_MANAGEMENT_KEY: key }, freshFolder(), [
      '--project',
      'shop',
    ])
    expect(code).toBe(1)
    expect(stderr).toMatch(/answered 403 forbidden: .* belongs to another project or group/)
  })

  it('says that the project is not the group’s template', async () => {
    const shop = groupOf('shops')
    const keys = { ...session, TENANTRY_REMOTE_GROUP_API_KEY: shop.group_api_key }
    const { stderr } = await pull(keys, freshFolder(), ['--project', 'clinics', '--group', shop.id])
    expect(stderr).toMatch(
      /The project clinics is not the template of the group .* whose template is shops/,
    )
  })

  it.each([
    ['401 in the middle', 'refuse', /answered 401 .* expired or revoked/],
    [
      'a cut connection',
      'cut',
      /did not answer, or the connection was cut .*run the command again/,
    ],
    ['a redirect', 'redirect', /is not the platform’s auth host/],
  ] as const)(
    'leaves no folder after %s',
    async (_name, how, message) => {
      const proxy = await proxyThat(how)
      try {
        const out = freshFolder()
        const { code, stderr } = await pull(session, out, ['--project', 'shops'], proxy.url)
        expect(code).toBe(1)
        expect(stderr).toMatch(message)
        expect(
          readdirSync(folder.path).filter((name) => out.endsWith(name) || name.startsWith('.')),
        ).toEqual([])
      } finally {
        await proxy.close()
      }
    },
    30_000,
  )
})

/** Starts a proxy to `there`. The proxy damages the third answer, or adds MIME types to buckets. */
async function proxyThat(
  how: 'refuse' | 'cut' | 'redirect' | 'types',
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const passed = how === 'types' ? Number.POSITIVE_INFINITY : 2
  let requests = 0
  const server: Server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      requests += 1
      if (requests <= passed) {
        const answer = await fetch(there.url + request.url, {
          method: request.method ?? 'GET',
          headers: {
            authorization: request.headers.authorization ?? '',
            'content-type': 'application/json',
          },
          ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
        })
        response
          .writeHead(answer.status, { 'content-type': 'application/json' })
          .end(withTypes(request.url ?? '', await answer.text()))
      } else if (how === 'refuse')
        response
          .writeHead(401)
          .end('{"error":{"code":"unauthorized","message":"The key expired."}}')
      else if (how === 'redirect') response.writeHead(302, { location: '/login' }).end('{}')
      else {
        response.writeHead(200, { 'content-length': '1000' }).write('{"rows"')
        setImmediate(() => response.destroy())
      }
    })()
  })
  const withTypes = (url: string, text: string): string =>
    how === 'types' && url.endsWith('/buckets')
      ? text.replaceAll('{"', '{"allowed_mime_types":["image/png"],"')
      : text
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
