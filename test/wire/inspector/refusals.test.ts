// The data that the emulator keeps of refused requests while no inspector is open: bodies, reasons and claimed tenants
// (contract/recording.ts, journal.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEvents } from '../../support/event-stream.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestTenant,
  userToken,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const USER = '00000000-0000-4000-8000-00000000000a'
const OTHER = '00000000-0000-4000-8000-00000000000b'
const SQL = `
  create table notes (id int primary key, body text, owner uuid default auth.uid());
  alter table notes enable row level security;
  create policy own_notes on notes using (owner = auth.uid()) with check (owner = auth.uid());
  grant select, insert, update, delete on notes to authenticated;`
const API = '/_emulator/v1/journal'

let at: TestEmulator
let tenant: TestTenant
let token: string
beforeAll(async () => {
  at = await workerEmulator()
  tenant = await provisionTenant(at, await createGroup(at, 'clinic', { sql: SQL }), 'north')
  token = await userToken(at, tenant.slug, USER)
})
afterAll(() => at[Symbol.asyncDispose]())

const insert = (id: number, owner: string, mark: string) =>
  at.call('POST', `/notes?columns=id,owner&select=${mark}:id`, {
    credential: token,
    headers: { apikey: tenant.anonKey },
    body: { id, owner },
  })

async function entryOf(marker: string): Promise<Json> {
  return (await at.call('GET', `${API}?limit=1&search=${marker}`)).body.entries[0]
}

async function recordingOf(marker: string): Promise<Json> {
  const { request_id: id } = await entryOf(marker)
  return (await at.call('GET', `${API}/${id}`)).body.recording
}

const replay = async (marker: string, body: Json = {}) =>
  (await at.call('POST', `${API}/${(await entryOf(marker)).request_id}/replay`, { body })).body

describe('a request that was refused while no inspector was open', () => {
  it('keeps both bodies, so that its chain names the deciding policy', async () => {
    expect((await insert(1, OTHER, 'policy_mark')).status).toBe(403)
    const { request_body: sent, response_body: answered } = await recordingOf('policy_mark')
    expect(sent).toMatchObject({ state: 'complete', text: `{"id":1,"owner":"${OTHER}"}` })
    expect(JSON.parse(answered.text)).toMatchObject({ code: '42501' })
    const { request_id: id } = await entryOf('policy_mark')
    const { incomplete, links } = (await at.call('GET', `${API}/${id}/chain`)).body
    expect(incomplete).toBeNull()
    expect(links.find(({ state }: Json) => state === 'broken').title).toContain('own_notes')
  })

  it('can be replayed, also with an edited body', async () => {
    expect((await insert(2, OTHER, 'again_mark')).status).toBe(403)
    const answer = await replay('again_mark')
    expect(answer.status).toBe(403)
    expect(answer.request_id).not.toBe((await entryOf('policy_mark')).request_id)
    const edited = await replay('again_mark', { body: `{"id":2,"owner":"${USER}"}` })
    expect(edited.status).toBe(201)
  })

  it('keeps its body, although the service refused the request before reading the body', async () => {
    await at.call('POST', '/notes?early_mark=1', { credential: 'nonsense', body: { id: 3 } })
    expect((await recordingOf('early_mark')).request_body).toMatchObject({ text: '{"id":3}' })
  })

  it('shows no password, and a replay sends the real password', async () => {
    const body = { email: 'nobody@clinic.test', password: 'correct horse', note: 'pass_mark' }
    const headers = { apikey: tenant.anonKey }
    await at.call('POST', '/auth/v1/signin?pass_mark=1', { headers, body })
    const shown = (await recordingOf('pass_mark')).request_body.text
    expect(JSON.parse(shown)).toEqual({ ...body, password: '…' })
    const { request_id: id } = await replay('pass_mark', {
      body: shown.replace('nobody@', 'somebody@'),
      target: '/auth/v1/signin?edited_mark=1',
    })
    const { recording } = (await at.call('GET', `${API}/${id}`)).body
    expect(recording.request_body.size_bytes).toBe(
      JSON.stringify({ ...body, email: 'somebody@clinic.test' }).length,
    )
  })

  it('keeps no body when recording is switched off, and loses a body that was kept before', async () => {
    await insert(5, OTHER, 'before_switch')
    const put = (on: boolean) =>
      at.call('PUT', `${API}/recording`, { body: { refused_bodies: on } })
    expect((await put(false)).body).toEqual({ refused_bodies: false })
    await insert(6, OTHER, 'after_switch')
    const states = await Promise.all(
      ['before_switch', 'after_switch'].map(async (mark) => {
        const { request_body: sent, response_body: answered } = await recordingOf(mark)
        return [sent.state, answered.state]
      }),
    )
    const { request_id: id } = await entryOf('after_switch')
    const { incomplete } = (await at.call('GET', `${API}/${id}/chain`)).body
    expect(incomplete).toContain('recording bodies of refused requests was turned off')
    await put(true)
    expect(states.flat()).toEqual(['unwatched', 'unwatched', 'unwatched', 'unwatched'])
    expect((await at.call('GET', `${API}/recording`)).body).toEqual({ refused_bodies: true })
  })
})

