// /_emulator/v1/journal/:request_id and …/replay: complete recordings of requests, and sending them again
// (contract/recording.ts).
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
  userToken,
} from '../../support/test-emulator.ts'

const USER = '00000000-0000-4000-8000-00000000000a'
const BODY_LIMIT = 64 * 1024
const SQL = `
  create table notes (id int primary key, body text, owner uuid default auth.uid());
  alter table notes enable row level security;
  create policy own on notes using (owner = auth.uid()) with check (owner = auth.uid());
  grant select, insert, update, delete on notes to authenticated;`

let at: TestEmulator
let tenant: TestTenant
beforeAll(async () => {
  at = await startTestEmulator({ journalBodies: 'always' })
  tenant = await provisionTenant(at, await createGroup(at, 'clinic', { sql: SQL }), 'north')
})
afterAll(() => at[Symbol.asyncDispose]())

const user = () => userToken(at, tenant.slug, USER)

/** Reads the complete recording of the newest request whose target contains the marker. */
async function detailOf(marker: string, of = at): Promise<Json> {
  const found = await of.call('GET', `/_emulator/v1/journal?limit=1&search=${marker}`)
  const [entry] = found.body.entries
  return (await of.call('GET', `/_emulator/v1/journal/${entry.request_id}`)).body
}

const ask = (target: string, credential: string) =>
  at.call('GET', target, { credential, headers: { apikey: tenant.anonKey } })

const insert = (token: string, id: number, body: string) =>
  at.call('POST', `/notes?columns=id,body&select=id,body,marker:id&on_conflict=id&limit=${id}`, {
    credential: token,
    headers: { apikey: tenant.anonKey, prefer: 'return=representation' },
    body: { id, body },
  })

