-- Schema `auth`: the caller, for policies and defaults (docs/wire/data-plane.md#auth-functions). Plain SQL expressions, so that
-- the planner inlines them. With `is json object` empty or malformed claims do not fail. The cast is outside the CASE, because
-- the planner computes stable constants inside it to estimate costs. Parsing claims takes about 14 us a row when a policy
-- compares a column with auth.uid(). So as-principal.ts also sets the values of auth.uid() and auth.role(), and the claims that
-- they were computed from. They are used while the claims are the same. For the realtime role, whose token carries the
-- subscriber's role as `sdb_role`, auth.role() is the subscriber's.

create schema if not exists auth;
revoke all on schema auth from public;
grant usage on schema auth to public;

create or replace function auth.jwt()
returns jsonb
language sql
stable
parallel safe
return (case
  when pg_catalog.current_setting('request.jwt.claims', true) is json object
    then pg_catalog.current_setting('request.jwt.claims', true)
end)::pg_catalog.jsonb;

-- `null on error` is for subjects that are not a uuid (`apikey:anon`).
create or replace function auth.uid()
returns uuid
language sql
stable
parallel safe
return case
  when pg_catalog.current_setting('request.jwt.claims', true) = pg_catalog.current_setting('tenantry.claims', true)
    then nullif(pg_catalog.current_setting('tenantry.uid', true), '')::pg_catalog.uuid
  else json_value(
    (case
      when pg_catalog.current_setting('request.jwt.claims', true) is json object
        then pg_catalog.current_setting('request.jwt.claims', true)
    end)::pg_catalog.jsonb,
    '$.sub' returning pg_catalog.uuid null on error)
end;

create or replace function auth.role()
returns text
language sql
stable
parallel safe
return case
  when pg_catalog.current_setting('request.jwt.claims', true) = pg_catalog.current_setting('tenantry.claims', true)
    then nullif(pg_catalog.current_setting('tenantry.role', true), '')
  else coalesce(
    (case
      when pg_catalog.current_setting('request.jwt.claims', true) is json object
        then pg_catalog.current_setting('request.jwt.claims', true)
    end)::pg_catalog.json operator(pg_catalog.->>) 'sdb_role',
    (case
      when pg_catalog.current_setting('request.jwt.claims', true) is json object
        then pg_catalog.current_setting('request.jwt.claims', true)
    end)::pg_catalog.json operator(pg_catalog.->>) 'role')
end;

create or replace function auth.email()
returns text
language sql
stable
parallel safe
return (case
  when pg_catalog.current_setting('request.jwt.claims', true) is json object
    then pg_catalog.current_setting('request.jwt.claims', true)
end)::pg_catalog.json operator(pg_catalog.->>) 'email';

comment on function auth.jwt() is 'The request''s claims; null when there are none.';
comment on function auth.uid() is 'The claim sub when it is a user''s id, else null.';
comment on function auth.role() is 'The role the claims carry; for realtime the subscriber''s.';
comment on function auth.email() is 'The claim email.';
