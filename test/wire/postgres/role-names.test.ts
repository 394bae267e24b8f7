// The role catalogues show a tenant's programs and functions only the roles of its own project, not those of other tenants.
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresWorld, startPostgresWorld } from '../../support/postgres-world.ts'

const SQL = `
  create table people (id integer primary key);
  create function role_names() returns setof text language sql stable as
    'select rolname::text from pg_roles union select groname from pg_group union select usename from pg_user';
  create function overhear(name text) returns boolean language plpgsql cost 0.000001 as
    $$begin raise notice 'overheard %', name; return true; end$$`

const FOREIGN = /south|vendor/
const SECRET = 'zebra-4711'

let world: PostgresWorld
let client: pg.Client

beforeAll(async () => {
  world = await startPostgresWorld(SQL)
  client = await world.client()
  const other = await world.client({ connectionString: world.otherUrl })
  // Ignores the refusal of the embedded engine, which allows no settings of roles and so has no secret to find.
  await other.query(`alter role current_user set my.secret = '${SECRET}'`).catch(() => undefined)
})
afterAll(() => world[Symbol.asyncDispose]())

async function read(text: string): Promise<string> {
  const { rows } = await client.query({ text, rowMode: 'array' })
  return JSON.stringify(rows)
}

describe('the catalogues of roles', () => {
  it.each([
    ['select * from pg_roles', /"proj_north_owner"/],
    ['select * from pg_group', /"proj_north_owner"/],
    ['select * from pg_user', /\["/],
    ['select *, pg_get_userbyid(refobjid) from pg_shdepend', /"proj_north_owner"/],
    ['select * from pg_db_role_setting', /^\[/],
    ['select * from pg_parameter_acl', /^\[\]$/],
    [
      'select role.rolname, member.rolname from pg_auth_members join pg_roles as role on role.oid = roleid join pg_roles as member on member.oid = member',
      /^\[/,
    ],
    [`select count(*) from pg_user_mappings`, /^\[\["0"\]\]$/],
  ])('show only the client’s own project: %s', async (text, expected) => {
    const found = await read(text)
    expect(found).toMatch(expected)
    expect(found).not.toMatch(FOREIGN)
    expect(found).not.toContain(SECRET)
    expect(found).not.toMatch(/SCRAM|md5/)
  })

  it('name the roles that own objects and policies', async () => {
    expect(
      await read(`select distinct rolname from pg_class join pg_roles on pg_roles.oid = relowner
        where relname in ('people', 'pg_class', 'auth_users')`),
    ).toMatch(/"proj_north_owner"/)
    // pg_dump ends with an error when an owner has no name.
    expect(
      await read(`select relname from pg_class where not exists (select from pg_roles where oid = relowner)
        union all select proname from pg_proc where not exists (select from pg_roles where oid = proowner)
        union all select nspname from pg_namespace where not exists (select from pg_roles where oid = nspowner)
        union all select extname from pg_extension where not exists (select from pg_roles where oid = extowner)`),
    ).toBe('[]')
  })

  it.each([
    'pg_roles where overhear(rolname)',
    'pg_user where overhear(usename)',
    'pg_group where overhear(groname)',
    'pg_shdepend where overhear(pg_get_userbyid(refobjid))',
    'pg_db_role_setting where overhear(setconfig::text || pg_get_userbyid(setrole))',
  ])('pass no row of another project to a function of the tenant: %s', async (from) => {
    const heard: (string | undefined)[] = []
    const listen = ({ message }: { message: string | undefined }) => heard.push(message)
    client.on('notice', listen)
    await client.query(`select * from ${from}`)
    client.off('notice', listen)
    expect(heard.join()).not.toMatch(FOREIGN)
    expect(heard.join()).not.toContain(SECRET)
  })

  it('show only the own project to functions over REST', async () => {
    const names: string[] = await world.rest('/rpc/role_names')
    expect(names).toContain('proj_north_owner')
    expect(names.filter((name) => FOREIGN.test(name))).toEqual([])
  })

  it('hide passwords from the owner', async () => {
    await expect(client.query('select * from pg_shadow')).rejects.toMatchObject({ code: '42501' })
    await expect(client.query('select * from pg_authid')).rejects.toMatchObject({ code: '42501' })
  })
})