describe('a recorded request', () => {
  it('has headers, both bodies and the claims of its credential', async () => {
    const token = await user()
    await at.call('POST', '/rpc/nothing_here', {
      credential: token,
      body: { marker: 'é' },
      headers: { apikey: tenant.anonKey, 'x-mark': 'full' },
    })
    const { entry, recording, changes } = await detailOf('nothing_here')
    expect(entry).toMatchObject({ method: 'POST', status: 404, subject: USER })
    expect(recording.request_headers).toMatchObject({
      'x-mark': 'full',
      'content-type': 'application/json',
    })
    expect(recording.request_body).toEqual({
      state: 'complete',
      text: '{"marker":"é"}',
      size_bytes: 15,
    })
    expect(recording.response_headers['content-type']).toMatch(/^application\/json/)
    expect(JSON.parse(recording.response_body.text)).toMatchObject({ code: 'PGRST202' })
    expect(recording.claims).toMatchObject({ sub: USER, role: 'authenticated' })
    expect(changes).toEqual([])
  })

  it('masks credentials everywhere in the request', async () => {
    const token = await user()
    await at.call('GET', '/notes?select=id&order=body', {
      credential: token,
      headers: { apikey: tenant.anonKey, cookie: 'session=abcdefghijklmnopqrstuvwxyz' },
    })
    const detail = await detailOf('order=body')
    const text = JSON.stringify(detail)
    expect(text).not.toContain(token)
    expect(text).not.toContain(tenant.anonKey)
    expect(text).not.toContain('abcdefghijklmnopqrstuvwxyz')
    expect(detail.recording.request_headers.authorization).toBe(`Bearer ${token.slice(0, 8)}…`)
  })

  it('has the claims of a credential that was refused', async () => {
    const claims = { sub: 'somebody', role: 'service_role' }
    const forged = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AAAA`
    const { status } = await ask('/notes?forged=1', forged)
    expect(status).toBe(401)
    expect((await detailOf('forged')).recording.claims).toEqual(claims)
  })

  it('keeps only the start of a long body, and its full length', async () => {
    const token = await user()
    const long = 'x'.repeat(3 * BODY_LIMIT)
    expect((await insert(token, 100, long)).status).toBe(201)
    const { recording } = await detailOf('limit=100')
    expect(recording.request_body).toMatchObject({
      state: 'truncated',
      size_bytes: Buffer.byteLength(JSON.stringify({ id: 100, body: long })),
    })
    expect(recording.request_body.text).toHaveLength(BODY_LIMIT)
    expect(recording.response_body.state).toBe('truncated')
  })

  it('records only the length of a binary body', async () => {
    await at.call('POST', '/notes?binary=1', {
      credential: await user(),
      body: '\u0001\u0002',
      headers: { apikey: tenant.anonKey, 'content-type': 'application/octet-stream' },
    })
    expect((await detailOf('binary=1')).recording.request_body).toEqual({
      state: 'binary',
      text: null,
      size_bytes: 2,
    })
  })

  it('keeps the part of the body that arrived before the client disconnected', async () => {
    const { hostname, port } = new URL(at.url)
    const head = [
      'POST /notes?gone=1 HTTP/1.1',
      `host: ${hostname}:${port}`,
      `authorization: Bearer ${await user()}`,
      `apikey: ${tenant.anonKey}`,
      'content-type: application/json',
      'content-length: 500',
    ]
    const socket = connect(Number(port), hostname)
    socket.end(`${head.join('\r\n')}\r\n\r\n{"id":`)
    const entries = async () =>
      (await at.call('GET', '/_emulator/v1/journal?limit=1&search=gone=1')).body.entries
    await expect.poll(entries).toHaveLength(1)
    const { recording } = await detailOf('gone=1')
    expect(recording.request_body).toMatchObject({ state: 'truncated', text: '{"id":' })
  })

  it('is not found under an unknown id', async () => {
    expect((await at.call('GET', '/_emulator/v1/journal/req_nobody')).status).toBe(404)
    expect((await at.call('POST', '/_emulator/v1/journal/req_nobody/replay')).status).toBe(404)
  })
})

describe('a recorded body', () => {
  it('is passed on unchanged in both directions', async () => {
    const token = await user()
    const body = Array.from({ length: 20_000 }, (_, index) => `line ${index} é`).join('\n')
    expect((await insert(token, 200, body)).body).toMatchObject([{ id: 200, body }])
    const read = await ask('/notes?select=body&id=eq.200', token)
    expect(read.body).toEqual([{ body }])
    expect(Number(read.headers.get('content-length'))).toBe(Buffer.byteLength(read.text))
  })
})

describe('a replayed request', () => {
  it('is sent with the same identity and body, and has an id of its own', async () => {
    const token = await user()
    await insert(token, 300, 'first')
    const { entry } = await detailOf('limit=300')
    const again = await at.call('POST', `/_emulator/v1/journal/${entry.request_id}/replay`, {})
    expect(again.body).toMatchObject({ status: 409 })
    expect(again.body.request_id).not.toBe(entry.request_id)
    const twin = (await at.call('GET', `/_emulator/v1/journal/${again.body.request_id}`)).body
    expect(twin.entry).toMatchObject({ subject: USER, method: 'POST', target: entry.target })
    expect(twin.recording.request_body.text).toBe('{"id":300,"body":"first"}')
  })

  it('can have another method, target, headers and body', async () => {
    const token = await user()
    await insert(token, 400, 'to edit')
    const { entry } = await detailOf('limit=400')
    const again = await at.call('POST', `/_emulator/v1/journal/${entry.request_id}/replay`, {
      body: {
        method: 'PATCH',
        target: '/notes?id=eq.400',
        headers: { prefer: 'return=representation' },
        body: '{"body":"edited"}',
      },
    })
    expect(again.body.status).toBe(200)
    const twin = (await at.call('GET', `/_emulator/v1/journal/${again.body.request_id}`)).body
    expect(JSON.parse(twin.recording.response_body.text)).toMatchObject([{ body: 'edited' }])
  })

  it('has a fresh credential when the recorded credential has expired', async () => {
    const token = await user()
    await ask('/notes?select=id&order=id.desc', token)
    const { entry } = await detailOf('order=id.desc')
    await at.call('POST', '/_emulator/v1/clock', { body: { advance_ms: 2 * 3_600_000 } })
    const expired = await ask('/notes?limit=0', token)
    const again = await at.call('POST', `/_emulator/v1/journal/${entry.request_id}/replay`, {})
    await at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
    expect(expired.status).toBe(401)
    expect(again.body.status).toBe(entry.status)
    expect(again.body.status).not.toBe(401)
  })

  it('reads a target with two slashes as a path', async () => {
    await ask('/notes?limit=0', await user())
    const { entry } = await detailOf('limit=0')
    const replay = `/_emulator/v1/journal/${entry.request_id}/replay`
    const again = await at.call('POST', replay, {
      body: { target: '//user:word@elsewhere.test/x' },
    })
    const twin = (await at.call('GET', `/_emulator/v1/journal/${again.body.request_id}`)).body
    expect(twin.entry.target).toBe('//user:word@elsewhere.test/x')
    expect(twin.entry.status).toBe(404)
  })

  it('is refused when the body was not kept completely', async () => {
    const token = await user()
    await insert(token, 500, 'y'.repeat(2 * BODY_LIMIT))
    const { entry } = await detailOf('limit=500')
    const again = await at.call('POST', `/_emulator/v1/journal/${entry.request_id}/replay`, {})
    expect(again.status).toBe(409)
    expect(again.body.error).toMatchObject({ code: 'conflict', hint: expect.any(String) })
  })

  it.each([
    [{ method: 'G T' }],
    [{ method: 'TRACE' }],
    [{ target: 'https://elsewhere.example/' }],
    [{ headers: { 'x-a': 'b\r\nc: d' } }],
    [{ other: 1 }],
  ])('is refused with %j', async (body) => {
    await at.call('GET', '/notes?order=refusing')
    const { entry } = await detailOf('refusing')
    const path = `/_emulator/v1/journal/${entry.request_id}/replay`
    expect((await at.call('POST', path, { body })).status).toBe(400)
  })
})
