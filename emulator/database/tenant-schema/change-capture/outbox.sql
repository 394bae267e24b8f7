-- Capture of row changes for realtime (docs/wire/realtime.md#changes): statement triggers write changed rows into an outbox
-- that tenants cannot read or write. Created at the first subscription to a project; safe to repeat. A trigger function has its
-- owner's privileges, so it must not run a tenant's code. A row of a transition table is an anonymous record, and record_out
-- calls only output functions of types, which only a superuser can create. Every name is qualified. The settings make the text
-- independent of the session's. change-capture.ts fills in the statement that announces rows, and adds the engine's own file.

-- Two projects of a server can create the roles at once.
do $$
declare
  name text;
begin
  foreach name in array array['change_capture', 'change_reader'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = name) then
      begin
        execute pg_catalog.format('create role %I nologin noinherit', name);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
  end loop;
end $$;

-- No index: rows are taken out as soon as their transaction has committed. Rows from before a start are dropped.
do $$ begin
  if pg_catalog.to_regclass('platform.row_changes') is not null then
    -- The table and its sequence may be members of an extension, so that dumps omit them.
    begin
      alter extension plpgsql drop table platform.row_changes;
    exception when others then
      null;
    end;
    begin
      alter extension plpgsql drop sequence platform.row_changes_id_seq;
    exception when others then
      null;
    end;
    drop table platform.row_changes;
  end if;
end $$;
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

-- Creates the trigger functions, which differ only in the transition tables that they read. An owner needs the right to create
-- while it becomes the owner.
grant create on schema platform to change_capture;
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
      as $$ begin insert into platform.row_changes (relation, kind, depth, row) %2$s; :announce return null; end $$;
      alter function %1$s owner to change_capture;
      revoke all on function %1$s from public$function$,
      capture.name, capture.captured);
  end loop;
end
$do$;
revoke create on schema platform from change_capture;

-- Capture triggers, even when they were renamed.
create or replace view platform.capture_triggers as
select captured.oid, captured.tgrelid as relation, captured.tgname as name, relation.relnamespace as namespace,
  captured.tgenabled as enabled
from pg_catalog.pg_trigger as captured
join pg_catalog.pg_class as relation on relation.oid operator(pg_catalog.=) captured.tgrelid
where captured.tgfoid operator(pg_catalog.=) any (array[
  'platform.capture_inserted'::regproc::oid,
  'platform.capture_updated'::regproc::oid,
  'platform.capture_deleted'::regproc::oid
]);
revoke all on platform.capture_triggers from public;
