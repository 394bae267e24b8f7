// Request bodies and results above their size limits, and clients that disconnect before they have sent the whole body.
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Observation } from '../../../emulator/index.ts'
import {
  createGroup,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestGroup,
  type TestTenant,
} from '../../support/test-emulator.ts'
import { until } from '../../support/until.ts'

const BODY_BYTES = 65_536
const RESULT_BYTES = 65_536

const SQL = `
  create table notes (id bigint generated always as identity primary key, text text);
  create function wordy(words int) returns setof text language sql stable
    as $$ select repeat('x', 1000) from generate_series(1, words) $$;
  create function slow() returns integer language sql as $$ select 1 from pg_sleep(5) $$;
  create function note_and_tell(words int) returns setof text language plpgsql volatile
    as $$ begin insert into notes (text) values ('noted'); return query select * from wordy(words); end $$;
`

let at: TestEmulator
let group: TestGroup
let tenant: TestTenant
const seen: Observation[] = []
beforeAll(async () => {
  at = await startTestEmulator({ maxBodyBytes: BODY_BYTES, maxResultBytes: RESULT_BYTES }, [
    (observation) => seen.push(observation),
  ])
  group = await createGroup(at, 'bounds', { sql: SQL })
  tenant = await provisionTenant(at, group, 'acme')
})
afterAll(() => at[Symbol.asyncDispose]())

const keys = () => ({
  apikey: tenant.serviceRoleKey,
  authorization: `Bearer ${tenant.serviceRoleKey}`,
  'content-type': 'application/json',
})

async function notes(): Promise<number> {
  const { body } = await at.call('GET', '/rest/v1/notes?select=id', { headers: keys() })
  return body.length
}

interface Reply {
  readonly status: number | undefined
  readonly body: { readonly code?: string; readonly error?: { readonly code?: string } }
}

async function replyOf(response: IncomingMessage): Promise<Reply> {
  let text = ''
  for await (const piece of response) text += piece
  return { status: response.statusCode, body: JSON.parse(text) }
}

/** Sends a body without a length until an answer arrives. */
function sendEndlessly(path: string, headers: OutgoingHttpHeaders): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sending = httpRequest(at.url + path, { method: 'POST', headers })
    let hasAnswer = false
    const more = (): void => {
      while (!hasAnswer && !sending.destroyed) {
        if (sending.write('x'.repeat(16_384))) continue
        sending.once('drain', more)
        return
      }
    }
    sending.on('response', (response) => {
      hasAnswer = true
      resolve(replyOf(response))
    })
    sending.on('error', (error) => hasAnswer || reject(error))
    more()
  })
}

describe('a body larger than the data plane accepts', () => {
  it('is refused while it is still being sent, and the client reads the refusal', async () => {
    const before = process.memoryUsage().rss
    const { status, body } = await sendEndlessly('/rest/v1/notes', keys())
    expect([status, body.code]).toEqual([413, 'payload_too_large'])
    expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20)
  })

  it('is refused by its content-length before it is sent', async () => {
    const headers = { ...keys(), 'content-length': 1 << 30 }
    const reply = await new Promise<Reply>((resolve, reject) => {
      const sending = httpRequest(`${at.url}/rest/v1/notes`, { method: 'POST', headers })
      sending.on('response', (response) => resolve(replyOf(response)))
      sending.on('error', reject)
      sending.flushHeaders()
    })
    expect([reply.status, reply.body.code]).toEqual([413, 'payload_too_large'])
  })

  it('is refused from one byte above the limit', async () => {
    const frame = JSON.stringify({ text: '' }).length
    const body = { text: 'x'.repeat(BODY_BYTES - frame) }
    const kept = await at.call('POST', '/rest/v1/notes', { headers: keys(), body })
    expect(kept.status).toBe(201)
    body.text += 'x'
    const refused = await at.call('POST', '/rest/v1/notes', { headers: keys(), body })
    expect([refused.status, refused.body.code]).toEqual([413, 'payload_too_large'])
  })
})

describe('an endless body', () => {
  it.each([
    ['/auth/v1/signup', 'payload_too_large'],
    ['/platform/v1/projects', 'payload_too_large'],
    ['/_emulator/v1/principals', 'body_too_large'],
  ])('is refused by POST %s', async (path, code) => {
    const headers = { ...keys(), authorization: `Bearer ${at.session}` }
    const { status, body } = await sendEndlessly(path, path.startsWith('/auth') ? keys() : headers)
    expect([status, body.error?.code]).toEqual([413, code])
  })
})

