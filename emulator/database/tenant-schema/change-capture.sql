-- Capture of row changes for realtime (docs/wire/realtime.md#changes): statement triggers write changed rows into an outbox
-- that tenants cannot read or write. Created at the first subscription to a project; safe to repeat. A trigger function has its
-- owner's privileges, so it must not run a tenant's code. A row of a transition table is an anonymous record, and record_out
-- calls only output functions of types, which only a superuser can create. Every name is qualified. The settings make the text
-- independent of the session's.

do $$ begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'change_capture') then
    create role change_capture nologin noinherit;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'change_reader') then
    create role change_reader nologin noinherit;
  end if;
end $$;

-- No index: rows are taken out as soon as their transaction has committed. Rows from before a start are dropped.
drop table if exists platform.row_changes;
create unlogged table platform.row_changes (
  id bigint generated always as identity,
  relation oid not null,
  -- I: inserted, D: deleted, O: old rows of an update, followed by as many N: new rows.
  kind "char" not null,
  -- Nesting depth of triggers: a trigger's statement is captured before the statement that fired the trigger.
  depth integer not null,
  row text not null
);
revoke all on platform.row_changes from public;
grant usage on schema platform to change_capture, change_reader;
grant insert on platform.row_changes to change_capture;
grant select, delete, truncate, maintain on platform.row_changes to change_reader;

-- Creates the trigger functions, which differ only in the transition tables that they read.
do $do$
declare
  changes constant text := 'select tg_relid, %L, pg_catalog.pg_trigger_depth(), '
    'pg_catalog.textin(pg_catalog.record_out(changed)) from %I as changed';
  capture record;
begin
  for capture in
    select * from (values
      ('platform.capture_inserted()', pg_catalog.format(changes, 'I', 'new_rows')),
      ('platform.capture_updated()',
        pg_catalog.format(changes || ' union all ' || changes, 'O', 'old_rows', 'N', 'new_rows')),
      ('platform.capture_deleted()', pg_catalog.format(changes, 'D', 'old_rows'))) as capture (name, captured)
  loop
    execute pg_catalog.format(
      $function$create or replace function %1$s
      returns trigger
      language plpgsql
      security definer
      set datestyle = 'ISO, YMD'
      set intervalstyle = 'postgres'
      set timezone = 'UTC'
      set extra_float_digits = 1
      set bytea_output = 'hex'
      as $$ begin insert into platform.row_changes (relation, kind, depth, row) %2$s; return null; end $$;
      alter function %1$s owner to change_capture;
      revoke all on function %1$s from public$function$,
      capture.name, capture.captured);
  end loop;
end
$do$;

-- Capture triggers, even when they were renamed.
create or replace view platform.capture_triggers as
select captured.oid, captured.tgrelid as relation, captured.tgname as name, relation.relnamespace as namespace
from pg_catalog.pg_trigger as captured
join pg_catalog.pg_class as relation on relation.oid operator(pg_catalog.=) captured.tgrelid
where captured.tgfoid operator(pg_catalog.=) any (array[
  'platform.capture_inserted'::regproc::oid,
  'platform.capture_updated'::regproc::oid,
  'platform.capture_deleted'::regproc::oid
]);
revoke all on platform.capture_triggers from public;

-- Creates the triggers of exactly the relations of `wanted` in `project`, and drops others. Platform work only. They are marked
-- as internal and as a part of their table: catalogues omit them, DISABLE TRIGGER USER ignores them, and the table's owner can
-- neither drop nor disable them.
create or replace function platform.capture_relations(project name, wanted oid[])
returns void
language plpgsql
as $$
declare
  found record;
  event record;
begin
  for found in
    select captured.oid, captured.relation, captured.name
    from platform.capture_triggers as captured
    join pg_catalog.pg_namespace as namespace on namespace.oid = captured.namespace
    where namespace.nspname = project and captured.relation <> all (wanted)
  loop
    update pg_catalog.pg_depend set deptype = 'a'
    where classid = 'pg_catalog.pg_trigger'::regclass and objid = found.oid and deptype = 'i';
    execute pg_catalog.format('drop trigger %I on %s', found.name, found.relation::regclass);
  end loop;
  for found in
    select relation.oid, relation.oid::regclass as name
    from pg_catalog.pg_class as relation
    join pg_catalog.pg_namespace as namespace on namespace.oid = relation.relnamespace
    where namespace.nspname = project and relation.oid = any (wanted)
      and not exists (select from platform.capture_triggers as captured where captured.relation = relation.oid)
  loop
    for event in
      select * from (values
        ('insert', 'new table as new_rows', 'inserted'),
        ('update', 'old table as old_rows new table as new_rows', 'updated'),
        ('delete', 'old table as old_rows', 'deleted')) as event (name, rows, function)
    loop
      execute pg_catalog.format(
        'create trigger platform_capture_%1$s after %1$s on %2$s referencing %3$s
         for each statement execute function platform.capture_%4$s()',
        event.name, found.name, event.rows, event.function);
    end loop;
    update pg_catalog.pg_trigger set tgisinternal = true
    where oid in (select captured.oid from platform.capture_triggers as captured where captured.relation = found.oid);
    update pg_catalog.pg_depend set deptype = 'i'
    where classid = 'pg_catalog.pg_trigger'::regclass and deptype = 'a'
      and refclassid = 'pg_catalog.pg_class'::regclass and refobjid = found.oid
      and objid in (select captured.oid from platform.capture_triggers as captured where captured.relation = found.oid);
  end loop;
end
$$;
revoke all on function platform.capture_relations(name, oid[]) from public;
