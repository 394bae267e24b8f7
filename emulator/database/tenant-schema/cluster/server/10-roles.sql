-- The roles that all projects of a server share. Runs in the database of the server's address, and can be repeated. None of
-- these roles logs in: each project has logins of its own (postgres/projects/), and each login may become one role.

do $$
declare
  may_bypass constant boolean := (select rolsuper or rolbypassrls from pg_catalog.pg_roles where rolname = current_user);
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', 'noinherit', false),
      ('authenticated', 'noinherit', false),
      ('service_role', 'noinherit', true),
      ('auth_admin', 'noinherit', false),
      ('row_reader', 'inherit', true),
      ('change_capture', 'noinherit', false),
      ('change_reader', 'noinherit', false),
      -- All owners are members, so that they may read what pg_dump reads.
      ('project_owner', 'noinherit', false)) as roles (name, inheritance, bypasses)
    where not exists (select from pg_catalog.pg_roles where rolname = roles.name)
  loop
    execute pg_catalog.format('create role %I nologin %s %s', wanted.name, wanted.inheritance,
      case when wanted.bypasses and may_bypass then 'bypassrls' else 'nobypassrls' end);
  end loop;
  if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    grant pg_read_all_data to row_reader;
  end if;
end
$$;
