-- History of committed row changes (docs/guide/history.md): statement triggers write changed rows in the same transaction, so that
-- neither can be missing without the other. A project is recorded after platform.record_history(). The functions follow the
-- rules of change-capture/outbox.sql: a trigger function has its owner's privileges and must not run a tenant's code.

do $$ begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'change_capture') then
    create role change_capture nologin noinherit;
  end if;
end $$;

create sequence if not exists platform.history_ids;
create table if not exists platform.row_history (
  id bigint primary key default pg_catalog.nextval('platform.history_ids'),
  -- Platform time. A program that connects to a server itself has the server's time. server/36-history-time.sql changes the default.
  at timestamptz not null default pg_catalog.now(),
  transaction xid8 not null default pg_catalog.pg_current_xact_id(),
  relation oid not null,
  -- I: inserted, D: deleted, O: old rows of an update, followed by as many N: new rows. T: truncated, X: dropped.
  -- P: policies or grants changed, and `row` has the former ones (policies_of). Q: like P, noticed some time after the change.
  kind "char" not null,
  -- Nesting depth of triggers: a trigger's statement is recorded before the statement that fired the trigger.
  depth integer not null,
  -- Empty texts are like null here, because comparing costs time in each trigger.
  request_id text,
  role text not null,
  subject text,
  row text
);
revoke all on platform.row_history from public;
-- The entries before the last rotation.
create table if not exists platform.earlier_history (like platform.row_history including all);
revoke all on platform.earlier_history from public;
create or replace view platform.history_entries as
select * from platform.earlier_history union all select * from platform.row_history;
revoke all on platform.history_entries from public;

-- The layouts of recorded tables. A layout holds for entries from `since` on, until the next layout of the same table.
create table if not exists platform.history_tables (
  relation oid not null,
  since bigint not null,
  project oid not null,
  name name not null,
  -- [{name, type, written}] in the order of a row's cells
  columns jsonb not null,
  -- names of the primary key's columns
  key jsonb not null,
  primary key (relation, since)
);
revoke all on platform.history_tables from public;

-- The present policies and grants of each recorded table, as of the last check.
create table if not exists platform.history_policies (
  relation oid primary key,
  project oid not null,
  definition text not null,
  -- Policies before this entry are not known.
  since bigint not null default pg_catalog.nextval('platform.history_ids'),
  -- The transaction of the first check. Further changes by the same transaction need no entry.
  begun xid8 not null default pg_catalog.pg_current_xact_id()
);
revoke all on platform.history_policies from public;

-- All changes of the project from this entry on, and after this time, are recorded.
create table if not exists platform.history_projects (
  project oid primary key,
  complete_from bigint not null default pg_catalog.nextval('platform.history_ids'),
  complete_since timestamptz not null default pg_catalog.now()
);
revoke all on platform.history_projects from public;

grant usage on schema platform to change_capture;
grant insert on platform.row_history to change_capture;
grant usage on sequence platform.history_ids to change_capture;

create or replace function platform.set_formats(formats text[])
returns void
language sql
as $$
  select pg_catalog.set_config('datestyle', formats[1], true), pg_catalog.set_config('timezone', formats[2], true),
    pg_catalog.set_config('intervalstyle', formats[3], true), pg_catalog.set_config('bytea_output', formats[4], true),
    pg_catalog.set_config('extra_float_digits', formats[5], true)
$$;
revoke all on function platform.set_formats(text[]) from public;
grant execute on function platform.set_formats(text[]) to change_capture;

grant create on schema platform to change_capture;
do $do$
declare
  changes constant text := 'select tg_relid, %L, pg_catalog.pg_trigger_depth(), '
    'pg_catalog.current_setting(''tenantry.request_id'', true), '
    'coalesce(nullif(pg_catalog.current_setting(''role''), ''none''), session_user), '
    'pg_catalog.current_setting(''tenantry.uid'', true), '
    '%s from %s as changed';
  recorded record;
