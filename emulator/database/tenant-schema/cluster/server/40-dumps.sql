-- The objects that a dump of a project omits. pg_dump omits the members of the built-in extension plpgsql, and the rights
-- that they had when they became members. So the platform's objects become its members, where the account owns that extension.

-- An account that is no superuser has no such function, and changes no built-in objects.
do $$
begin
  if pg_catalog.to_regprocedure('platform.lock_shared_catalogues()') is not null then
    perform platform.lock_shared_catalogues();
  end if;
end
$$;

create or replace function platform.adopt(kind text, identity text, catalogue oid, object oid)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  -- A member keeps the rights that it had. Of an earlier version, they can be others.
  if exists (
    select from pg_depend
    where classid = catalogue and objid = object and objsubid = 0 and deptype = 'e'
  ) then
    execute format('alter extension plpgsql drop %s %s', kind, identity);
  end if;
  execute format('alter extension plpgsql add %s %s', kind, identity);
exception
  -- Accounts that are not superusers do not own the extension. Their dumps contain the platform's objects.
  when insufficient_privilege then null;
end
$$;

-- A schema and the platform's relations in it.
create or replace function platform.adopt_schema(schema_name name)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform platform.adopt('schema', quote_ident(nspname), 'pg_namespace'::regclass, oid)
  from pg_namespace where nspname = schema_name;
  perform platform.adopt(
    case relation.relkind when 'r' then 'table' when 'v' then 'view' else 'sequence' end,
    format('%I.%I', schema_name, relation.relname), 'pg_class'::regclass, relation.oid)
  from pg_class as relation
  join pg_namespace as namespace on namespace.oid = relation.relnamespace
  where namespace.nspname = schema_name and relation.relkind in ('r', 'S', 'v') and relation.relowner = namespace.nspowner;
  perform platform.adopt('function', routine.oid::regprocedure::text, 'pg_proc'::regclass, routine.oid)
  from pg_proc as routine
  join pg_namespace as namespace on namespace.oid = routine.pronamespace
  where namespace.nspname = schema_name and routine.proowner = namespace.nspowner;
end
$$;
revoke all on function platform.adopt(text, text, oid, oid), platform.adopt_schema(name) from public;

select platform.adopt_schema(nspname)
from pg_catalog.pg_namespace
where nspname in ('auth', 'platform')
  or (starts_with(nspname, 'proj_') and nspowner = (select oid from pg_catalog.pg_roles where rolname = current_user));
select platform.adopt('schema', quote_ident(nspname), 'pg_catalog.pg_namespace'::regclass, oid)
from pg_catalog.pg_namespace
where nspname = 'extensions';
select platform.adopt('event trigger', quote_ident(evtname), 'pg_catalog.pg_event_trigger'::regclass, oid)
from pg_catalog.pg_event_trigger
where starts_with(evtname, 'platform_');

-- Built-in objects whose rights these files changed.
select platform.adopt(
  case relkind when 'v' then 'view' else 'table' end, oid::regclass::text, 'pg_catalog.pg_class'::regclass, oid)
from pg_catalog.pg_class as relation
where relnamespace = 'pg_catalog'::regnamespace and relkind in ('r', 'v')
  and relacl is distinct from (
    select initprivs from pg_catalog.pg_init_privs
    where classoid = 'pg_catalog.pg_class'::regclass and objoid = relation.oid and objsubid = 0);
select platform.adopt('function', oid::regprocedure::text, 'pg_catalog.pg_proc'::regclass, oid)
from pg_catalog.pg_proc as routine
where pronamespace = 'pg_catalog'::regnamespace
  and proacl is distinct from (
    select initprivs from pg_catalog.pg_init_privs
    where classoid = 'pg_catalog.pg_proc'::regclass and objoid = routine.oid and objsubid = 0);
