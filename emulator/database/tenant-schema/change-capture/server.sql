-- Capture on a PostgreSQL server. Transactions commit side by side, so the order of ids is not the order of commits
-- (postgres/changes/round-commits.ts). The catalogue is not changed, so the owner of a table sees its triggers.

alter table platform.row_changes alter column id drop identity;
alter table platform.row_changes
  alter column id set default pg_catalog.nextval('platform.change_ids'),
  add column transaction xid8 not null default pg_catalog.pg_current_xact_id();

-- Creates the triggers of exactly the relations of `wanted` in `project`, and drops others. Platform work only.
create or replace function platform.capture_relations(project name, wanted oid[])
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  found record;
  event record;
begin
  for found in
    select captured.relation::regclass as table, captured.name
    from platform.capture_triggers as captured
    join pg_namespace as namespace on namespace.oid = captured.namespace
    where namespace.nspname = project and captured.relation <> all (wanted)
    order by captured.relation
  loop
    execute format('drop trigger %I on %s', found.name, found.table);
  end loop;
  for found in
    select relation.oid::regclass as table
    from pg_class as relation
    join pg_namespace as namespace on namespace.oid = relation.relnamespace
    where namespace.nspname = project and relation.oid = any (wanted)
      and not exists (select from platform.capture_triggers as captured where captured.relation = relation.oid)
    order by relation.oid
  loop
    for event in
      select * from (values
        ('insert', 'new table as new_rows', 'inserted'),
        ('update', 'old table as old_rows new table as new_rows', 'updated'),
        ('delete', 'old table as old_rows', 'deleted')) as event (name, rows, function)
    loop
      execute format(
        'create trigger platform_capture_%1$s after %1$s on %2$s referencing %3$s
         for each statement execute function platform.capture_%4$s()',
        event.name, found.table, event.rows, event.function);
    end loop;
  end loop;
end
$$;
revoke all on function platform.capture_relations(name, oid[]) from public;

-- Keeps the triggers of a captured table together: a table has all three or none of them. `disable trigger user` is common in
-- scripts that load data, so the triggers are enabled again without an error.
create or replace function platform.guard_capture()
returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  broken record;
begin
  for broken in
    select captured.relation::regclass as table from platform.capture_triggers as captured
    group by captured.relation having count(*) <> 3
  loop
    raise exception using errcode = '42501',
      message = format('cannot change the triggers platform_capture_* of %s, because realtime captures its changes', broken.table),
      hint = 'The triggers are dropped 10 s after the last subscriber has left.';
  end loop;
  for broken in
    select captured.relation::regclass as table, captured.name from platform.capture_triggers as captured
    where captured.enabled <> 'O'
  loop
    execute format('alter table %s enable trigger %I', broken.table, broken.name);
  end loop;
end
$$;
revoke all on function platform.guard_capture() from public;

-- Only a superuser can create event triggers. Without them a tenant can end the capture of its own tables.
do $$ begin
  if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    if exists (select from pg_catalog.pg_event_trigger where evtname = 'platform_capture_guard') then
      alter extension plpgsql drop event trigger platform_capture_guard;
      drop event trigger platform_capture_guard;
    end if;
    create event trigger platform_capture_guard
      on ddl_command_end
      when tag in ('ALTER TABLE', 'ALTER TRIGGER', 'CREATE TRIGGER', 'DROP TRIGGER')
      execute function platform.guard_capture();
    perform platform.adopt('event trigger', 'platform_capture_guard', 'pg_catalog.pg_event_trigger'::regclass, oid)
    from pg_catalog.pg_event_trigger where evtname = 'platform_capture_guard';
  end if;
end $$;

-- Dumps omit the outbox and the functions. They contain the triggers.
select platform.adopt_schema('platform');
select platform.adopt('function', oid::regprocedure::text, 'pg_catalog.pg_proc'::regclass, oid)
from pg_catalog.pg_proc
where pronamespace = 'platform'::regnamespace and proowner = 'change_capture'::regrole;