begin
  for recorded in
    select 'platform.' || event.name || way.suffix || '()' as name, pg_catalog.replace(event.rows, '{row}', way.row) as rows
    from (values
      ('history_inserted', pg_catalog.format(changes, 'I', '{row}', 'new_rows')),
      ('history_updated',
        pg_catalog.format(changes || ' union all ' || changes, 'O', '{row}', 'old_rows', 'N', '{row}', 'new_rows')),
      ('history_deleted', pg_catalog.format(changes, 'D', '{row}', 'old_rows')),
      ('history_truncated', pg_catalog.format(changes, 'T', 'null', '(values (1))'))) as event (name, rows)
    cross join (values
      ('', 'pg_catalog.textin(pg_catalog.record_out(changed))'),
      -- The argument of the trigger replaces the values of columns with secrets.
      ('_masked', 'pg_catalog.textin(pg_catalog.record_out(pg_catalog.jsonb_populate_record(changed, tg_argv[0]::jsonb)))')
    ) as way (suffix, row)
    where way.suffix = '' or event.name <> 'history_truncated'
  loop
    -- Settings of a function cost 4 µs per call. The texts depend on the session's settings only when these are unusual.
    execute pg_catalog.format(
      $function$create or replace function %1$s
      returns trigger
      language plpgsql
      security definer
      as $$
      declare
        kept text[];
      begin
        if not pg_catalog.starts_with(pg_catalog.current_setting('datestyle'), 'ISO')
          or pg_catalog.current_setting('timezone') operator(pg_catalog.<>) 'GMT'
            and pg_catalog.current_setting('timezone') operator(pg_catalog.<>) 'UTC'
          or pg_catalog.current_setting('intervalstyle') operator(pg_catalog.<>) 'postgres'
          or pg_catalog.current_setting('bytea_output') operator(pg_catalog.<>) 'hex'
          or pg_catalog.current_setting('extra_float_digits') operator(pg_catalog.<>) '1'
            and pg_catalog.current_setting('extra_float_digits') operator(pg_catalog.<>) '3' then
          kept := array[pg_catalog.current_setting('datestyle'), pg_catalog.current_setting('timezone'),
            pg_catalog.current_setting('intervalstyle'), pg_catalog.current_setting('bytea_output'),
            pg_catalog.current_setting('extra_float_digits')];
          perform platform.set_formats(array['ISO, YMD', 'UTC', 'postgres', 'hex', '1']);
        end if;
        insert into platform.row_history (relation, kind, depth, request_id, role, subject, row) %2$s;
        if kept is not null then
          perform platform.set_formats(kept);
        end if;
        return null;
      end $$;
      alter function %1$s reset all;
      revoke all on function %1$s from public$function$,
      recorded.name, recorded.rows);
    -- An account that cannot become the role keeps the function itself.
    if pg_catalog.pg_has_role(current_user, 'change_capture', 'set') then
      execute pg_catalog.format('alter function %s owner to change_capture', recorded.name);
    end if;
  end loop;
end
$do$;
revoke create on schema platform from change_capture;

-- Returns what replaces secrets in the history of a table of the platform (auth-tables.sql); null when the table has no secrets.
create or replace function platform.history_mask(name name)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_object_agg(secret, '[masked]') from (values
    ('auth_credentials', 'password_hash'), ('auth_refresh_tokens', 'token_hash'), ('auth_refresh_tokens', 'replacement'),
    ('auth_mfa_factors', 'secret'), ('auth_one_time_codes', 'code_hash'), ('auth_one_time_codes', 'facts'),
    ('auth_flow_states', 'state_hash'), ('auth_flow_states', 'code_challenge'), ('auth_flow_states', 'code_hash'),
    ('auth_flow_states', 'facts')) as masked (relation, secret)
  where masked.relation = history_mask.name
$$;
revoke all on function platform.history_mask(name) from public;

-- Creates the missing triggers of one table, and notes its layout when the layout is new.
create or replace function platform.record_table(wanted oid)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  event record;
  layout record;
  mask constant jsonb := (
    select platform.history_mask(relation.relname) from pg_class as relation
    join pg_namespace as namespace on namespace.oid = relation.relnamespace and namespace.nspowner = relation.relowner
    where relation.oid = wanted);
