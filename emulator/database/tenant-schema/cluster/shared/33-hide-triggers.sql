-- Marks the triggers of the history as internal and as parts of their table: catalogues and dumps omit them, DISABLE TRIGGER USER
-- ignores them, and the table's owner can neither drop nor disable them. Only a superuser can do this.
create or replace function platform.hide_history_triggers(wanted oid)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  own constant oid[] := array(
    select oid from pg_trigger
    where tgrelid = wanted and tgfoid = any (array[
      'platform.history_inserted'::regproc::oid,
      'platform.history_updated'::regproc::oid,
      'platform.history_deleted'::regproc::oid,
      'platform.history_inserted_masked'::regproc::oid,
      'platform.history_updated_masked'::regproc::oid,
      'platform.history_deleted_masked'::regproc::oid,
      'platform.history_truncated'::regproc::oid]));
begin
  update pg_trigger set tgisinternal = true where oid = any (own);
  update pg_depend set deptype = 'i'
  where classid = 'pg_trigger'::regclass and objid = any (own) and deptype = 'a'
    and refclassid = 'pg_class'::regclass and refobjid = wanted;
exception
  when insufficient_privilege then null;
end
$$;
revoke all on function platform.hide_history_triggers(oid) from public;
