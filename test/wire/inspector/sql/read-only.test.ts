// SQL over /_emulator/v1 in mode `read_only`, which no script can leave.
import { beforeAll, describe, expect, it } from 'vitest'
import { ANA, startTableWorld, type TableWorld } from '../../../support/table-world.ts'

let world: TableWorld
beforeAll(async () => {
  world = await startTableWorld()
  await world.sql('create sequence numbers')
})

const READ_ONLY = { mode: 'read_only' }
const clinics = async () =>
  (await world.sql('select count(*) from clinics')).body.results[0].rows[0][0]

describe('a read-only script', () => {
  it.each(['owner', { kind: 'user', user: ANA }])('reads with identity %j', async (identity) => {
    const { body } = await world.sql('select 1 as n; select 2 as n', { ...READ_ONLY, identity })
    expect(body.error).toBeNull()
    expect(body.results.map(({ rows }: { rows: unknown }) => rows)).toEqual([[['1']], [['2']]])
  })

  it.each([
    `insert into clinics (name) values ('gone')`,
    `create table gone (id int)`,
    `select nextval('numbers')`,
    `do $$ begin insert into clinics (name) values ('gone'); end $$`,
  ])('refuses %s', async (sql) => {
    const before = await clinics()
    const { body } = await world.sql(sql, READ_ONLY)
    expect(body.error.code).toBe('25006')
    expect(await clinics()).toBe(before)
  })

  it.each([
    'set transaction read write',
    'set transaction_read_only = off',
    'set local transaction_read_only = off',
    `select set_config('transaction_read_only', 'off', false)`,
    `do $$ begin perform set_config('transaction_read_only', 'off', true); end $$`,
  ])('stays read-only after %s', async (sql) => {
    const before = await clinics()
    const { body } = await world.sql(
      `${sql}; insert into clinics (name) values ('gone'); select nextval('numbers')`,
      READ_ONLY,
    )
    expect(body.error.code).toMatch(/^25/)
    expect(await clinics()).toBe(before)
  })

  it.each(['commit', 'rollback', 'begin read write'])('cannot run %s', async (sql) => {
    const { body } = await world.sql(`${sql}; insert into clinics (name) values ('gone')`, {
      ...READ_ONLY,
    })
    expect(body.error.code).toBe('transaction_control_blocked')
  })

  it('does not make later scripts read-only', async () => {
    await world.sql('set session characteristics as transaction read only', READ_ONLY)
    expect((await world.sql(`select nextval('numbers')`)).body.error).toBeNull()
  })

  it('reports an error’s position in the caller’s text', async () => {
    const { body } = await world.sql('  select nothing', READ_ONLY)
    expect(body.error).toMatchObject({ code: '42703', position: 10 })
  })
})
