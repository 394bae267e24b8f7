-- Schema `auth`: who asks, as policies and defaults see it (contract.md §4: auth.uid(), auth.role(), auth.email(), auth.jwt()).
-- Plain SQL expressions, so that the planner inlines them; `is json object` keeps empty or malformed claims from failing.
-- For the realtime role, whose token carries the subscriber's role as `sdb_role`, auth.role() is the subscriber's.

create schema if not exists auth;
revoke all on schema auth from public;
grant usage on schema auth to public;

create or replace function auth.jwt()
returns jsonb
language sql
stable
parallel safe
return case
  when pg_catalog.current_setting('request.jwt.claims', true) is json object
    then pg_catalog.current_setting('request.jwt.claims', true)::pg_catalog.jsonb
end;

-- `null on error` answers a subject that is no uuid (`apikey:anon`).
create or replace function auth.uid()
returns uuid
language sql
stable
parallel safe
return case
  when pg_catalog.current_setting('request.jwt.claims', true) is json object
    then json_value(
      pg_catalog.current_setting('request.jwt.claims', true)::pg_catalog.jsonb, '$.sub'
      returning pg_catalog.uuid null on error)
end;

create or replace function auth.role()
returns text
language sql
stable
parallel safe
return case
  when pg_catalog.current_setting('request.jwt.claims', true) is json object
    then coalesce(
      pg_catalog.current_setting('request.jwt.claims', true)::pg_catalog.json operator(pg_catalog.->>) 'sdb_role',
      pg_catalog.current_setting('request.jwt.claims', true)::pg_catalog.json operator(pg_catalog.->>) 'role')
end;

create or replace function auth.email()
returns text
language sql
stable
parallel safe
return case
  when pg_catalog.current_setting('request.jwt.claims', true) is json object
    then pg_catalog.current_setting('request.jwt.claims', true)::pg_catalog.json operator(pg_catalog.->>) 'email'
end;

comment on function auth.jwt() is 'The request''s claims; null when there are none.';
comment on function auth.uid() is 'The claim sub when it is a user''s id, else null.';
comment on function auth.role() is 'The role the claims carry; for realtime the subscriber''s.';
comment on function auth.email() is 'The claim email.';
