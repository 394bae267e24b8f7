// What every auth route requires of a request: a project, a path, a method and a body. Also which projects' tokens are accepted
// (docs/wire/auth.md#project).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthWorld,
  granted,
  PASSWORD,
  refusalOf,
  startAuthWorld,
} from '../../support/auth-world.ts'
import { type Json, provisionTenant, type TestTenant } from '../../support/test-emulator.ts'

let world: AuthWorld
let other: TestTenant
let session: Json
beforeAll(async () => {
  world = await startAuthWorld()
  other = await provisionTenant(world.at, world.group, 'other')
  session = await world.freshUser()
})
afterAll(() => world[Symbol.asyncDispose]())

const signIn = (headers: Readonly<Record<string, string>>, credential?: string) =>
  world.at.call('POST', '/auth/v1/signin', {
    headers,
    ...(credential === undefined ? {} : { credential }),
    body: { email: session.user.email, password: PASSWORD },
  })

describe('the project of a request', () => {
  it('comes from the apikey', async () => {
    expect((await signIn({ apikey: world.tenant.anonKey })).status).toBe(200)
  })

  it('comes from the service_role key as well', async () => {
    expect((await signIn({ apikey: world.tenant.serviceRoleKey })).status).toBe(200)
  })

  it('comes from the header X-SuperDB-Project', async () => {
    expect((await signIn({ 'x-superdb-project': 'shop' })).status).toBe(200)
  })

  it('comes from the apikey and the header when both name the same project', async () => {
    const headers = { 'x-superdb-project': 'shop', apikey: world.tenant.anonKey }
    expect((await signIn(headers)).status).toBe(200)
  })

  it('comes from the access_token when nothing else names the project', async () => {
    const { status } = await world.at.call('GET', '/auth/v1/user', {
      credential: session.access_token,
    })
    expect(status).toBe(200)
  })

  it.each([
    [
      'different projects',
      () => ({ 'x-superdb-project': 'other', apikey: world.tenant.anonKey }),
      '400 project_conflict',
    ],
    ['nothing', () => ({}), '400 invalid_request'],
    ['an unknown slug', () => ({ 'x-superdb-project': 'nobody' }), '404 not_found'],
    ['a schema name', () => ({ 'x-superdb-project': 'proj_shop' }), '404 not_found'],
    ['a key without a valid signature', () => ({ apikey: 'eyJ.eyJ.sig' }), '401 unauthorized'],
    ['a user’s token as the key', () => ({ apikey: session.data_plane_token }), '401 unauthorized'],
    ['a Group API Key', () => ({ apikey: world.group.key }), '401 unauthorized'],
  ])('is refused when the request names %s', async (_, headers, refusal) => {
    expect(refusalOf(await signIn(headers()))).toBe(refusal)
  })

  it('is missing when only the bearer is a key, and the refusal explains how to name the project', async () => {
    const refusal = await signIn({}, world.tenant.anonKey)
    expect(refusal.body.error.message).toContain('X-SuperDB-Project')
  })

  it('is refused after the tenant was removed', async () => {
    const gone = await provisionTenant(world.at, world.group, 'gone')
    await world.at.call('DELETE', `/groups/v1/${world.group.id}/tenants/gone`, {
      credential: world.group.key,
    })
    expect(refusalOf(await signIn({ 'x-superdb-project': 'gone' }))).toBe('404 not_found')
    expect(refusalOf(await signIn({ apikey: gone.anonKey }))).toBe('401 unauthorized')
  })
})

describe('a purge', () => {
  it('lets running and later requests end with 200 or 401, never with an internal error', async () => {
    const { at, group } = world
    const { slug, anonKey } = await provisionTenant(at, group, 'doomed')
    const signUp = () =>
      at.call<Json>('POST', '/auth/v1/signup', {
        headers: { apikey: anonKey },
        body: { email: world.freshEmail(), password: PASSWORD },
      })
    const asked = Array.from({ length: 8 }, signUp)
    const purge = at.call('DELETE', `/groups/v1/${group.id}/tenants/${slug}/purge`, {
      credential: group.key,
      body: { confirm_slug: slug },
    })
    const answers = await Promise.all([...asked, ...Array.from({ length: 8 }, signUp)])
    expect((await purge).status).toBe(200)
    const others = answers.map(({ status }) => status).filter((it) => it !== 200 && it !== 401)
    expect(others).toEqual([])
    const minted = await at.call('POST', '/_emulator/v1/principals', {
      body: { project: slug, role: 'authenticated', user: 'nobody@example.com' },
    })
    expect(minted.status).toBe(404)
  })
})