describe('a request that succeeded', () => {
  it('keeps no body until an event stream is open', async () => {
    await insert(7, USER, 'fine_mark')
    expect(await recordingOf('fine_mark')).toMatchObject({
      request_body: { state: 'unwatched' },
      stages: null,
    })
    await using stream = await readEvents(at.url)
    await stream.next(({ kind }) => kind === 'hello')
    await insert(8, USER, 'seen_mark')
    const seen = await recordingOf('seen_mark')
    expect(seen.request_body.state).toBe('complete')
    const stages = seen.stages.map(({ name, parts }: Json) => [name, parts.length])
    expect(stages).toEqual(
      expect.arrayContaining([
        ['jwt', 0],
        ['transaction', 1],
        ['finish', 0],
      ]),
    )
    // The answer has no Server-Timing header, because the caller did not ask for it.
    expect(seen.response_headers).not.toHaveProperty('server-timing')
  })
})

describe('GET /journal/refusals', () => {
  it('names tenant, identity and the reason in plain words', async () => {
    await insert(9, OTHER, 'listed_mark')
    const { refusals, refused, total } = (await at.call('GET', `${API}/refusals?limit=1`)).body
    expect(refusals).toMatchObject([
      {
        entry: { schema_name: tenant.schemaName, subject: USER, error_code: '42501' },
        reason: 'The role has the privilege, but no policy accepts the new row.',
        claimed_subject: null,
      },
    ])
    expect(total).toBeGreaterThan(refused)
  })

  it('lists a refused token under the tenant in its claims, and marks the tenant as claimed', async () => {
    const claims = { sub: USER, role: 'authenticated', project_schema: tenant.schemaName }
    const forged = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AAAA`
    const headers = { apikey: tenant.anonKey }
    await at.call('GET', '/notes?forged_mark=1', { credential: forged, headers })
    const { refusals } = (await at.call('GET', `${API}/refusals?limit=1`)).body
    expect(refusals).toMatchObject([
      {
        entry: { schema_name: tenant.schemaName, schema_is_claimed: true, role: null },
        claimed_subject: USER,
      },
    ])
  })

  it('leaves out requests of the inspector’s own pages', async () => {
    const headers = { 'x-tenantry-inspector': '1' }
    await at.call('GET', '/notes?page_mark=1', { headers })
    expect(await entryOf('page_mark')).toMatchObject({ is_from_inspector: true, status: 401 })
    const { refusals } = (await at.call('GET', `${API}/refusals`)).body
    expect(refusals.map(({ entry }: Json) => entry.target)).not.toContain('/notes?page_mark=1')
    const marked = await at.call('GET', `${API}?from_inspector=true&refused=true`)
    expect(marked.body.entries).toMatchObject([{ target: '/notes?page_mark=1' }])
  })
})
