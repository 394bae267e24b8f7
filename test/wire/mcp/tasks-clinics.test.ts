// Ten tasks on the fixture `clinics` that an agent solves by tools alone. All answers of a task together have at most 4 kB.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Agent, agentAt } from '../../support/agent.ts'
import { migrate } from '../../support/migrations.ts'
import {
  expectStatus,
  type Json,
  startTestEmulator,
  type TestEmulator,
} from '../../support/test-emulator.ts'

const ANA = 'ana@patients.test'
const MAX_BYTES = 4_000

let at: TestEmulator
let agent: Agent
beforeAll(async () => {
  at = await startTestEmulator()
  await at.emulator.applyFixture('fixtures/clinics')
})
afterAll(() => at[Symbol.asyncDispose]())
beforeEach(async () => {
  agent = await agentAt(at.url, '?allow-writes=1')
})
afterEach(async () => {
  expect(agent.bytesRead()).toBeLessThanOrEqual(MAX_BYTES)
  await agent[Symbol.asyncDispose]()
  expectStatus(await at.call('POST', '/_emulator/v1/reset'), 200)
})

/** Runs SQL that the developer ran before the agent's task. */
async function asOwner(tenant: string, sql: string): Promise<void> {
  const path = `/_emulator/v1/projects/${tenant}/sql`
  const { body, text } = await at.call('POST', path, { body: { sql, identity: 'owner' } })
  if (body.error !== null) throw new Error(text)
}

async function tokenOf(user: string): Promise<string> {
  const body = { project: 'aurora', role: 'authenticated', user }
  return (await at.call('POST', '/_emulator/v1/principals', { body })).body.token
}

/** A request of the application to the data plane of `aurora`. */
async function rest(path: string, credential: string | undefined, body?: object): Promise<Json> {
  const { groups } = await at.emulator.ready(at.url)
  const apikey = groups[0]?.tenants.find(({ slug }) => slug === 'aurora')?.anon_key ?? ''
  const headers = { apikey, 'accept-profile': 'proj_aurora', 'content-profile': 'proj_aurora' }
  return at.call(body === undefined ? 'GET' : 'POST', path, {
    headers,
    ...(body === undefined ? {} : { body }),
    ...(credential === undefined ? {} : { credential }),
  })
}

const STEP = {
  file: '20260601000000_unique_phone.sql',
  sql: 'alter table patients\n  add constraint one_phone unique (phone);',
}

