-- GRANT and REVOKE on all objects of a schema (docs/wire/platform.md#grants-on-all) also reach the platform's relations in a
-- project's schema. Postgres refuses such a statement of an owner that has no right on one of the relations, and skips relations
-- on which it has any. So the owner has a right on each of them while its statement runs, and no other code runs meanwhile.

-- Runs as the caller: finds out who grants, and whether the statement is about all objects of a schema. Its text is known where a
-- block or a function of PL/pgSQL runs it, and where the client sends it. The text of an SQL function is not.
create or replace function platform.find_grant_on_all()
returns event_trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  on_all constant text := '\mon\s+all\s+\w+\s+in\s+schema\M';
  stack text;
  statement text;
  is_hidden boolean;
  grantor text := '';
begin
  get diagnostics stack = pg_context;
  is_hidden := stack ~ e'^[^\n]*\nSQL function ';
  statement := coalesce(substring(stack from e'^[^\n]*?\nSQL statement "(.*?)"\nPL/pgSQL function'), current_query());
  statement := regexp_replace(statement, '--[^\n]*|/\*([^*]|\*[^/])*\*/', ' ', 'g');
  if current_user ~ '^proj_.*_owner$' and (is_hidden or statement ~* on_all) then
    grantor := current_user;
  end if;
  perform set_config('tenantry.reached', '', true);
  perform set_config('tenantry.grantor', grantor, true);
  perform set_config('tenantry.messages', current_setting('client_min_messages'), true);
  -- Postgres warns of each relation that it skips. Warnings of other grants in the same text stay.
  if grantor <> '' and not is_hidden and not exists (
    select from regexp_split_to_table(statement, ';') as part
    where part ~* '^\s*(grant|revoke)\M' and part !~* on_all
  ) then
    perform set_config('client_min_messages', 'error', true);
  end if;
end
$$;

-- Gives the owner a right on each of the platform's relations, and notes where their rows are in the catalogue. Postgres writes
-- such a row again when a statement reaches the relation.
create or replace function platform.begin_grant_on_all()
returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  grantor constant name := current_setting('tenantry.grantor');
  home constant name := left(grantor, -length('_owner'));
  messages constant text := current_setting('tenantry.messages');
  skipped record;
  given oid[] := '{}';
begin
  if grantor = '' then
    return;
  end if;
  -- The grants below fire these triggers, too.
  perform set_config('tenantry.grantor', '', true);
  for skipped in
    select relation.oid,
      case relation.relkind when 'S' then 'select on sequence' else 'references on table' end as privilege
    from pg_class as relation
    join pg_namespace as namespace on namespace.oid = relation.relnamespace and namespace.nspowner = relation.relowner
    where namespace.nspname = home and relation.relkind in ('r', 'S')
      and not has_table_privilege(grantor, relation.oid, 'select, references')
  loop
    execute format('grant %s %s to %I', skipped.privilege, skipped.oid::regclass, grantor);
    given := given || skipped.oid;
  end loop;
  perform set_config('tenantry.reached', (
    select json_build_object('home', home, 'messages', messages, 'given', given,
      'places', json_object_agg(relation.oid, relation.ctid))::text
    from pg_class as relation
    join pg_namespace as namespace on namespace.oid = relation.relnamespace and namespace.nspowner = relation.relowner
    where namespace.nspname = home and relation.relkind in ('r', 'S')), true);
end
$$;

-- Takes the rights away again, and says how many relations the statement skipped. A statement that names some of them in the same
-- text is refused, as it is alone.
create or replace function platform.end_grant_on_all()
returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  state constant jsonb := nullif(current_setting('tenantry.reached', true), '');
  found record;
begin
  if state is null then
    return;
  end if;
  perform set_config('client_min_messages', state ->> 'messages', true);
  perform set_config('tenantry.reached', '', true);
  for found in
    select case relation.relkind when 'S' then 'sequence' else 'table' end as kind,
      count(*) as total,
      array_agg(relation.relname order by relation.relname)
        filter (where relation.ctid::text <> state -> 'places' ->> relation.oid::text) as names
    from pg_class as relation
    join pg_namespace as namespace on namespace.oid = relation.relnamespace and namespace.nspowner = relation.relowner
    where namespace.nspname = state ->> 'home' and relation.relkind in ('r', 'S')
    group by 1
  loop
    if cardinality(found.names) < found.total then
      raise insufficient_privilege using message = format('permission denied for %s %s', found.kind, found.names[1]);
    elsif found.names is not null then
      raise notice using
        errcode = case tg_tag when 'GRANT' then '01007' else '01006' end,
        message = format('%s left out %s %s%s of the platform', tg_tag, found.total, found.kind,
          case when found.total > 1 then 's' end),
        detail = format('Only the platform can change the privileges of %s.', array_to_string(found.names, ', '));
    end if;
  end loop;
  for found in
    select relation.oid::regclass as identity,
      case relation.relkind when 'S' then 'select on sequence' else 'references on table' end as privilege
    from pg_class as relation
    join pg_namespace as namespace on namespace.oid = relation.relnamespace and namespace.nspowner = relation.relowner
    where namespace.nspname = state ->> 'home' and relation.oid in (
      select given.value::oid from jsonb_array_elements_text(state -> 'given') as given)
  loop
    execute format('revoke %s %s from %I', found.privilege, found.identity, concat(state ->> 'home', '_owner'));
  end loop;
end
$$;

revoke all on function
  platform.find_grant_on_all(), platform.begin_grant_on_all(), platform.end_grant_on_all()
from public;

-- Event triggers of one event fire in the order of their names.
drop event trigger if exists platform_grant_1_find;
create event trigger platform_grant_1_find
  on ddl_command_start
  when tag in ('GRANT', 'REVOKE')
  execute function platform.find_grant_on_all();

drop event trigger if exists platform_grant_2_begin;
create event trigger platform_grant_2_begin
  on ddl_command_start
  when tag in ('GRANT', 'REVOKE')
  execute function platform.begin_grant_on_all();

drop event trigger if exists platform_grant_3_end;
create event trigger platform_grant_3_end
  on ddl_command_end
  when tag in ('GRANT', 'REVOKE')
  execute function platform.end_grant_on_all();
