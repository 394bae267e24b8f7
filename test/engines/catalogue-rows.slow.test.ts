// What a tenant finds in the system catalogues: its own and shared objects, but never objects of another tenant.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../emulator/core/names.ts'
import { cellText, type Engine, SqlError } from '../../emulator/database/engine.ts'
import { script, tenantScript, verbatim } from '../../emulator/database/sql.ts'
import { onlyEmbedded, TEST_DATABASE_URL } from '../support/engine-of-run.ts'
import { patiently } from '../support/patience.ts'
import { createTestTenant, openTestEngine, runAsOwner, runAsRole } from '../support/test-engine.ts'

const ATTACKER = 'proj_x'
const VICTIM = 'proj_zebra'
const ROLES = ['proj_x_owner', 'anon', 'authenticated', 'service_role'] as const
// The name is in two parts, because some views show the running statement, which must not match itself.
const MARK = `'ze' || 'bra'`

// One object of every kind that an owner can make, each with a name that contains the mark.
const VICTIM_OBJECTS = `
  create table zebra_table (
    id serial primary key,
    zebra_column text default 'zebra_default' constraint zebra_check check (zebra_column <> 'zebra_value'));
  create type zebra_enum as enum ('zebra_label');
  create type zebra_composite as (zebra_field integer);
  create type zebra_range as range (subtype = integer);
  create domain zebra_domain as text constraint zebra_domain_check check (value <> 'zebra');
  create function zebra_function(zebra_argument zebra_enum) returns text language sql as 'select ''zebra_source''';
  create function zebra_atomic(zebra_argument integer) returns integer return zebra_argument + 1;
  create function zebra_plpgsql(zebra_argument zebra_composite default null) returns text language plpgsql as
    'begin return ''zebra_source''; end';
  create procedure zebra_procedure() language sql as 'select ''zebra_source''';
  create aggregate zebra_aggregate (integer) (sfunc = int4pl, stype = integer);
  create function zebra_operator(integer, integer) returns boolean return $1 > $2;
  create operator ##> (leftarg = integer, rightarg = integer, function = zebra_operator);
  create function zebra_trigger_function() returns trigger language plpgsql as 'begin return new; end';
  create trigger zebra_trigger before insert on zebra_table for each row execute function zebra_trigger_function();
  create rule zebra_rule as on delete to zebra_table do instead nothing;
  create policy zebra_policy on zebra_table using (zebra_column = 'zebra_value');
  create index zebra_index on zebra_table (lower(zebra_column)) where zebra_column is not null;
  create index zebra_brin on zebra_table using brin (id);
  create statistics zebra_statistics (ndistinct) on id, (lower(zebra_column)) from zebra_table;
  create view zebra_view as select zebra_column as zebra_renamed from zebra_table;
  create materialized view zebra_materialized as select zebra_column from zebra_table;
  create sequence zebra_sequence;
  create table zebra_parent (zebra_key integer) partition by list (zebra_key);
  create table zebra_partition partition of zebra_parent for values in (1);
  create table zebra_hashed (zebra_key integer) partition by hash (zebra_key);
  create collation zebra_collation from "C";
  create text search dictionary zebra_dictionary (template = simple);
  create text search configuration zebra_configuration (copy = simple);
  alter text search configuration zebra_configuration alter mapping for word with zebra_dictionary;
  comment on table zebra_table is 'zebra_comment';
  comment on column zebra_table.zebra_column is 'zebra_comment';
  comment on function zebra_atomic is 'zebra_comment';
  insert into zebra_table (zebra_column) select 'zebra_row' from generate_series(1, 100);
  alter default privileges in schema proj_zebra grant execute on functions to anon;
  grant all on zebra_table, zebra_view, zebra_materialized to public;
  grant all on sequence zebra_sequence to public;
  analyze zebra_table`

// Returns the name of each readable catalogue relation, with `FOUND` if a row's text contains the mark.
const FIND_RELATIONS = `
  create function find_relations() returns setof text language plpgsql security invoker as $$
declare
  found record;
  hits bigint;
begin
  for found in
    select c.oid::regclass as name from pg_class c
    where c.relnamespace in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      and c.relkind in ('r', 'v') order by 1
  loop
    begin
      execute format('select count(*) from %s as r where r::text ilike %L', found.name, '%' || ${MARK} || '%') into hits;
      return next case when hits > 0 then 'FOUND ' else 'read ' end || found.name;
    exception when others then
      if sqlerrm ilike '%' || ${MARK} || '%' then return next 'FOUND ' || found.name || ': ' || sqlerrm; end if;
    end;
  end loop;
end $$;
grant execute on function find_relations to anon, authenticated, service_role`

