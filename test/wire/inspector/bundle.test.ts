// POST /_emulator/v1/bundles, and the emulator that opens the file (contract/bundles.ts).
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BundleEmulator, openBundle } from '../../../emulator/index.ts'
import { onlyEmbedded, TEST_DATABASE_URL } from '../../support/engine-of-run.ts'
import { storageToken } from '../../support/storage-world.ts'
import {
  type Answer,
  callsTo,
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestGroup,
  type TestTenant,
  userToken,
} from '../../support/test-emulator.ts'

const USER = '00000000-0000-4000-8000-00000000000a'
const SQL = `
  create table notes (id int primary key, body text, owner uuid default auth.uid());
  alter table notes enable row level security;
  create policy own on notes using (owner = auth.uid()) with check (owner = auth.uid());
  grant select, insert, update, delete on notes to authenticated;
  grant all on notes to service_role;`
const FAULT = { scope: { service: 'storage' }, effect: { kind: 'latency', ms: 1 } }

let at: TestEmulator
let group: TestGroup
let tenant: TestTenant
let folder: string
let token: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-bundle-'))
  // Records all bodies, because the answer that creates a tenant contains the tenant's keys.
  at = await startTestEmulator({ journalBodies: 'always' })
  group = await createGroup(at, 'clinic', { sql: SQL })
  tenant = await provisionTenant(at, group, 'north')
  token = await userToken(at, tenant.slug, USER)
  await insert(token, 1, 'mine')
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const headers = () => ({ apikey: tenant.anonKey, 'accept-profile': tenant.schemaName })
const insert = (credential: string, id: number, body: string, owner = USER) =>
  at.call('POST', '/notes', { credential, headers: headers(), body: { id, body, owner } })

let files = 0
/** Makes a bundle and returns its path. */
async function makeBundle(order: object = {}): Promise<string> {
  const response = await fetch(`${at.url}/_emulator/v1/bundles`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  })
  expect(response.status, response.ok ? '' : await response.text()).toBe(200)
  files += 1
  const path = join(folder, `${files}.tenantry`)
  writeFileSync(path, new Uint8Array(await response.arrayBuffer()))
  return path
}

interface Opened extends AsyncDisposable {
  readonly emulator: BundleEmulator
  readonly requestId: string
  readonly call: TestEmulator['call']
  readonly api: (method: string, path: string, body?: object) => Promise<Json>
}

async function open(path: string): Promise<Opened> {
  const emulator = await openBundle(path)
  const { port } = await emulator.listen({ port: 0, host: '127.0.0.1' })
  const call = callsTo(`http://127.0.0.1:${port}`)
  return {
    emulator,
    requestId: emulator.bundle.request_id ?? '',
    call,
    api: async (method, route, body) =>
      (await call(method, `/_emulator/v1${route}`, body === undefined ? {} : { body })).body,
    [Symbol.asyncDispose]: () => emulator.close(),
  }
}

/** Stores a file and returns its path. */
async function storeFile(credential: string): Promise<string> {
  const bucket = await at.call('POST', '/storage/v1/bucket', {
    credential,
    body: { name: `${tenant.schemaName}_papers` },
  })
  const path = `/storage/v1/object/${bucket.body.name}/a.txt`
  await at.call('POST', path, {
    credential,
    body: 'content',
    headers: { 'content-type': 'text/plain' },
  })
  return path
}

const whyOf = async (id: string): Promise<Json> =>
  (await at.call('GET', `/_emulator/v1/journal/${id}/why`)).body.links

const embedded = onlyEmbedded('the states of a server are no files')

