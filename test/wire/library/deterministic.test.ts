// Deterministic mode: the same session in two emulators leaves the same journal and the same rows.
import { expect, it } from 'vitest'
import { type Actor, createEmulator, type Emulator } from '../../../emulator/index.ts'
import { onlyEmbedded } from '../../support/engine-of-run.ts'

const inSql = onlyEmbedded('SQL’s time and random values are the server’s own.')
const FROZEN_AT = '2030-01-01T09:00:00Z'

const SCHEMA = `create table orders (
    id uuid primary key default gen_random_uuid(), number serial, placed_at timestamptz not null default now(),
    luck double precision not null default random(), owner uuid default auth.uid());
  alter table orders enable row level security;
  create policy own on orders for all to authenticated using (owner = auth.uid()) with check (owner = auth.uid());`

interface Trace {
  readonly journal: readonly object[]
  readonly rows: unknown
}

async function json(actor: Actor, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await actor.fetch(path, {
    method,
    headers: { 'content-type': 'application/json', prefer: 'return=representation' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return answer.json()
}

/** Runs operations that generate ids or read the time: a sign-up, an insert, a refused request, an upload, a moved clock. */
async function session(seed: string): Promise<Trace> {
  await using emulator = await createEmulator({ deterministicSeed: seed, frozenAt: FROZEN_AT })
  await emulator.applyFixture('fixtures/clinics')
  const tenant = await emulator.tenant('shop', { group: 'Clinics' })
  await tenant.sql(SCHEMA)
  const visitor = await tenant.as()
  const credentials = { email: 'ana@x.test', password: 'correct horse battery' }
  await json(visitor, 'POST', '/auth/v1/signup', credentials)
  await json(visitor, 'POST', '/auth/v1/signin', credentials)
  await json(visitor, 'POST', '/auth/v1/signin', { ...credentials, password: 'wrong' })
  await json(visitor, 'POST', '/auth/v1/otp/send', { email: 'new@x.test', channel: 'email' })
  const ana = await tenant.as({ user: 'ana@x.test' })
  await json(ana, 'POST', '/orders', [{}, {}, {}])
  await json(visitor, 'POST', '/orders', {})
  await json(ana, 'GET', '/orders?select=nothing')
  emulator.clock.advance(60_000)
  await json(ana, 'POST', '/orders', {})
  await json(ana, 'GET', '/orders?order=number')
  return {
    journal: await journalOf(emulator),
    rows: {
      orders: await tenant.sql('select * from orders order by number'),
      users: await tenant.sql('select * from auth_users order by id'),
      fixture: await (await emulator.tenant('aurora')).sql(
        'select * from appointments order by id',
      ),
      mailbox: (await emulator.mailbox.list()).map(({ code, sent_at }) => ({ code, sent_at })),
    },
  }
}

async function journalOf(emulator: Emulator): Promise<readonly object[]> {
  const answer = await emulator.fetch(
    new Request('http://127.0.0.1/_emulator/v1/journal?limit=1000'),
  )
  const { entries } = (await answer.json()) as {
    entries: { duration_ms: number; arrived_at: string }[]
  }
  return entries.map(({ duration_ms: _, arrived_at: _at, ...entry }) => entry)
}

inSql.it(
  'two runs with one seed and frozen time are the same but for durations',
  async () => {
    const first = await session('same')
    const second = await session('same')
    expect(first.journal.length).toBeGreaterThan(10)
    expect(JSON.stringify(second.journal, null, 1)).toBe(JSON.stringify(first.journal, null, 1))
    expect(JSON.stringify(second.rows, null, 1)).toBe(JSON.stringify(first.rows, null, 1))
  },
  120_000,
)

inSql.it('time starts at frozenAt and does not advance', async () => {
  await using emulator = await createEmulator({ frozenAt: FROZEN_AT })
  const tenant = await emulator.tenant('still')
  const now = () => tenant.sql('select now() at time zone $$UTC$$ as now')
  const first = await now()
  expect(first).toEqual([{ now: '2030-01-01 09:00:00' }])
  expect(await now()).toEqual(first)
  expect(emulator.clock.time.kind).toBe('frozen')
})

it('refuses text that is not an instant', async () => {
  await expect(createEmulator({ frozenAt: 'tomorrow' })).rejects.toThrow(
    /frozenAt: must be an instant such as 2030/,
  )
})
