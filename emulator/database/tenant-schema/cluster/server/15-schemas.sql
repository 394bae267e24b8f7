-- Schemas and extensions of a project's database. Runs once, when the database is made that all projects are copies of. On a
-- server without one of the extensions, projects do not have it.

-- Schema public keeps PostgreSQL's own rights: PUBLIC may use it and create nothing in it. pg_dump would write a REVOKE.
create schema extensions;
grant usage on schema extensions to public;

do $$
declare
  wanted name;
begin
  foreach wanted in array array[
    'pgcrypto', 'uuid-ossp', 'citext', 'pg_trgm', 'btree_gist', 'btree_gin', 'unaccent', 'hstore', 'ltree', 'intarray',
    'fuzzystrmatch', 'tablefunc']
  loop
    if exists (select from pg_catalog.pg_available_extensions where name = wanted) then
      execute pg_catalog.format('create extension %I schema extensions', wanted);
      -- Only an extension's owner can repeat its comment, which a dump would contain.
      execute pg_catalog.format('comment on extension %I is null', wanted);
    end if;
  end loop;
end
$$;