// Calls every catalogue function that has an oid parameter, with each oid of the victim's objects.
const FIND_ROUTINES = `
  create function find_routines(oids oid[]) returns setof text language plpgsql as $$
declare
  found record;
  object oid;
  call text;
  answer text;
begin
  for found in
    select p.oid::regprocedure as name, p.oid::regproc as routine, p.prorettype, (
      select string_agg(case
        when t.typname like 'reg%' or t.typname = 'oid' then '$1::oid::' || t.oid::regtype
        when t.typname = 'oidvector' then '($1::text)::oidvector'
        when t.typname in ('int2', 'int4', 'int8') then '1::' || t.oid::regtype
        when t.typname = 'bool' then 'true'
        when t.typname = 'cstring' then quote_literal('(1)') || '::cstring'
        when t.typname = 'char' then quote_literal('r') || '::"char"'
        when t.typname = 'name' then quote_literal('pg_class') || '::name'
        when t.typname = 'text' then quote_literal('select')
        when t.typname in ('json', 'jsonb') then quote_literal('"numeric"') || '::' || t.oid::regtype
        else 'null::' || t.oid::regtype end, ', ' order by a.place)
      from unnest(p.proargtypes) with ordinality as a (type, place) join pg_type t on t.oid = a.type) as arguments
    from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f' and has_function_privilege(p.oid, 'execute')
      and p.proargtypes::oid[] && array(select t.oid from pg_type t where t.typname like 'reg%' or t.typname in ('oid', 'oidvector'))
      and not p.proargtypes::oid[] && array['internal'::regtype, 'anyenum'::regtype]::oid[]
    order by 1
  loop
    foreach object in array oids loop
      begin
        execute format('select string_agg(r::text, '';'') from %s(%s) as r', found.routine, found.arguments) into answer using object;
      exception when others then
        answer := sqlerrm;
      end;
      if answer ilike '%' || ${MARK} || '%' then
        return next format('%s of %s: %s', found.name, object, answer);
      end if;
    end loop;
  end loop;
end $$;
grant execute on function find_routines to anon, authenticated, service_role`

// Describes each object with Postgres's functions for object addresses. The arrays have the catalogue and the oid of each object
// at the same place.
const FIND_ADDRESSES = `
  create function find_addresses(catalogues oid[], objects oid[]) returns setof text language plpgsql as $$
declare
  answer text;
begin
  for place in 1 .. cardinality(objects) loop
    begin
      select concat_ws(' ', pg_describe_object(c, o, 0), pg_describe_object(c, o, 1), pg_identify_object(c, o, 0)::text,
        pg_identify_object_as_address(c, o, 0)::text, pg_get_acl(c, o, 0)::text, obj_description(o),
        obj_description(o, (select relname from pg_class where oid = c)), col_description(o, 2)) into answer
      from (select catalogues[place], objects[place]) as address (c, o);
    exception when others then
      answer := sqlerrm;
    end;
    if answer ilike '%' || ${MARK} || '%' then return next answer; end if;
  end loop;
end $$;
grant execute on function find_addresses to anon, authenticated, service_role`

const isServer = TEST_DATABASE_URL !== undefined

let engine: Engine
let victimOids: string
let victimCatalogues: string

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await createTestTenant(engine, ATTACKER)
  await createTestTenant(engine, VICTIM)
  await runAsOwner(engine, VICTIM, VICTIM_OBJECTS)
  await runAsOwner(engine, ATTACKER, `${FIND_RELATIONS};${FIND_ROUTINES};${FIND_ADDRESSES}`)
  ;[victimCatalogues, victimOids] = await readVictimObjects()
})

afterAll(() => engine.close())

// Neither the filter nor the catalogue's functions depend on the role, so two roles are enough: the two whose read privileges
// differ most.
describe.each(['proj_x_owner', 'service_role'] as const)('%s', (role) => {
  it('finds another tenant’s names in no catalogue', async () => {
    const found = await rowsOf(role, 'select find_relations()')
    const names = found.filter((line) => line.startsWith('FOUND'))
    expect(names).toEqual(NAMES_ON_SERVER)
    expect(found.length).toBeGreaterThan(130)
  })

  it('gets another tenant’s names from no function that takes an oid', async () => {
    const found = await rowsOf(role, `select find_routines('${victimOids}')`)
    expect(found.filter(tellsMore)).toEqual([])
  })

  it('gets no description of another tenant’s object', async () => {
    const text = `select find_addresses('${victimCatalogues}', '${victimOids}')`
    expect((await rowsOf(role, text)).filter(tellsMore)).toEqual([])
  })
})

