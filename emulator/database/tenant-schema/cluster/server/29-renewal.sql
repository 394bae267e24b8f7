-- Prepares a database of an earlier version. Event triggers that 40-dumps.sql has made members of an extension could not be
-- dropped, so 30-schema-changes.sql could not create them again.

do $$
declare
  member record;
begin
  for member in
    select trigger.evtname as name
    from pg_catalog.pg_event_trigger as trigger
    join pg_catalog.pg_depend as membership
      on membership.classid = 'pg_catalog.pg_event_trigger'::regclass and membership.objid = trigger.oid
    where pg_catalog.starts_with(trigger.evtname, 'platform_') and membership.deptype = 'e'
  loop
    execute pg_catalog.format('alter extension plpgsql drop event trigger %I', member.name);
  end loop;
end
$$;