describe('another tenant', () => {
  const asOther = (method: string, path: string, body?: unknown, credential?: string) =>
    world.at.call(method, `/auth/v1${path}`, {
      headers: { apikey: other.anonKey },
      ...(body === undefined ? {} : { body }),
      ...(credential === undefined ? {} : { credential }),
    })

  it('does not find the account', async () => {
    const body = { email: session.user.email, password: PASSWORD }
    expect(refusalOf(await asOther('POST', '/signin', body))).toBe('401 invalid_credentials')
  })

  it('refuses the access_token', async () => {
    const answer = await asOther('GET', '/user', undefined, session.access_token)
    expect(refusalOf(answer)).toBe('401 unauthorized')
  })

  it('refuses the refresh token and leaves it valid in its own tenant', async () => {
    const { refresh_token } = await world.freshUser()
    const foreign = await asOther('POST', '/token/refresh', { refresh_token })
    expect(refusalOf(foreign)).toBe('401 unauthorized')
    expect((await world.auth('POST', '/token/refresh', { refresh_token })).status).toBe(200)
  })

  it('can have a user with the same address', async () => {
    const body = { email: session.user.email, password: PASSWORD }
    const { user } = granted(await asOther('POST', '/signup', body))
    expect(user.id).not.toBe(session.user.id)
  })
})

describe('an auth route', () => {
  const post = (body: string, headers = {}) =>
    world.at.call('POST', '/auth/v1/signup', {
      headers: { apikey: world.tenant.anonKey, ...headers },
      body,
    })

  it.each([
    ['no JSON', '{', '400 invalid_json'],
    ['no body', '', '400 invalid_json'],
    ['an array', '[]', '400 invalid_request'],
    ['null', 'null', '400 invalid_request'],
    [
      'very deep JSON',
      `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      '400 invalid_request',
    ],
    ['more than a megabyte', `{"data":"${'x'.repeat(1_100_000)}"}`, '413 payload_too_large'],
  ])('refuses %s', async (_, body, refusal) => {
    expect(refusalOf(await post(body))).toBe(refusal)
  })

  it.each([
    'POST /signup',
    'POST /signin',
    'POST /token/refresh',
    'PATCH /user',
    'PUT /user/password',
    'POST /signout',
  ])('never answers unexpected input with 5xx: %s', async (route) => {
    const [method = '', path = ''] = route.split(' ')
    const strange = [
      null,
      true,
      0,
      -1e308,
      '',
      ' ',
      '\u0001',
      [],
      [[]],
      {},
      { a: {} },
      'x'.repeat(9_000),
    ]
    const names = ['email', 'password', 'full_name', 'data', 'refresh_token', 'scope']
    names.push('new_password', 'current_password', 'redirect_to', '__proto__', 'constructor')
    const { access_token } = await world.freshUser()
    for (const value of strange) {
      const body = JSON.stringify(Object.fromEntries(names.map((name) => [name, value])))
      const plausible = {
        email: world.freshEmail(),
        password: PASSWORD,
        data: { value },
        scope: 'others',
      }
      for (const sent of [JSON.stringify(value), body, plausible]) {
        const { status, text } = await world.auth(method, path, sent, access_token)
        expect(status, text).toBeLessThan(500)
      }
    }
  })

  it.each([
    ['an empty bearer', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['half a token', { authorization: 'Bearer v4.public.' }],
    ['a token of noise', { authorization: `Bearer v4.public.${'A'.repeat(500)}` }],
  ])('refuses %s with 401', async (_, headers) => {
    const answer = await world.at.call('GET', '/auth/v1/user', {
      headers: { apikey: world.tenant.anonKey, ...headers },
    })
    expect(refusalOf(answer)).toBe('401 unauthorized')
  })

  it('names every invalid field', async () => {
    const { body } = await world.auth('POST', '/signup', { email: 1 })
    expect(Object.keys(body.details)).toEqual(['email', 'password'])
  })

  it('is not found under an unknown path', async () => {
    expect(refusalOf(await world.auth('GET', '/nobody'))).toBe('404 not_found')
  })

  it('lists its methods when it refuses another method', async () => {
    const answer = await world.auth('GET', '/signin')
    expect([refusalOf(answer), answer.headers.get('allow')]).toEqual([
      '405 method_not_allowed',
      'POST',
    ])
  })

  it('may be called by a page of any origin', async () => {
    const answer = await world.auth('POST', '/signin', {
      email: 'a@example.com',
      password: 'wrong',
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('records the project and the user in the journal, and no secret', async () => {
    const { user } = granted(await signIn({ apikey: world.tenant.anonKey }))
    const journal = await world.at.call('GET', '/_emulator/v1/journal?limit=1&service=auth')
    expect(journal.body.entries[0]).toMatchObject({ schema_name: 'proj_shop', subject: user.id })
    expect(journal.text).not.toContain(PASSWORD)
  })
})