describe('an agent', () => {
  it('finds out why ana sees no invoice, and proposes the narrowest policy', async () => {
    await asOwner('aurora', 'drop policy patients_see_their_invoices on invoices')
    const why = await agent.ask('explain_rows', {
      tenant: 'aurora',
      table: 'invoices',
      identity: ANA,
    })
    expect(why).toContain('0 of 2 rows allowed')
    expect(why).toContain('my_staff_role() is null')
    const whose = await agent.ask('run_sql', {
      tenant: 'aurora',
      sql: `select i.id from invoices i join patients p on p.id = i.patient_id join auth_users u on u.id = p.user_id where u.email = '${ANA}'`,
    })
    const id = /^\["(\d+)"\]$/m.exec(whose)?.[1]
    const fixes = await agent.ask('suggest_fix', {
      tenant: 'aurora',
      table: 'invoices',
      identity: ANA,
      key: { id: Number(id) },
    })
    const [, policy = ''] = fixes.split('\n')
    expect(policy).toMatch(/^create policy .* for select to authenticated .* = auth\.uid\(\)\)\);$/)
    expect(fixes).toMatch(/^Opens to (none|asker)\./m)
    await agent.ask('run_sql', { tenant: 'aurora', sql: policy, mode: 'run' })
    const seen = await agent.ask('who_can_see', { tenant: 'aurora', table: 'invoices' })
    // The ids of users, which decide their order, differ in each run.
    const viewersOf = (row?: string) =>
      new RegExp(`^\\{"id":"${row}"\\}: (.*)$`, 'm').exec(seen)?.[1]?.split(', ').sort()
    expect(viewersOf(id)).toEqual(['ana@patients.test', 'reception@aurora.test'])
    expect(viewersOf('2')).toEqual(['reception@aurora.test'])
  })

  it('names the tenant that has pending migrations', async () => {
    await migrate(at, 'Clinics', 'apply', { steps: [STEP], tenants: ['aurora'] })
    const status = await agent.ask('migrations')
    expect(status).toContain('1 of 2 tenants have pending steps')
    expect(status).toMatch(/tenant boavista, .*, 1 pending, pending 20260601000000_unique_phone, /)
    expect(status).toMatch(/tenant aurora, .* ran, none pending, /)
  })

  it('finds the tenant and the line at which a step would fail', async () => {
    await asOwner('boavista', `update patients set phone = '+55 1'`)
    await asOwner('boavista', `insert into patients (name, phone) values ('Twin', '+55 1')`)
    const report = await agent.ask('migrations', { action: 'rehearse', steps: [STEP] })
    expect(report).toContain('1 fail')
    expect(report).toMatch(
      /boavista: FAILS, 1 pending, fails in 20260601000000_unique_phone.sql line 1 with 23505/,
    )
    expect(report).toContain('aurora: ok')
  })

  it('rehearses new steps without adding the steps to the application', async () => {
    const tried = { file: '20260602000000_tried.sql', sql: 'create table tried (id int)' }
    const report = await agent.ask('migrations', { action: 'rehearse', steps: [STEP, tried] })
    expect(report).toContain('pending')
    expect(await agent.ask('migrations')).not.toContain('tried')
  })

  it('names the header that the last refused request lacked', async () => {
    expect((await rest('/invoices', undefined)).status).toBe(401)
    const why = await agent.ask('why_refused')
    expect(why).toContain('GET /invoices 401')
    expect(why).toContain('The header Authorization is missing')
  })

  it('finds that a valid token has expired', async () => {
    const token = await tokenOf(ANA)
    await agent.ask('clock', { action: 'advance', seconds: 30 * 86_400 })
    expect((await rest('/invoices', token)).status).toBe(401)
    const requests = await agent.ask('recent_requests', {
      refused: true,
      tenant: 'aurora',
      limit: 1,
    })
    const [id = ''] = requests.split(' ')
    expect(await agent.ask('why_refused', { request_id: id })).toMatch(/expired/)
    const worth = await agent.ask('explain_token', { token })
    expect(worth).toContain('signature valid')
    expect(worth).not.toContain(token)
  })

  it('lists who may read a private note', async () => {
    const matrix = await agent.ask('who_can_see', { tenant: 'aurora', table: 'notes' })
    expect(matrix).toContain('{"id":"2"}: silva@aurora.test')
    expect(matrix).not.toContain('reception')
  })

  it('finds the table that every holder of the public key can read', async () => {
    await asOwner(
      'aurora',
      `create table salaries (id int primary key); grant select on salaries to anon; insert into salaries values (1)`,
    )
    const audit = await agent.ask('who_can_see', { tenant: 'aurora' })
    expect(audit).toMatch(/^error row-security-missing: .*salaries/m)
    const table = await agent.ask('describe_schema', { tenant: 'aurora', table: 'salaries' })
    expect(table).toContain('row security OFF')
    expect(table).toMatch(/Fix: alter table .*enable row level security/i)
  })

  it('explains a refused insert, and measures draft policies before a policy is written', async () => {
    const row = { patient_id: 1, doctor_id: 1, treatment_id: 1, starts_at: '2026-05-01T09:00:00Z' }
    const booked = await rest('/appointments', await tokenOf(ANA), row)
    expect(booked.status).toBe(403)
    const why = await agent.ask('why_refused')
    const identity = /identity (request:req_\w+),/m.exec(why)?.[1]
    const about = {
      tenant: 'aurora',
      table: 'appointments',
      identity,
      command: 'insert',
      new_row: row,
    }
    expect(await agent.ask('explain_rows', about)).toMatch(/^refused .*reception_keeps_the_book/m)
    const policy = 'create policy booking on appointments for insert to authenticated with check'
    const narrow = await agent.ask('suggest_fix', {
      ...about,
      sql: `${policy} (patient_id = my_patient_id())`,
    })
    expect(narrow).toMatch(/^Opens to (none|asker)\./)
    const wide = await agent.ask('suggest_fix', { ...about, sql: `${policy} (true)` })
    expect(wide).toMatch(/^Opens to signed_in\./)
  })

  it('reads the code that was sent to a user, and acts as this user', async () => {
    const { groups } = await at.emulator.ready(at.url)
    const apikey = groups[0]?.tenants[0]?.anon_key ?? ''
    const sent = await at.call('POST', '/auth/v1/otp/send', {
      headers: { apikey },
      body: { email: ANA, channel: 'email' },
    })
    expectStatus(sent, 200)
    const messages = await agent.ask('mailbox', { tenant: 'aurora', to: ANA })
    expect(messages).toMatch(/email to ana@patients.test .*code \d{6}/)
    const minted = await agent.ask('mint_token', { tenant: 'aurora', user: ANA })
    const [token = ''] = minted.split('\n')
    expect((await rest('/invoices?select=id', token)).body).toEqual([{ id: 1 }])
  })

  it('makes the next read fail once, and shows the request that failed', async () => {
    const catalogue = await agent.ask('faults', {
      action: 'catalogue',
      service: 'data',
      search: 'rows',
      limit: 3,
    })
    const operation = /^(\S+) \(GET/m.exec(catalogue)?.[1]
    await agent.ask('faults', {
      action: 'arm',
      tenant: 'aurora',
      operation,
      effect: 'error',
      code: 'internal',
      count: 1,
    })
    const token = await tokenOf(ANA)
    expect((await rest('/invoices', token)).status).toBe(500)
    expect((await rest('/invoices', token)).status).toBe(200)
    const failed = await agent.ask('recent_requests', { status: '500', limit: 1 })
    expect(failed).toMatch(/GET \/invoices 500 .*fault /)
  })
})
