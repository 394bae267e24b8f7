// The type of the target's cases, and stored cases that once failed.
import type { SchemaPair } from '../../support/schema-pairs/schema-pair.ts'

/** The seed of a generated pair of schemas, with or without renames, or a pair that was reduced. */
export type SchemaDiffCase = { readonly seed: number; readonly isRenamed: boolean } | ReducedPair

export type ReducedPair = Pick<SchemaPair, 'before' | 'after'> &
  Partial<Pick<SchemaPair, 'renames' | 'rows'>>

export const SCHEMA_DIFF_EXAMPLES: Readonly<Record<string, ReducedPair>> = {
  'a generated column of a partitioned table changes its type and its expression': {
    before:
      'create table notes (id integer, a numeric, b integer, c numeric generated always as (a + 1) stored) partition by range (id); create table notes_p1 partition of notes for values from (0) to (9);',
    after:
      'create table notes (id integer, a numeric, b integer, c integer generated always as (b + 1) stored) partition by range (id); create table notes_p1 partition of notes for values from (0) to (9);',
  },
  'a generated column with the type of its column changes its type alone': {
    before:
      'create table t (id integer primary key, a numeric, c text generated always as (a + 1) stored); create view v as select c from t;',
    after:
      'create table t (id integer primary key, a numeric, c bigint generated always as (a + 1) stored); create view v as select c from t;',
  },
  'a generated column of a partitioned table becomes plain': {
    before:
      'create table t (id integer primary key, a integer, c integer generated always as (a + 1) stored) partition by range (id); create table t_p1 partition of t for values from (0) to (9);',
    after:
      'create table t (id integer primary key, a integer, c integer) partition by range (id); create table t_p1 partition of t for values from (0) to (9);',
    rows: 'insert into t (id, a) values (1, 1);',
  },
  'a check that stays until a later step names a column that changes its type': {
    before:
      'create table t (id integer primary key, a integer, b text[], constraint k check (a > 0));',
    after:
      'create table t (id integer primary key, a text, b numeric, constraint k check (b > 0));',
    rows: `insert into t values (1, 1, '{x}');`,
  },
  'a new child has the default of a column whose change waits': {
    before: 'create table t (id integer primary key, a json);',
    after: `create table t (id integer primary key, a date default '2026-01-01'); create table w () inherits (t);`,
    rows: `insert into t values (1, '{}');`,
  },
  'a new child repeats a column whose NOT NULL the parent declares': {
    before: 'create table t (id integer primary key, a integer not null);',
    after:
      'create table t (id integer primary key, a integer not null); create table w (a integer default 3) inherits (t);',
  },
  'a policy of a dropped table calls a dropped function that reads the table': {
    before:
      'create table t (id integer primary key); create function counted() returns bigint language sql stable begin atomic select count(*) from t; end; create policy p on t using (counted() > id);',
    after: '',
  },
  'a trigger of a partitioned table is enabled': {
    before:
      'create function f() returns trigger language plpgsql as $$ begin return new; end $$; create table t (id integer primary key) partition by range (id); create table t_p1 partition of t for values from (0) to (9); create trigger g before insert on t for each row execute function f(); alter table t disable trigger g;',
    after:
      'create function f() returns trigger language plpgsql as $$ begin return new; end $$; create table t (id integer primary key) partition by range (id); create table t_p1 partition of t for values from (0) to (9); create trigger g before insert on t for each row execute function f();',
  },
  'a partition moves and its column loses the NOT NULL': {
    before:
      'create table t (id integer primary key, a integer not null) partition by range (id); create table t_p1 partition of t for values from (0) to (9);',
    after:
      'create table t (id integer primary key, a integer) partition by range (id); create table t_p1 partition of t for values from (0) to (20);',
  },
  'indexes, keys and statistics go with their column': {
    before:
      'create table t (id integer primary key, a integer check (a > 0), b integer, unique (a, b)); create index i on t ((a + 1)); create statistics s on a, b from t; create policy p on t using (b > 0);',
    renames: 'alter table t rename column b to c; alter table t rename to u;',
    after:
      'create table t (id integer primary key, a integer check (a > 0), b integer, unique (a, b)); create index i on t ((a + 1)); create statistics s on a, b from t; create policy p on t using (b > 0); alter table t rename column b to c; alter table t rename to u; alter table u drop column a;',
  },
  'a parent gets an identity column': {
    before: 'create table t (id integer primary key); create table w () inherits (t);',
    after:
      'create table t (id integer primary key, n integer generated always as identity); create table w () inherits (t);',
  },
  'a child goes, and the column that its generated one reads changes': {
    before:
      'create table t (id integer primary key, a integer, c integer generated always as (a + 1) stored); create table w () inherits (t);',
    after: 'create table t (id integer primary key, a bigint);',
    rows: 'insert into t (id, a) values (1, 1); insert into w (id, a) values (2, 2);',
  },
  'a foreign key stays although another table loses a column with the name of its own one': {
    before:
      'create table t (id integer primary key, a integer); create table w (id integer primary key, a integer references t);',
    renames: 'alter table w rename to u;',
    after:
      'create table t (id integer primary key, a integer); create table w (id integer primary key, a integer references t); alter table w rename to u; alter table t drop column a;',
  },
  'a partition is new, and a column of its parent goes': {
    before:
      'create table t (id integer primary key, a integer check (a > 0)) partition by range (id);',
    after:
      'create table t (id integer primary key) partition by range (id); create table t_p1 partition of t for values from (0) to (9);',
  },
  'a partition is new, and a check of its parent calls a function': {
    before: `create function f(n integer) returns integer language sql immutable as 'select n'; create table t (id integer primary key, constraint k check (f(id) > 0)) partition by range (id);`,
    after: `create function f(n integer) returns integer language sql immutable as 'select n'; create table t (id integer primary key, constraint k check (f(id) > 0)) partition by range (id); create table t_p1 partition of t for values from (0) to (9);`,
  },
  'a table that stays leaves a partitioned table with a check and a foreign key': {
    before:
      'create table r (id integer primary key); create table t (id integer primary key, a integer constraint f references r constraint k check (a > 0)) partition by range (id); create table w partition of t for values from (0) to (9);',
    after:
      'create table r (id integer primary key); create table w (id integer primary key, a integer);',
  },
  'a table that stays leaves a parent and keeps its check': {
    before:
      'create table t (id integer primary key, a integer constraint k check (a > 0)); create table w () inherits (t);',
    after:
      'create table t (id integer primary key, a integer constraint k check (a > 0)); create table w (id integer not null, a integer constraint k check (a > 0));',
  },
  'a table becomes a partition of a table with a check and an index': {
    before:
      'create table t (id integer primary key, a integer constraint k check (a > 0)) partition by range (id); create index i on t (a); create table w (id integer primary key, a integer);',
    after:
      'create table t (id integer primary key, a integer constraint k check (a > 0)) partition by range (id); create index i on t (a); create table w partition of t for values from (0) to (9);',
  },
  'a partition stays, and its parent is partitioned by another column': {
    before:
      'create table t (id integer, a integer not null) partition by range (id); create table w partition of t for values from (0) to (9);',
    after:
      'create table t (id integer, a integer not null) partition by range (a); create table w partition of t for values from (0) to (9);',
    rows: 'insert into t values (1, 2);',
  },
  'a column of a partition key changes its type': {
    before:
      'create table t (id integer, a integer) partition by range (id); create table w partition of t for values from (0) to (9);',
    after:
      'create table t (id bigint, a integer) partition by range (id); create table w partition of t for values from (0) to (20);',
    rows: 'insert into t values (1, 1);',
  },
  'a parent loses a column that its child keeps with another type': {
    before:
      'create table t (id integer primary key, a integer); create table w (a integer) inherits (t);',
    after: 'create table t (id integer primary key); create table w (a bigint) inherits (t);',
    rows: 'insert into t values (1, 1); insert into w values (2, 2);',
  },
  'a partition is new, and a trigger of its parent is enabled': {
    before:
      'create function f() returns trigger language plpgsql as $$ begin return new; end $$; create table t (id integer primary key) partition by range (id); create trigger g before insert on t for each row execute function f(); alter table t disable trigger g;',
    after:
      'create function f() returns trigger language plpgsql as $$ begin return new; end $$; create table t (id integer primary key) partition by range (id); create table t_p1 partition of t for values from (0) to (9); create trigger g before insert on t for each row execute function f();',
  },
  'a parent loses a column that another parent gives the child': {
    before:
      'create table t (id integer, a integer); create table u (id integer, a integer); create table w () inherits (t, u);',
    after:
      'create table t (id integer, a integer); create table u (id integer); create table w () inherits (t, u);',
  },
  'the index of the replica identity is created again': {
    before:
      'create table t (id integer primary key, a integer not null); create unique index i on t (a); alter table t replica identity using index i;',
    after:
      'create table t (id integer primary key, a integer not null); create unique index i on t (a desc); alter table t replica identity using index i;',
  },
  'the type of a typed table gets and loses an attribute': {
    before: 'create type p as (id integer, a text); create table t of p;',
    after: 'create type p as (id integer, b date); create table t of p;',
  },
  'a new function reads a table whose policy reads the table, too': {
    before:
      'create table t (id integer primary key);\nalter table t enable row level security;\nalter table t force row level security;\ncreate policy p on t to current_user using (exists (select from t as other));\n',
    after:
      "create table t (id integer primary key); alter table t enable row level security, force row level security; create function f() returns bigint language sql stable as 'select count(*) from t'; create policy p on t to current_user using (exists (select from t as other));",
  },
  'a disabled trigger of a partitioned table is created again': {
    before:
      'create function f() returns trigger language plpgsql as $$ begin return new; end $$; create table t (id integer primary key) partition by range (id); create table w partition of t for values from (0) to (9); create trigger g before insert on t for each row execute function f(); alter table t disable trigger g;',
    after:
      'create function f() returns trigger language plpgsql as $$ begin return new; end $$; create table t (id integer primary key) partition by range (id); create table w partition of t for values from (0) to (9); create trigger g before insert or update on t for each row execute function f(); alter table t disable trigger g;',
  },
  'a function reads a partition that waits, because its parent keeps a column': {
    before:
      "create table t (id integer, a integer) partition by range (id); create function f() returns bigint language sql as 'select 1::bigint';",
    after:
      "create table t (id integer) partition by range (id); create table w partition of t for values from (0) to (9); create function f() returns bigint language sql as 'select count(*) from w';",
  },
  'a dropped column takes a generated column of the parent along, and the heir keeps both': {
    before:
      'create table t (id integer, k integer, g integer generated always as (k + 1) stored); create table h (k integer) inherits (t);',
    after:
      'create table t (id integer, k integer, g integer generated always as (k + 1) stored); create table h (k integer) inherits (t); alter table t drop column k cascade;',
  },
}
