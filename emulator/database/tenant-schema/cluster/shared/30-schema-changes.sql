-- Event triggers for changes of a tenant's schema (docs/wire/platform.md#default-grants): they create the policy for
-- service_role and report that a schema changed. Grants on new tables are default privileges of the owner role (install.ts).
-- Tenants trigger these superuser functions, so every name is qualified: a tenant could create an object with the same name in
-- a searched schema.

create schema if not exists platform;
revoke all on schema platform from public;

-- A clone creates the template's policies and switches this off. A tenant may switch it off, too, and then has no such policy.
-- Every restore of a dump begins with `set row_security = off` (pg_dump, pg_restore) and contains its own policies.
create or replace function platform.add_service_role_policy()
returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  created record;
begin
  if pg_catalog.current_setting('tenantry.default_policies', true) operator(pg_catalog.=) 'off'
    or pg_catalog.current_setting('row_security') operator(pg_catalog.=) 'off' then
    return;
  end if;
  for created in
    select command.object_identity
    from pg_catalog.pg_event_trigger_ddl_commands() as command
    join pg_catalog.pg_class as relation on relation.oid operator(pg_catalog.=) command.objid
    join pg_catalog.pg_roles as owner on owner.oid operator(pg_catalog.=) relation.relowner
    where command.object_type operator(pg_catalog.=) 'table'
      and command.command_tag operator(pg_catalog.=) any (array['CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO'])
      and pg_catalog.starts_with(command.schema_name, 'proj_')
      and owner.rolname operator(pg_catalog.=) (command.schema_name operator(pg_catalog.||) '_owner')
      and not exists (
        select
        from pg_catalog.pg_policy as policy
        where policy.polrelid operator(pg_catalog.=) relation.oid
          and policy.polname operator(pg_catalog.=) 'service_role_all'
      )
  loop
    execute pg_catalog.format(
      'create policy service_role_all on %s for all to service_role using (true) with check (true)',
      created.object_identity);
  end loop;
end
$$;
revoke all on function platform.add_service_role_policy() from public;

-- Temporary objects are not reported. A clone switches this off with `tenantry.quiet`. A tenant that does so gets a stale schema
-- cache. Each engine defines platform.announce_schema_change().
create or replace function platform.tell_schema_changed()
returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if pg_catalog.current_setting('tenantry.quiet', true) operator(pg_catalog.=) 'on' then
    return;
  end if;
  -- Only commands that can create temporary objects are checked, because reading them is slow.
  if pg_catalog.starts_with(tg_tag, 'CREATE ') or tg_tag operator(pg_catalog.=) 'SELECT INTO' then
    if not exists (
      select
      from pg_catalog.pg_event_trigger_ddl_commands() as command
      where command.schema_name operator(pg_catalog.<>) 'pg_temp' or command.schema_name is null
    ) then
      return;
    end if;
  end if;
  perform platform.announce_schema_change();
end
$$;
revoke all on function platform.tell_schema_changed() from public;

create or replace function platform.tell_objects_dropped()
returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (
    select
    from pg_catalog.pg_event_trigger_dropped_objects() as dropped
    where not dropped.is_temporary
  ) then
    perform platform.announce_schema_change();
  end if;
end
$$;
revoke all on function platform.tell_objects_dropped() from public;

drop event trigger if exists platform_service_role_policy;
create event trigger platform_service_role_policy
  on ddl_command_end
  when tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO')
  execute function platform.add_service_role_policy();

drop event trigger if exists platform_schema_changed;
create event trigger platform_schema_changed
  on ddl_command_end
  when tag in (
    'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE', 'CREATE VIEW', 'ALTER VIEW',
    'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW', 'CREATE FUNCTION', 'ALTER FUNCTION', 'CREATE PROCEDURE',
    'ALTER PROCEDURE', 'CREATE AGGREGATE', 'ALTER AGGREGATE', 'ALTER ROUTINE', 'CREATE TYPE', 'ALTER TYPE',
    'CREATE DOMAIN', 'ALTER DOMAIN', 'CREATE INDEX', 'CREATE RULE', 'CREATE SEQUENCE', 'ALTER SEQUENCE',
    'CREATE CAST', 'CREATE OPERATOR', 'COMMENT', 'GRANT', 'REVOKE', 'CREATE POLICY', 'ALTER POLICY')
  execute function platform.tell_schema_changed();

drop event trigger if exists platform_objects_dropped;
create event trigger platform_objects_dropped
  on sql_drop
  execute function platform.tell_objects_dropped();
