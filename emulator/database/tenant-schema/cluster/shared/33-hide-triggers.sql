-- Marks the triggers of the history as internal and as parts of their table: catalogues and dumps omit them, DISABLE TRIGGER USER
-- ignores them, and the table's owner can neither drop nor disable them. Only a superuser can do this.
create or replace function platform.hide_history_triggers(wanted oid)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    return;
  end if;
  update pg_trigger set tgisinternal = true
  where tgrelid = wanted and starts_with(tgname, 'platform_history_') and not tgisinternal
    and tgfoid in (select oid from pg_proc where pronamespace = 'platform'::regnamespace);
  update pg_depend set deptype = 'i'
  where classid = 'pg_trigger'::regclass and deptype = 'a'
    and refclassid = 'pg_class'::regclass and refobjid = wanted
    and objid in (select oid from pg_trigger where tgrelid = wanted and tgisinternal and starts_with(tgname, 'platform_history_'));
end
$$;
revoke all on function platform.hide_history_triggers(oid) from public;
