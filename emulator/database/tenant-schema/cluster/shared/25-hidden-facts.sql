-- Rights on built-in objects that every engine changes (docs/wire/data-plane.md#isolation): what concerns other tenants, the
-- server or other sessions is revoked, and statistics of a tenant's own relations are granted. Tenants share the roles anon,
-- authenticated and service_role, so no role's own view of these objects would separate them.

-- Statement texts of other requests.
revoke select on
  pg_catalog.pg_prepared_statements,
  pg_catalog.pg_prepared_xacts,
  pg_catalog.pg_cursors,
  pg_catalog.pg_stat_activity
from public;
revoke execute on function pg_catalog.pg_prepared_statement() from public;
revoke execute on function pg_catalog.pg_prepared_xact() from public;
revoke execute on function pg_catalog.pg_cursor() from public;

-- Activity and sizes of all tenants together.
do $$
declare
  found record;
begin
  for found in
    select relname from pg_catalog.pg_class
    where relnamespace = 'pg_catalog'::regnamespace
      and relkind = 'v'
      and (relname like 'pg\_stat\_%' or relname like 'pg\_statio\_%')
  loop
    execute format('revoke select on pg_catalog.%I from public', found.relname);
  end loop;
  for found in
    select oid::regprocedure as routine from pg_catalog.pg_proc
    where pronamespace = 'pg_catalog'::regnamespace
      and (
        proname like 'pg\_stat\_get\_%'
        or proname in ('pg_database_size', 'pg_tablespace_size')
      )
  loop
    execute format('revoke execute on function %s from public', found.routine);
  end loop;
end
$$;

-- Large objects belong to the role that created them, and all tenants share these roles.
do $$
declare
  routine regprocedure;
begin
  for routine in
    select oid from pg_catalog.pg_proc
    where pronamespace = 'pg_catalog'::regnamespace
      and (proname like 'lo\_%' or proname in ('loread', 'lowrite'))
  loop
    execute format('revoke execute on function %s from public', routine);
  end loop;
end
$$;

-- Functions that affect the server or other sessions.
revoke execute on function
  pg_catalog.pg_notification_queue_usage(),
  pg_catalog.pg_export_snapshot(),
  pg_catalog.pg_terminate_backend(integer, bigint),
  pg_catalog.pg_cancel_backend(integer),
  pg_catalog.pg_logical_emit_message(boolean, text, text, boolean),
  pg_catalog.pg_logical_emit_message(boolean, text, bytea, boolean)
from public;

grant select on
  pg_catalog.pg_stats,
  pg_catalog.pg_stats_ext,
  pg_catalog.pg_stats_ext_exprs,
  pg_catalog.pg_largeobject_metadata,
  pg_catalog.pg_seclabels,
  pg_catalog.pg_user_mappings,
  pg_catalog.pg_sequences
to public;

do $$
declare
  found record;
begin
  for found in
    select relname from pg_catalog.pg_class
    where relnamespace = 'pg_catalog'::regnamespace
      and relkind = 'v'
      and relname ~ '^pg_stat(io)?_(xact_)?(all|sys|user)_(tables|indexes|sequences|functions)$'
  loop
    execute format('grant select on pg_catalog.%I to public', found.relname);
  end loop;
  -- Counters of one relation or function.
  for found in
    select oid::regprocedure as routine from pg_catalog.pg_proc
    where pronamespace = 'pg_catalog'::regnamespace
      and proargtypes = 'oid'::regtype::oid::text::oidvector
      and proname ~ any (array[
        '^pg_stat_get_(xact_)?(numscans|tuples_\w+|function_\w+)$',
        '^pg_stat_get_(blocks_fetched|blocks_hit|live_tuples|dead_tuples|mod_since_analyze|ins_since_vacuum|lastscan)$',
        '^pg_stat_get_(last|total)_(auto)?(vacuum|analyze)_time$',
        '^pg_stat_get_(auto)?(vacuum|analyze)_count$'])
  loop
    execute format('grant execute on function %s to public', found.routine);
  end loop;
end
$$;