onlyEmbedded('a server shows each project its own database').describe('the filter', () => {
  describe.each(ROLES)('%s', (role) => {
    it.each([
      ['pg_namespace', 'nspname', ['auth', 'extensions', 'proj_x']],
      [
        'pg_roles',
        'rolname',
        ['anon', 'authenticated', 'postgres', 'proj_x_owner', 'rt_proj_x', 'service_role'],
      ],
    ])('finds only its own and shared entries in %s', async (relation, column, expected) => {
      const text = `select ${column} from pg_catalog.${relation}
      where ${column} !~ '^(pg_|information_schema)' order by 1`
      expect(await rowsOf(role, text)).toEqual(expected)
    })

    it.each([
      ['a view', 'select count(*) from pg_tables where schemaname ~ :mark'],
      ['a function the planner inlines', 'select count(*) from inlined(:mark)'],
      [
        'an aggregate over an index',
        'select count(*) from (select max(nspname) as m from pg_namespace) where m ~ :mark',
      ],
      ['a subquery', 'select count(*) where exists (select from pg_class where relname ~ :mark)'],
      [
        'a join of a table with itself',
        'select count(*) from pg_class a join pg_class b using (oid) where a.relname ~ :mark',
      ],
      [
        'an outer join',
        'select count(b.oid) from (select) a left join pg_proc b on b.prosrc ~ :mark',
      ],
      [
        'XML',
        `select count(*) where query_to_xml('select relname from pg_class', true, true, '')::text ~ :mark`,
      ],
      [
        'a cursor',
        `do $$ declare c cursor for select relname from pg_class; begin for r in c loop if r.relname ~ :mark then raise 'found'; end if; end loop; end $$; select 0`,
      ],
      [
        'a function that raises its argument as an error',
        `select count(*) from pg_class where told(relname) ~ :mark`,
      ],
    ])('cannot read rows that the filter hides through %s', async (_way, text) => {
      await runAsOwner(
        engine,
        ATTACKER,
        `create or replace function inlined(mark text) returns setof text language sql stable as
         'select relname::text from pg_catalog.pg_class where relname ~ mark';
       create or replace function told(seen name) returns text language plpgsql cost 0.0001 as
         $$ begin if seen ~ (${MARK}) then raise 'seen %', seen; end if; return ''; end $$`,
      )
      expect(await rowsOf(role, text.replaceAll(':mark', `(${MARK})`))).toEqual(['0'])
    })

    it('cannot copy a catalogue as a whole', async () => {
      await expect(run(role, 'copy pg_class to stdout')).rejects.toMatchObject({ code: '42501' })
    })

    it('can read a catalogue after a copy that failed', async () => {
      await expect(run(role, 'copy no_such_table to stdout')).rejects.toBeInstanceOf(SqlError)
      expect(await rowsOf(role, `select count(*) from pg_class where relname = 'notes'`)).toEqual([
        '1',
      ])
    })

    it('describes its own objects by oid', async () => {
      const text = `select unnest(array['notes'::regclass::oid::regclass::text, left(pg_get_viewdef('all_notes'::regclass), 7),
      pg_describe_object('pg_class'::regclass, 'notes'::regclass, 0), format_type('notes'::regtype, null)])`
      expect(await rowsOf(role, text)).toEqual(['notes', ' SELECT', 'table notes', 'notes'])
    })
  })
})

describe('a catalogue that tenants cannot read', () => {
  it.each([
    'pg_sequences',
    'pg_stats',
    'pg_stat_user_tables',
    'pg_stat_user_indexes',
    'pg_statio_all_tables',
    'pg_statio_user_sequences',
    'pg_stat_user_functions',
    'pg_largeobject_metadata',
    'pg_seclabels',
  ])('has a view that the owner of a project can read: %s', async (relation) => {
    expect(await rowsOf('proj_x_owner', `select count(*) >= 0 from ${relation}`)).toEqual(['t'])
  })

  it('has a view with the statistics of the tenant’s own tables', async () => {
    const text = `select relname from pg_stat_user_tables where schemaname = 'proj_x' and relname !~ '^auth_' order by 1`
    expect(await rowsOf('proj_x_owner', text)).toEqual(['notes'])
  })
})

/** psql and pg_dump need the names of databases. */
const NAMES_ON_SERVER: readonly string[] = isServer ? ['FOUND pg_database'] : []

/**
 * Whether a line shows more of another project than it may. A server may show the names of its database and roles, and the
 * embedded engine nothing.
 */
function tellsMore(line: string): boolean {
  return !isServer || /zebra/i.test(line.replaceAll(/(rt_)?proj_zebra(_owner)?|\bzebra\.\w+/g, ''))
}

function run(role: string, text: string) {
  return runAsRole(engine, ATTACKER, role, tenantScript(text), {
    timeoutMillis: patiently(60_000),
  })
}

async function rowsOf(role: string, text: string): Promise<string[]> {
  const { results } = await run(role, text)
  return (results.at(-1)?.rows ?? []).map(([cell]) => cellText(cell) ?? '')
}

/** Reads all objects that depend on the victim's schema or role, as an array of catalogues and an array of oids. */
async function readVictimObjects(): Promise<[catalogues: string, oids: string]> {
  const text = `with recursive objects (catalogue, object) as (
      select 'pg_namespace'::regclass::oid, '${VICTIM}'::regnamespace::oid
      union select 'pg_authid'::regclass, oid from pg_authid where rolname ~ '${VICTIM}'
      union select 'pg_auth_members'::regclass, oid from pg_auth_members where member::regrole::text ~ '${VICTIM}'
      union select classid, objid from pg_depend
        join objects on refclassid = catalogue and refobjid = object
    )
    select array_agg(catalogue), array_agg(object) from objects`
  const [result] = await engine.admin(trusted.schemaName(VICTIM), script([verbatim(text)]))
  const [catalogues = '', oids = ''] = (result?.rows[0] ?? []).map((cell) => cellText(cell))
  return [catalogues, oids]
}
