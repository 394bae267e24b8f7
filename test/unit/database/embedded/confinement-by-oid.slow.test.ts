import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cellText, type Engine, SqlError } from '../../../../emulator/database/engine.ts'
import { script, tenantScript, verbatim } from '../../../../emulator/database/sql.ts'
import {
  createTestTenant,
  lastCell,
  openTestEngine,
  runAsOwner,
  runAsRole,
} from '../../../support/test-engine.ts'

// Attacks without names: on relations by oid, and on the engine itself (docs/wire/data-plane.md#isolation). Tenant proj_x
// attacks. Tenant proj_y has granted everything it owns to PUBLIC.
const ATTACKER = 'proj_x'
const VICTIM = 'proj_y'
const ROLES = ['proj_x_owner', 'anon', 'authenticated', 'service_role'] as const

let engine: Engine
let sequence: string
let table: string

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await createTestTenant(engine, ATTACKER)
  await createTestTenant(engine, VICTIM)
  await runAsOwner(engine, VICTIM, 'select pg_stat_force_next_flush()')
  sequence = await oidOf('notes_id_seq')
  table = await oidOf('notes')
})

afterAll(() => engine.close())

describe.each(ROLES)('%s', (role) => {
  it.each([
    'select nextval(:sequence)',
    'select nextval(:sequence::oid::regclass)',
    'select currval(:sequence)',
    'select setval(:sequence, 7)',
    'select setval(:sequence, 7, true)',
    'select pg_sequence_last_value(:sequence)',
    'select pg_sequence_parameters(:sequence)',
    'select * from pg_get_sequence_data(:sequence)',
    'select pg_relation_size(:table)',
    `select pg_relation_size(:table, 'main')`,
    'select pg_table_size(:table)',
    'select pg_indexes_size(:table)',
    'select pg_total_relation_size(:table)',
    `select table_to_xml(:table, true, false, '')`,
    `select table_to_xmlschema(:table, true, false, '')`,
    'select pg_get_replica_identity_index(:table)',
    `do $$begin execute 'select nextval(:sequence)'; end$$`,
  ])('cannot reach another tenant’s relation by oid: %s', async (text) => {
    const named = text.replaceAll(':sequence', sequence).replaceAll(':table', table)
    expect(await attempt(role, named)).toBe('42501')
  })

  it('reads 0 from the counters of another tenant’s relation', async () => {
    const text = `select pg_stat_get_tuples_inserted(${table})`
    const [counted] = await engine.admin('cluster', script([verbatim(text)]))
    expect(cellText(counted?.rows[0]?.[0])).toBe('2')
    expect(await attempt(role, text)).toBe('0')
  })

  it('may use its own tenant’s relations by oid', async () => {
    const text = `select nextval('notes_id_seq'::regclass) > 0
      and pg_sequence_last_value('notes_id_seq'::regclass) > 0
      and pg_total_relation_size('notes'::regclass) > 0`
    expect(await attempt(role, text)).toBe('t')
  })

  it.each([
    [`select convert_to('a', 'LATIN1')`, '42883'],
    [`select convert_to('€', 'LATIN2')`, '42883'],
    [`select convert_to('a', 'SJIS')`, '42883'],
    [`select convert_from('a', 'EUC_JP')`, '42883'],
    [`select convert('a', 'WIN1252', 'KOI8R')`, '42883'],
    [`set client_encoding = 'SJIS'`, '0A000'],
    [`select set_config('client_encoding', 'LATIN1', true)`, '0A000'],
    [`do $$begin perform convert_to('a', 'WIN1252'); end$$`, '42883'],
    [
      `do $$begin perform convert_to('a', 'BIG5'); exception when undefined_function then null; end$$; select 'caught'`,
      'caught',
    ],
    [`select convert_from('\\xe9', 'LATIN1')`, 'é'],
    [`set client_encoding = 'UTF8'; select 'é'`, 'é'],
  ])('cannot crash the engine with an encoding: %s', async (text, expected) => {
    expect(await attempt(role, text)).toBe(expected)
  })

  it.each([
    [`select (repeat('[', 600000) || repeat(']', 600000))::jsonb`, '54001'],
    [`select repeat('[', 1000000)::jsonb`, '22P02'],
    [`select repeat('{"a":', 300000)::json`, '22P02'],
    [`select repeat('[', 5000000)::jsonb`, '54001'],
    [`select repeat('{"\\"":[', 5000000)::json`, '54001'],
    [`select length(('["' || repeat('[', 2000000) || '"]')::json ->> 0)`, '2000000'],
  ])('cannot crash the engine with deep JSON: %s', async (text, expected) => {
    expect(await attempt(role, text)).toBe(expected)
  })
})

describe('serial and identity columns', () => {
  it.each(['authenticated', 'service_role', 'proj_x_owner'])('get values for %s', async (role) => {
    await runAsOwner(
      engine,
      ATTACKER,
      `create table if not exists counted (a serial, b integer generated always as identity, c text);
       grant insert, select on counted to authenticated, service_role;
       alter table counted disable row level security`,
    )
    const text = `insert into counted (c) values ('x') returning (a > 0 and a = b)`
    expect(await attempt(role, text)).toBe('t')
  })
})

it.each(['anon', 'authenticated', 'service_role'])(
  'refuses a change of default privileges by %s, a role of all tenants',
  async (role) => {
    const text = 'alter default privileges grant select on tables to anon'
    expect(await attempt(role, text)).toBe('42501')
  },
)

it('does not restart the engine during the tests of this file', () => {
  expect(engine.stats().restarts).toBe(0)
})

async function oidOf(relation: string): Promise<string> {
  const found = await runAsOwner(engine, VICTIM, `select '${relation}'::regclass::oid`)
  return lastCell(found) ?? ''
}

async function attempt(role: string, text: string): Promise<string> {
  try {
    return lastCell(await runAsRole(engine, ATTACKER, role, tenantScript(text))) ?? 'null'
  } catch (error) {
    return error instanceof SqlError ? error.code : String(error)
  }
}