begin
  if not exists (
    select from pg_trigger where tgrelid = wanted
      and tgfoid in ('platform.history_inserted'::regproc, 'platform.history_inserted_masked'::regproc)
  ) then
    for event in
      select * from (values
        ('insert', 'referencing new table as new_rows', 'inserted'),
        ('update', 'referencing old table as old_rows new table as new_rows', 'updated'),
        ('delete', 'referencing old table as old_rows', 'deleted'),
        ('truncate', '', 'truncated')) as event (name, rows, function)
    loop
      execute format(
        'create trigger platform_history_%1$s after %1$s on %2$s %3$s
         for each statement execute function platform.history_%4$s(%5$s)',
        event.name, wanted::regclass, event.rows,
        event.function || case when mask is null or event.name = 'truncate' then '' else '_masked' end,
        quote_literal(mask));
    end loop;
    perform platform.hide_history_triggers(wanted);
  end if;
  select relation.relname as name, relation.relnamespace as project,
    coalesce(jsonb_agg(jsonb_build_object('name', attribute.attname,
      'type', format_type(attribute.atttypid, attribute.atttypmod),
      'written', attribute.attgenerated = '') order by attribute.attnum), '[]') as columns,
    coalesce((select jsonb_agg(part.attname order by key.place)
      from pg_index as index
      cross join unnest(index.indkey::smallint[]) with ordinality as key (attnum, place)
      join pg_attribute as part on part.attrelid = wanted and part.attnum = key.attnum
      where index.indrelid = wanted and index.indisprimary and key.place <= index.indnkeyatts), '[]') as key
  into layout
  from pg_class as relation
  left join pg_attribute as attribute
    on attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped
  where relation.oid = wanted
  group by relation.oid;
  insert into platform.history_tables (relation, since, project, name, columns, key)
  select wanted, nextval('platform.history_ids'),
    layout.project, layout.name, layout.columns, layout.key
  where not exists (
    select from (
      select * from platform.history_tables where relation = wanted order by since desc limit 1
    ) as latest
    where latest.name = layout.name and latest.columns = layout.columns and latest.key = layout.key
      and latest.project = layout.project)
  on conflict (relation, since) do update
    set project = excluded.project, name = excluded.name, columns = excluded.columns, key = excluded.key;
end
$$;
revoke all on function platform.record_table(oid) from public;

-- An expression as its owner can write it again: without the name of the project's schema. Only built-in functions run, which have
-- their full names, because the project's own objects come first meanwhile.
create or replace function platform.expression_text(tree pg_node_tree, wanted oid, project name)
returns text
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_catalog.set_config('search_path', pg_catalog.quote_ident(project), true);
  return pg_catalog.pg_get_expr(tree, wanted);
end
$$;
revoke all on function platform.expression_text(pg_node_tree, oid, name) from public;

-- What decides who may do what with a table (insight/history/past-policies.ts), as JSON. Null for a table that does not exist.
create or replace function platform.policies_of(wanted oid)
returns text
language sql
set search_path = pg_catalog, pg_temp
as $$
  select json_build_object(
    'isEnabled', relation.relrowsecurity,
    'isForced', relation.relforcerowsecurity,
    'policies', (
      select coalesce(json_agg(json_build_object(
        'name', policy.polname,
        'permissive', policy.polpermissive,
        'command', case policy.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update'
          when 'd' then 'delete' else 'all' end,
        'roles', array(select case when role.oid = 0 then 'public' else role.oid::regrole::text end
          from unnest(policy.polroles) as role (oid) order by 1),
        'using', platform.expression_text(policy.polqual, wanted, namespace.nspname),
        'check', platform.expression_text(policy.polwithcheck, wanted, namespace.nspname)) order by policy.polname), '[]')
      from pg_policy as policy where policy.polrelid = wanted),
    'grants', (
      select coalesce(json_agg(json_build_object(
        'role', case when held.grantee = 0 then 'public' else held.grantee::regrole::text end,
        'privilege', held.privilege_type, 'column', held.name, 'isGrantable', held.is_grantable)
        order by held.grantee, held.privilege_type, held.name), '[]')
      from (
        select given.*, null::name as name from aclexplode(relation.relacl) as given
        union all
        select given.*, attribute.attname from pg_attribute as attribute, aclexplode(attribute.attacl) as given
        where attribute.attrelid = wanted and attribute.attnum > 0 and not attribute.attisdropped
      ) as held
      where held.grantee in (0, 'anon'::regrole, 'authenticated'::regrole, 'service_role'::regrole)))::text
  from pg_class as relation
  join pg_namespace as namespace on namespace.oid = relation.relnamespace
  where relation.oid = wanted