embedded.describe('an opened bundle', () => {
  let opened: Opened
  let foreign: Answer<Json>
  let forbidden: Answer<Json>
  let signIn: Answer<Json>
  let refused: Answer<Json>
  let file: string
  let fileToken: string
  beforeAll(async () => {
    fileToken = await storageToken(at, tenant.serviceRoleKey)
    file = await storeFile(fileToken)
    foreign = await insert(`${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(86)}`, 3, 'x')
    const info = (await at.call('GET', '/_emulator/v1/info')).body
    const key = info.groups[0].group_api_key
    forbidden = await at.call('GET', '/groups/v1/grp_other/tenants', { credential: key })
    signIn = await at.call('POST', '/platform/v1/session', {
      body: { email: 'dev@tenantry.test', password: 'wrong-password' },
    })
    refused = await insert(token, 2, 'not mine', '00000000-0000-4000-8000-00000000000b')
    opened = await open(await makeBundle({ note: 'a note' }))
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  it('opens at the refused request, and explains and repeats the refusal', async () => {
    const id = idOf(refused)
    expect(opened.requestId).toBe(id)
    expect((await opened.api('GET', '/bundles/opened')).opened).toMatchObject({
      note: 'a note',
      has_state: true,
      request_id: id,
    })
    const { entry, recording } = await opened.api('GET', `/journal/${id}`)
    expect(entry).toMatchObject({ method: 'POST', status: refused.status })
    expect(JSON.parse(recording.request_body.text)).toMatchObject({ body: 'not mine' })
    expect(recording.response_body.text).toBe(refused.text)
    expect((await opened.api('GET', `/journal/${id}/why`)).links).toEqual(await whyOf(id))
    expect((await opened.api('POST', `/journal/${id}/replay`)).status).toBe(refused.status)
  })

  it('has the rows, keys and files of the platform', async () => {
    const rows = await opened.call('GET', '/notes?select=id', {
      credential: token,
      headers: headers(),
    })
    expect(rows.body).toEqual([{ id: 1 }])
    expect((await opened.call('GET', file, { credential: fileToken })).text).toBe('content')
  })

  it('keeps a credential of another platform invalid', async () => {
    expect(foreign.status).toBe(401)
    const id = idOf(foreign)
    expect((await opened.api('GET', `/journal/${id}/why`)).links).toEqual(await whyOf(id))
  })

  it('replays a request with a group key, and refuses to replay a request with a masked password', async () => {
    expect(signIn.status).toBe(401)
    const again = await opened.api('POST', `/journal/${idOf(forbidden)}/replay`)
    expect(again.status).toBe(forbidden.status)
    const masked = await opened.api('POST', `/journal/${idOf(signIn)}/replay`)
    expect(masked.error).toMatchObject({ code: 'conflict' })
    expect(masked.error.message).toContain('masked')
    const given = await opened.api('POST', `/journal/${idOf(signIn)}/replay`, {
      body: '{"email":"dev@tenantry.test","password":"wrong-password"}',
    })
    expect(given.status).toBe(401)
  })

  it('keeps its requests after a reset, which restores the state of the bundle', async () => {
    await opened.call('DELETE', '/notes?id=eq.1', { credential: token, headers: headers() })
    await opened.api('POST', '/reset')
    const rows = await opened.call('GET', '/notes?select=id', {
      credential: token,
      headers: headers(),
    })
    expect(rows.body).toEqual([{ id: 1 }])
    const { entry } = await opened.api('GET', `/journal/${opened.requestId}`)
    expect(entry.status).toBe(refused.status)
  })

  it('removes its data when it closes', async () => {
    const { data_dir: data } = await opened.emulator.ready('http://127.0.0.1')
    expect(existsSync(data ?? '')).toBe(true)
    await opened.emulator.close()
    expect(existsSync(data ?? '')).toBe(false)
  })
})

embedded.describe('a bundle', () => {
  it('continues with the first emulator’s time, faults and identifiers, and does not change the first emulator', async () => {
    const { now } = (await at.call('POST', '/_emulator/v1/clock', { body: { freeze: true } })).body
    await at.call('POST', '/_emulator/v1/faults', { body: FAULT })
    const path = await makeBundle()
    const next = await provisionTenant(at, group, 'east')
    await using opened = await open(path)
    expect(await opened.api('GET', '/clock')).toMatchObject({ frozen: true, now })
    expect((await opened.api('GET', '/faults')).faults).toMatchObject([FAULT])
    const same = await opened.call('POST', `/groups/v1/${group.id}/tenants`, {
      credential: group.key,
      body: { slug: 'west' },
    })
    expect(same.status).toBe(201)
    expect((await at.call('GET', '/_emulator/v1/overview')).text).not.toContain('proj_west')
    expect(next.id).not.toBe(same.body.tenant.id)
    await at.call('DELETE', '/_emulator/v1/faults')
    await at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
  })
})

describe('a bundle without state', () => {
  it('contains no key, password or seed, and opens with the requests', async () => {
    const signIn = await at.call('POST', '/platform/v1/session', {
      body: { email: 'dev@tenantry.test', password: 'very-secret-password' },
    })
    await at.call('GET', `/notes?apikey=${tenant.serviceRoleKey}`, { headers: headers() })
    const path = await makeBundle({ with_state: false, request_id: idOf(signIn) })
    const content = gunzipSync(readFileSync(path)).toString('latin1')
    for (const secret of ['very-secret-password', group.key, at.session, '"seed"'])
      expect(content).not.toContain(secret)
    for (const jwt of [token, tenant.anonKey, tenant.serviceRoleKey])
      expect(content).not.toContain(jwt.split('.')[2])
    await using opened = await open(path)
    expect((await opened.api('GET', '/bundles/opened')).opened.has_state).toBe(false)
    const { recording } = await opened.api('GET', `/journal/${idOf(signIn)}`)
    expect(recording.request_body.text).toContain('dev@tenantry.test')
  })
})

describe('the route for bundles', () => {
  it('returns 404 for an unknown request', async () => {
    const answer = await at.call('POST', '/_emulator/v1/bundles', {
      body: { request_id: 'req_nothing', with_state: false },
    })
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  })

  it('shows no bundle in an emulator that was not opened from a bundle', async () => {
    expect((await at.call('GET', '/_emulator/v1/bundles/opened')).body).toEqual({ opened: null })
  })

  it.skipIf(TEST_DATABASE_URL === undefined)('refuses the state of a Postgres server', async () => {
    const answer = await at.call('POST', '/_emulator/v1/bundles')
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
    expect(answer.body.error.hint).toContain('--without-state')
  })
})

function idOf(answer: { readonly headers: Headers }): string {
  return answer.headers.get('x-request-id') ?? ''
}