describe('a result larger than the limit of the data plane', () => {
  it('is refused for a read', async () => {
    const path = '/rest/v1/rpc/wordy?words='
    expect((await at.call('GET', `${path}10`, { headers: keys() })).status).toBe(200)
    const { status, body } = await at.call('GET', `${path}100`, { headers: keys() })
    expect([status, body.code]).toEqual([413, 'result_too_large'])
  })

  it('is refused for a function that writes, and nothing is changed', async () => {
    const before = await notes()
    const call = (words: number) =>
      at.call('POST', '/rest/v1/rpc/note_and_tell', { headers: keys(), body: { words } })
    expect((await call(10)).status).toBe(200)
    expect((await call(100)).body.code).toBe('result_too_large')
    expect(await notes()).toBe(before + 1)
  })

  it('is refused for changed rows, and nothing is changed', async () => {
    const rows = Array.from({ length: 5 }, () => ({ text: 'y'.repeat(10_000) }))
    await at.call('POST', '/rest/v1/notes', { headers: keys(), body: rows })
    await at.call('POST', '/rest/v1/notes', { headers: keys(), body: rows })
    const change = (prefer: string) =>
      at.call('PATCH', '/rest/v1/notes?text=like.y*', {
        headers: { ...keys(), prefer },
        body: { text: `y${'z'.repeat(20_000)}` },
      })
    expect((await change('return=representation')).body.code).toBe('result_too_large')
    const { body } = await at.call('GET', '/rest/v1/notes?select=id&text=like.yz*', {
      headers: keys(),
    })
    expect(body).toEqual([])
    expect((await change('return=minimal')).status).toBe(204)
  })

  it('is an error of db/exec that reports the outcome of the script', async () => {
    const { status, body } = await at.call(
      'POST',
      `/platform/v1/projects/${group.templateId}/db/exec`,
      {
        credential: at.session,
        body: { sql: "select repeat('x', 1000) from generate_series(1, 1000)" },
      },
    )
    expect([status, body.error.code]).toEqual([200, '54000'])
    expect(body.error.message).toContain('run and committed')
  })
})

describe('a client that disconnects before the answer', () => {
  const places: [string, string][] = [
    ['/rest/v1/notes', 'data'],
    ['/auth/v1/signup', 'auth'],
    ['/platform/v1/projects', 'control'],
    ['/realtime/v1/api/broadcast', 'realtime'],
    ['/_emulator/v1/fixtures/check', 'inspector'],
  ]

  async function credentialFor(path: string): Promise<string> {
    if (path.startsWith('/platform')) return at.session
    if (!path.startsWith('/realtime')) return tenant.serviceRoleKey
    const { body } = await at.call('POST', '/rt/v1/token', { credential: tenant.serviceRoleKey })
    return body.token
  }

  it.each(places)(
    'is reported as client_closed by POST %s, and not as an internal failure',
    async (path) => {
      const credential = await credentialFor(path)
      const from = seen.length
      const lines = [
        `POST ${path} HTTP/1.1`,
        `Host: ${new URL(at.url).host}`,
        `Authorization: Bearer ${credential}`,
        `apikey: ${tenant.serviceRoleKey}`,
        `Content-Type: ${path.includes('fixtures') ? 'application/gzip' : 'application/json'}`,
        'Content-Length: 1000',
      ]
      const socket = connect(Number(new URL(at.url).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(`${lines.join('\r\n')}\r\n\r\n{"half":`, () =>
        setImmediate(() => socket.destroy()),
      )
      const finished = () => seen.slice(from).find(({ kind }) => kind === 'requestFinished')
      await until(() => finished() !== undefined)
      expect(finished()).toMatchObject({ status: 499, errorCode: 'client_closed' })
      expect(seen.slice(from).filter(({ kind }) => kind === 'internalFailure')).toEqual([])
    },
  )

  it('is reported as client_closed when its statement is cancelled', async () => {
    const from = seen.length
    const asked = httpRequest(`${at.url}/rpc/slow`, {
      method: 'POST',
      headers: {
        apikey: tenant.anonKey,
        authorization: `Bearer ${tenant.serviceRoleKey}`,
        'content-profile': tenant.schemaName,
        'content-type': 'application/json',
      },
    })
    asked.on('error', () => undefined)
    asked.end('{}', () => setImmediate(() => asked.destroy()))
    const finished = () => seen.slice(from).find(({ kind }) => kind === 'requestFinished')
    await until(() => finished() !== undefined)
    expect(finished()).toMatchObject({ status: 499, errorCode: 'client_closed' })
  })
})