$$;
revoke all on function platform.policies_of(oid) from public;

-- Records the former policies and grants of a table, when they are no longer the same.
create or replace function platform.record_policies(wanted oid, is_late boolean)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  present constant text := platform.policies_of(wanted);
  known platform.history_policies;
begin
  select * into known from platform.history_policies where relation = wanted;
  if present is null or known.definition = present then
    return;
  end if;
  insert into platform.history_policies (relation, project, definition)
  select oid, relnamespace, present from pg_class where oid = wanted
  on conflict (relation) do update set project = excluded.project, definition = excluded.definition;
  if known.relation is not null and known.begun <> pg_current_xact_id() then
    insert into platform.row_history (relation, kind, depth, request_id, role, subject, row)
    select wanted, case when is_late then 'Q' else 'P' end, 0, current_setting('tenantry.request_id', true),
      coalesce(nullif(current_setting('role'), 'none'), session_user), current_setting('tenantry.uid', true),
      known.definition;
  end if;
end
$$;
revoke all on function platform.record_policies(oid, boolean) from public;

-- Records the project's tables from now on, also tables that are created later. Safe to repeat. Platform work only.
create or replace function platform.record_history(project name)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into platform.history_projects (project)
  select oid from pg_namespace where nspname = record_history.project
    and oid not in (select recorded.project from platform.history_projects as recorded);
  perform platform.record_table(relation.oid),
    case when relation.relowner <> namespace.nspowner then platform.record_policies(relation.oid, true) end
  from pg_class as relation
  join pg_namespace as namespace on namespace.oid = relation.relnamespace
  where namespace.nspname = project and relation.relkind in ('r', 'p') and relation.relpersistence <> 't'
    and not relation.relispartition;
end
$$;
revoke all on function platform.record_history(name) from public;

-- Records the project's tables no longer. The entries stay. Safe to repeat. Platform work only.
create or replace function platform.end_history(project name)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  trigger record;
begin
  delete from platform.history_projects as recorded
  where recorded.project in (select oid from pg_namespace where nspname = end_history.project);
  if not found then
    return;
  end if;
  delete from platform.history_policies as known
  where known.project in (select oid from pg_namespace where nspname = end_history.project);
  for trigger in
    select own.oid, own.tgname as name, own.tgrelid::regclass as table, own.tgisinternal as is_hidden
    from pg_trigger as own
    join pg_class as relation on relation.oid = own.tgrelid
    join pg_namespace as namespace on namespace.oid = relation.relnamespace
    where namespace.nspname = end_history.project and starts_with(own.tgname, 'platform_history_')
      and own.tgfoid in (select oid from pg_proc where pronamespace = 'platform'::regnamespace)
  loop
    if trigger.is_hidden then
      update pg_depend set deptype = 'a'
      where classid = 'pg_trigger'::regclass and objid = trigger.oid and deptype = 'i';
    end if;
    execute format('drop trigger %I on %s', trigger.name, trigger.table);
  end loop;
end
$$;
revoke all on function platform.end_history(name) from public;

-- Deletes all entries of a project that is about to be dropped.
create or replace function platform.forget_history(project name)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  relations constant oid[] := array(
    select distinct relation from platform.history_tables as known
    join pg_namespace as namespace on namespace.oid = known.project
    where namespace.nspname = forget_history.project);
begin
  delete from platform.history_projects as recorded
  where recorded.project in (select oid from pg_namespace where nspname = forget_history.project);
  delete from platform.history_policies where relation = any (relations);
  if cardinality(relations) = 0 then
    return;
  end if;
  delete from platform.row_history where relation = any (relations);
  delete from platform.earlier_history where relation = any (relations);
  delete from platform.history_tables where relation = any (relations);
