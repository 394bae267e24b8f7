// Generates templates: tables in a chain with random columns, defaults, indexes, policies, views, functions and grants. Some texts
// contain the name of the schema.
import fc from 'fast-check'

/** SQL that a schema's owner runs. Later tables refer to earlier tables. */
export function anyTemplate(): fc.Arbitrary<string> {
  const column = fc.constantFrom(
    'note text not null',
    'amount numeric(10, 2) default 0 check (amount >= 0)',
    "tags text[] default '{}'",
    'counted serial',
    'at timestamptz default now()',
    'who uuid references auth_users (id)',
    "kept regclass default 'auth_users'::regclass",
  )
  const extra = fc.constantFrom(
    'create index on %t (id desc)',
    'create unique index on %t ((id + 1))',
    'create policy own on %t for select to authenticated using (id > 0)',
    'create view %t_seen with (security_invoker) as select * from %t',
    'create materialized view %t_sum as select count(*) as n, current_schema() as place from %t',
    'create function %t_count() returns bigint language sql as $$ select count(*) from %t $$',
    'create function %t_place() returns text language sql set search_path from current return current_schema()',
    'grant select on %t to anon; revoke insert on %t from authenticated',
    `do $$ begin execute format('comment on table %t is %L', 'in ' || current_schema()); end $$`,
    `do $$ begin execute format('create function %t_name() returns text language sql as %L', format('select %L', current_schema())); end $$`,
  )
  const table = fc.tuple(
    fc.uniqueArray(column, { maxLength: 4 }),
    fc.uniqueArray(extra, { maxLength: 5 }),
  )
  return fc
    .array(table, { minLength: 1, maxLength: 3 })
    .map((tables) =>
      tables
        .map(([columns, extras], index) =>
          [
            `create table %t (${['id bigint generated always as identity primary key', ...columns].join(', ')})`,
            ...extras,
            ...(index === 0 ? [] : [`alter table %t add prior bigint references t${index - 1}`]),
          ]
            .join(';\n')
            .replaceAll('%t', `t${index}`),
        )
        .join(';\n'),
    )
}
