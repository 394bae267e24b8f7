// Who may use the management plane (/platform/v1, /groups/v1). Tests the developer's password, pages of other origins, and other
// machines.
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from '../../../emulator/index.ts'
import { TEST_ENGINE } from '../../support/engine-of-run.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestGroup,
  type TestTenant,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const ORIGIN = 'http://127.0.0.1'
const EMAIL = 'dev@tenantry.test'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-access-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function signIn(
  emulator: Pick<Emulator, 'fetch'>,
  password: string,
  headers: Readonly<Record<string, string>> = {},
  email = EMAIL,
): Promise<{ readonly status: number; readonly code: unknown; readonly headers: Headers }> {
  const response = await emulator.fetch(
    new Request(`${ORIGIN}/platform/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email, password }),
    }),
  )
  const body = (await response.json()) as Json
  return { status: response.status, code: body.error?.code, headers: response.headers }
}

describe('the password of the dashboard account', () => {
  it('differs between two data directories, and signs in only to its own emulator', async () => {
    const { emulator: one } = await workerEmulator()
    await using other = await createEmulator(TEST_ENGINE)
    const { platform } = await one.ready(ORIGIN)
    expect(platform.password).toMatch(/^sdb_dev_[\w-]{43}$/)
    expect((await other.ready(ORIGIN)).platform.password).not.toBe(platform.password)
    expect((await signIn(one, platform.password)).status).toBe(200)
    expect((await signIn(other, platform.password)).status).toBe(401)
    expect((await signIn(one, 'tenantry-dev')).status).toBe(401)
  })

  it('stays the same across restarts of a data directory', async () => {
    const dataDir = join(folder, 'restarted')
    const passwords: string[] = []
    for (const _start of [1, 2]) {
      await using emulator = await createEmulator({ ...TEST_ENGINE, dataDir })
      const { password } = (await emulator.ready(ORIGIN)).platform
      expect((await signIn(emulator, password)).status).toBe(200)
      passwords.push(password)
    }
    expect(new Set(passwords).size).toBe(1)
  })

  it('is the configured password when one is set, and otherwise replaces the public password of older versions', async () => {
    const dataDir = join(folder, 'pinned')
    {
      await using old = await createEmulator({
        ...TEST_ENGINE,
        dataDir,
        developer: { password: 'tenantry-dev' },
      })
      expect((await signIn(old, 'tenantry-dev')).status).toBe(200)
      await old.snapshot('public-password')
    }
    await using emulator = await createEmulator({ ...TEST_ENGINE, dataDir })
    expect((await signIn(emulator, 'tenantry-dev')).status).toBe(401)
    await emulator.restore('public-password')
    expect((await signIn(emulator, 'tenantry-dev')).status).toBe(401)
    const { password } = (await emulator.ready(ORIGIN)).platform
    expect((await signIn(emulator, password)).status).toBe(200)
  })
})

describe('a web page of another origin', () => {
  const ALLOWED = 'http://localhost:3000'
  let at: TestEmulator
  let group: TestGroup
  let tenant: TestTenant
  beforeAll(async () => {
    at = await startTestEmulator({ allowOrigins: [`${ALLOWED}/`, 'https://dash.example'] })
    group = await createGroup(at, 'clinic', { sql: 'create table rooms (id int primary key)' })
    tenant = await provisionTenant(at, group, 'north')
  })
  afterAll(() => at[Symbol.asyncDispose]())

  const routes = () =>
    [
      ['POST', '/platform/v1/session', undefined],
      ['POST', '/platform/v1/signup', undefined],
      ['GET', '/platform/v1/groups', at.session],
      ['POST', `/platform/v1/projects/${group.templateId}/db/exec`, at.session],
      ['GET', `/groups/v1/${group.id}/tenants`, group.key],
      ['GET', '/platform/v1/nothing', undefined],
    ] as const

  it.each([
    'http://127.0.0.1:9999',
    'http://localhost:5173',
    'https://evil.example',
    'http://auth.localhost:7357',
    'null',
  ])('at %s is refused with 403 on every route and reads nothing', async (origin) => {
    for (const [method, path, credential] of routes()) {
      const answer = await at.call(method, path, {
        ...(credential === undefined ? {} : { credential }),
        ...(method === 'GET' ? {} : { body: '{"sql":"select 1"}' }),
        headers: { origin, 'content-type': 'text/plain' },
      })
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'foreign_origin' } } })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('gets no permission from a preflight', async () => {
    const answer = await at.call('OPTIONS', '/platform/v1/groups', {
      headers: { origin: 'http://127.0.0.1:9999', 'access-control-request-method': 'GET' },
    })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(answer.headers.get('access-control-allow-methods')).toBeNull()
  })

  it('is named in the CORS headers when it is allowed, also in preflights and refusals', async () => {
    const headers = { origin: ALLOWED }
    const preflight = await at.call('OPTIONS', '/platform/v1/groups', {
      headers: { ...headers, 'access-control-request-method': 'GET' },
    })
    const answer = await at.call('GET', '/platform/v1/groups', { credential: at.session, headers })
    const refusal = await at.call('GET', '/platform/v1/groups', { headers })
    expect([preflight.status, answer.status, refusal.status]).toEqual([204, 200, 401])
    for (const each of [preflight, answer, refusal]) {
      expect(each.headers.get('access-control-allow-origin')).toBe(ALLOWED)
      expect(each.headers.get('vary')).toContain('Origin')
    }
  })

  it('does not include the inspector, whose origin is the emulator’s own address', async () => {
    const answer = await at.call('GET', '/platform/v1/groups', {
      credential: at.session,
      headers: { origin: at.url },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(at.url)
  })

  it('is refused when its host name was rebound to this machine', async () => {
    const rebound = 'http://evil.example:7357'
    const response = await at.emulator.fetch(
      new Request(`${rebound}/platform/v1/groups`, {
        headers: { origin: rebound, authorization: `Bearer ${at.session}` },
      }),
    )
    expect(response.status).toBe(403)
    const own = await at.emulator.fetch(new Request(`${rebound}/_emulator/v1/info`))
    expect(own.status).toBe(403)
  })

  it('is refused under a public URL, whose own origin is allowed for the inspector', async () => {
    await using tunnelled = await createEmulator({
      ...TEST_ENGINE,
      publicUrl: 'https://tunnel.example',
    })
    const { session_token } = (await tunnelled.ready(ORIGIN)).platform
    const ask = async (origin: string) =>
      tunnelled.fetch(
        new Request('http://tunnel.example/platform/v1/groups', {
          headers: { origin, authorization: `Bearer ${session_token}` },
        }),
      )
    expect((await ask('https://tunnel.example')).status).toBe(200)
    expect((await ask('https://other.example')).status).toBe(403)
  })

  it('can still read data, auth and storage, as on the hosted platform', async () => {
    const origin = 'http://localhost:5173'
    const key = { credential: tenant.anonKey, headers: { origin, apikey: tenant.anonKey } }
    const answers = [
      await at.call('GET', '/rooms', key),
      await at.call('GET', '/auth/v1/user', key),
      await at.call('POST', '/st/v1/token', key),
      await at.call('POST', '/rt/v1/token', key),
      await at.call('GET', '/storage/v1/bucket', key),
      await at.call('GET', '/.well-known/jwks.json', { headers: { origin } }),
    ]
    for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('is distinguished from a program, which sends no Origin header and is accepted', async () => {
    expect((await at.call('GET', '/platform/v1/groups', { credential: at.session })).status).toBe(
      200,
    )
  })

  it('has its refusal in the journal, with the option that allows the origin', async () => {
    const refused = await at.call('GET', '/platform/v1/groups', {
      headers: { origin: 'http://127.0.0.1:9999' },
    })
    const id = refused.headers.get('x-request-id')
    const { body } = await at.call('GET', `/_emulator/v1/journal?request_id=${id}`)
    expect(body.entries).toMatchObject([
      { service: 'control', status: 403, error_code: 'foreign_origin' },
    ])
    const chain = await at.call('GET', `/_emulator/v1/journal/${id}/chain`)
    expect(chain.text).toContain('--allow-origin')
  })
})

describe('with an admin token', () => {
  const adminToken = 'admin-token-of-sixteen'
  const bearer = { authorization: `Bearer ${adminToken}` }

  let emulator: Emulator
  beforeAll(async () => {
    emulator = await createEmulator({ ...TEST_ENGINE, adminToken })
  })
  afterAll(() => emulator.close())

  it('the dashboard account signs in only with the token', async () => {
    const { password } = (await emulator.ready(ORIGIN)).platform
    const refused = { status: 401, code: 'admin_token_required' }
    expect(await signIn(emulator, password)).toMatchObject(refused)
    expect(await signIn(emulator, 'a wrong password')).toMatchObject(refused)
    expect(await signIn(emulator, password, { authorization: 'Bearer nope' })).toMatchObject(
      refused,
    )
    expect(await signIn(emulator, password, {}, 'DEV@tenantry.TEST ')).toMatchObject(refused)
    expect((await signIn(emulator, password, bearer)).status).toBe(200)
    expect(await signIn(emulator, 'a wrong password', bearer)).toMatchObject({
      status: 401,
      code: 'unauthorized',
    })
  })

  it('accounts that callers create sign in without the token', async () => {
    const made = await emulator.fetch(
      new Request(`${ORIGIN}/platform/v1/signup`, {
        method: 'POST',
        body: JSON.stringify({ email: 'ana@x.test', password: 'correct horse' }),
      }),
    )
    expect(made.status).toBe(201)
    expect((await signIn(emulator, 'correct horse', {}, 'ana@x.test')).status).toBe(200)
  })

  it('the inspector works under any host name of the machine', async () => {
    const { session_token } = (await emulator.ready(ORIGIN)).platform
    const origin = 'http://devbox.lan:7357'
    const response = await emulator.fetch(
      new Request(`${origin}/platform/v1/groups`, {
        headers: { origin, authorization: `Bearer ${session_token}` },
      }),
    )
    expect(response.status).toBe(200)
  })
})

const OUTWARD = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

describe.skipIf(OUTWARD === undefined)(
  `another machine${OUTWARD === undefined ? ' (skipped: this one has no address but loopback)' : ''}`,
  () => {
    /** Sends a request from an address that is not loopback, with a Host header that claims loopback. */
    function callFromOutside(port: number, method: string, path: string, body?: object) {
      return new Promise<{ readonly status: number; readonly body: Json }>((resolve, reject) => {
        const headers = { host: `127.0.0.1:${port}`, 'content-type': 'application/json' }
        const sent = request({ host: OUTWARD, port, method, path, headers }, (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part
          })
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }),
          )
        })
        sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
      })
    }

    it('reaches neither the dashboard account nor the emulator’s own API without an admin token', async () => {
      await using emulator = await createEmulator(TEST_ENGINE)
      const { port } = await emulator.listen({ port: 0, host: '0.0.0.0' })
      const { password } = (await emulator.ready(ORIGIN)).platform
      const login = { email: EMAIL, password }
      expect(await callFromOutside(port, 'POST', '/platform/v1/session', login)).toMatchObject({
        status: 401,
        body: { error: { code: 'admin_token_required' } },
      })
      expect(await callFromOutside(port, 'GET', '/_emulator/v1/info')).toMatchObject({
        status: 403,
        body: { error: { code: 'foreign_peer' } },
      })
    })
  },
)