end
$$;
revoke all on function platform.forget_history(name) from public;

-- Drops the earlier entries, and makes the present ones the earlier ones, when the present ones take half of the allowed space or
-- are as old as half of the allowed age. Dropping a table is fast and needs no vacuum.
create or replace function platform.rotate_history(most_bytes bigint, most_age interval)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if pg_total_relation_size('platform.row_history') < most_bytes / 2
    and coalesce((select at from platform.row_history order by id limit 1), now()) > now() - most_age / 2 then
    return;
  end if;
  create or replace view platform.history_entries as select * from platform.row_history;
  perform platform.release_table('platform.earlier_history');
  drop table platform.earlier_history;
  alter table platform.row_history rename to earlier_history;
  alter index platform.row_history_pkey rename to earlier_history_pkey;
  create table platform.row_history (like platform.earlier_history including all);
  revoke all on platform.row_history from public;
  grant insert on platform.row_history to change_capture;
  revoke all on platform.earlier_history from public, change_capture;
  create or replace view platform.history_entries as
  select * from platform.earlier_history union all select * from platform.row_history;
  perform platform.adopt_schema('platform');
  update platform.history_projects
  set complete_from = oldest.id, complete_since = oldest.at
  from (select id, at from platform.earlier_history order by id limit 1) as oldest
  where complete_from < oldest.id;
end
$$;
revoke all on function platform.rotate_history(bigint, interval) from public;

create or replace function platform.follow_history()
returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_tag in ('GRANT', 'REVOKE') then
    -- The command does not say its tables, but they belong to the role that runs it.
    perform platform.record_policies(relation.oid, false)
    from pg_class as relation
    join platform.history_policies as known on known.relation = relation.oid
    where relation.relowner = to_regrole(quote_ident(coalesce(nullif(current_setting('role'), 'none'), session_user)));
    return;
  end if;
  perform case when command.classid = 'pg_class'::regclass then platform.record_table(relation.oid) end,
    platform.record_policies(relation.oid, false)
  from pg_event_trigger_ddl_commands() as command
  left join pg_policy as policy on command.classid = 'pg_policy'::regclass and policy.oid = command.objid
  join pg_class as relation on relation.oid = coalesce(policy.polrelid, command.objid)
  join platform.history_projects as recorded on recorded.project = relation.relnamespace
  join pg_namespace as namespace on namespace.oid = relation.relnamespace
  where command.classid in ('pg_class'::regclass, 'pg_policy'::regclass) and relation.relkind in ('r', 'p')
    and not relation.relispartition and relation.relowner <> namespace.nspowner;
end
$$;
revoke all on function platform.follow_history() from public;

create or replace function platform.follow_drops()
returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into platform.row_history (relation, kind, depth, request_id, role, subject)
  select dropped.objid, 'X', 0, nullif(current_setting('tenantry.request_id', true), ''),
    coalesce(nullif(current_setting('role'), 'none'), session_user), nullif(current_setting('tenantry.uid', true), '')
  from pg_event_trigger_dropped_objects() as dropped
  where dropped.classid = 'pg_class'::regclass and dropped.objsubid = 0
    and dropped.objid in (select relation from platform.history_tables);
  delete from platform.history_policies
  where relation in (
    select objid from pg_event_trigger_dropped_objects() where classid = 'pg_class'::regclass and objsubid = 0);
  perform platform.record_policies(known.relation, false)
  from platform.history_policies as known
  where known.relation in (
    select to_regclass(format('%I.%I', address_names[1], address_names[2])) from pg_event_trigger_dropped_objects()
    where classid = 'pg_policy'::regclass);
end
$$;
revoke all on function platform.follow_drops() from public;

do $$ begin
  if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    drop event trigger if exists platform_history;
    create event trigger platform_history
      on ddl_command_end
      when tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE', 'CREATE POLICY', 'ALTER POLICY', 'GRANT', 'REVOKE')
      execute function platform.follow_history();
    drop event trigger if exists platform_history_drops;
    create event trigger platform_history_drops
      on sql_drop
      execute function platform.follow_drops();
  end if;
end $$;
