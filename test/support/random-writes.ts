// Random writes to tables with keys, cascades, triggers, generated columns and duplicates, for tests of the history.

export const WRITTEN_SCHEMA: string = `create table parents (id integer primary key, name text, tags text[], facts jsonb);
  create table children (
    id integer generated always as identity primary key,
    parent integer references parents on update cascade on delete cascade,
    note text, shout text generated always as (upper(note)) stored);
  create table loose (word text, size numeric);
  create function touch() returns trigger language plpgsql as
    $$ begin update parents set name = coalesce(name, '') || '!' where id = new.parent; return new; end $$;
  create trigger touch after insert on children for each row execute function touch()`

/** A query for all rows of the schema. */
export const EVERYTHING = `select 'p' as kind, to_jsonb(p)::text as row from parents as p
  union all select 'c', to_jsonb(c)::text from children as c
  union all select 'l', to_jsonb(l)::text from loose as l order by 1, 2`

/** A repeatable sequence of numbers from 0 to below 1 (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** SQL of the next write. */
export function randomWrite(next: () => number): string {
  const id = Math.floor(next() * 6)
  const word = `w'${Math.floor(next() * 9)}`.replaceAll("'", "''")
  const writes = [
    `insert into parents values (${id}, '${word}', array['a,b', null, '"'], '{"a": [1, null]}') on conflict (id) do update set name = excluded.name`,
    `insert into children (parent, note) select id, '${word}' from parents where id >= ${id}`,
    `update parents set name = null, tags = '{}' where id = ${id}`,
    `update parents set id = id + 10 where id = ${id} and not exists (select from parents where id = ${id + 10})`,
    `delete from parents where id in (${id}, ${id + 10})`,
    `update children set note = '${word}' where id % 3 = ${id % 3}`,
    `delete from children where id % 5 = ${id % 5}`,
    `insert into loose values ('${word}', ${id}.50), ('${word}', null), (null, ${id}.50)`,
    `update loose set size = size + 1 where word = '${word}'`,
    `delete from loose where ctid in (select ctid from loose limit ${id})`,
    `update parents set name = 'x'; delete from children where id % 4 = 0; update parents set name = 'y' where id > 2`,
    `insert into parents values (${id + 20}, 'short') on conflict do nothing; delete from parents where id = ${id + 20}`,
  ]
  return writes[Math.floor(next() * writes.length)] ?? ''
}
