// Generates random functions with every kind of result that REST can return, to compare generated types with answers.
import fc from 'fast-check'

/** A type of Postgres and an SQL expression with a value of it. */
interface Typed {
  readonly type: string
  readonly value: string
}

/** A function, the body of its call, and the parameters that identify its type in `Functions`. */
export interface TypedFunction {
  readonly name: string
  readonly sql: string
  /** The body of the call. */
  readonly call: Readonly<Record<string, unknown>>
  /** Names of the overload's parameters. */
  readonly parameters: readonly string[]
}

/** Types that the functions use. */
export const TYPES_SQL = `
  create type mood as enum ('good', 'so so', 'it''s "bad"');
  create type "Odd Mood" as enum ('a');
  create domain words as text;
  create domain counted as integer not null check (value >= 0);
  create domain feeling as mood;
  create domain feelings as mood[];
  create type pair as (a integer, "b c" text);
  create type nested as (pair pair, moods mood[], rest numeric, felt feeling);
  create domain paired as pair;
  create table items (id bigint primary key, mood mood not null, tags text[], pair pair, felt feeling, count counted,
    twice bigint generated always as (id * 2) stored, place point);
  create view seen_items as select id, mood, tags from items;
`

const PLAIN: readonly (readonly [type: string, text: string])[] = [
  ['smallint', '3'],
  ['integer', '-4'],
  ['bigint', '5'],
  ['real', '1.5'],
  ['double precision', '2.5'],
  ['numeric(8,2)', '3.25'],
  ['oid', '7'],
  ['regclass', 'pg_catalog.pg_class'],
  ['boolean', 'true'],
  ['text', 'x'],
  ['varchar(5)', 'abc'],
  ['char(3)', 'abc'],
  ['"char"', 'c'],
  ['name', 'n'],
  ['uuid', '00000000-0000-4000-8000-000000000001'],
  ['bytea', '\\x01'],
  ['date', '2024-02-29'],
  ['time(3)', '10:00'],
  ['timetz', '10:00+02'],
  ['timestamp(3)', '2024-02-29 10:00'],
  ['timestamptz', '2024-02-29 10:00+00'],
  ['interval', '1 day'],
  ['bit(3)', '101'],
  ['bit varying', '10'],
  ['inet', '10.0.0.1'],
  ['cidr', '10.0.0.0/8'],
  ['macaddr', '08:00:2b:01:02:03'],
  ['tsvector', 'a b'],
  ['tsquery', 'a & b'],
  ['money', '1.5'],
  ['point', '(1,2)'],
  ['box', '(1,2),(0,0)'],
  ['int4range', '[1,5)'],
  ['datemultirange', '{[2024-01-01,2024-02-01)}'],
  ['int2vector', '1 2'],
  ['pg_lsn', '0/1'],
  ['jsonpath', '$.a'],
  ['json', '{"a": [1, null, "x"]}'],
  ['jsonb', '[true]'],
  ['mood', 'so so'],
  ['"Odd Mood"', 'a'],
  ['words', 'some'],
  ['counted', '6'],
  ['feeling', 'good'],
  ['feelings', '{good,so so}'],
  ['pair', '(1,two)'],
  ['nested', '("(,two)","{good}",1.5,)'],
  ['paired', '(1,)'],
  ['items', '(1,good,"{a,b}","(1,x)",,3,2,)'],
  ['seen_items', '(1,good,{a})'],
]

const plain: fc.Arbitrary<Typed> = fc
  .constantFrom(...PLAIN)
  .map(([type, text]) => ({ type, value: `'${text.replaceAll("'", "''")}'::${type}` }))

// An empty `array[…]` needs a cast to an array type. Each type name with `[]` is valid, such as `char(3)[]`.
const anyType: fc.Arbitrary<Typed> = fc.oneof(
  { weight: 3, arbitrary: plain },
  {
    weight: 1,
    arbitrary: fc
      .tuple(plain, fc.nat(2))
      // Leaves out arrays of `int2vector`, which have no JSON form that a client can read.
      .filter(([{ type }]) => type !== 'int2vector')
      .map(([{ type, value }, count]) => ({
        type: `${type}[]`,
        value: `array[${Array.from({ length: count }, () => value).join(', ')}]::${type}[]`,
      })),
  },
)

const columns = fc.array(anyType, { minLength: 1, maxLength: 4 })
const columnNames = ['id', 'Total', 'odd name', 'd"q']
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const listed = (types: readonly Typed[], prefix = ''): string =>
  types.map(({ type }, index) => `${prefix}${quoted(columnNames[index] ?? '')} ${type}`).join(', ')
const values = (types: readonly Typed[]): string => types.map(({ value }) => value).join(', ')

type Made = readonly Omit<TypedFunction, 'name'>[]
type Maker = (name: string) => Made

const body = (head: string, expression: string): string =>
  `create function ${head} language sql stable as $body$ select ${expression} $body$;`
const withoutArguments = (sql: string): Made => [{ sql, call: {}, parameters: [] }]

const MAKERS: readonly fc.Arbitrary<Maker>[] = [
  anyType.map(
    ({ type, value }) =>
      (name) =>
        withoutArguments(body(`${name}() returns ${type}`, value)),
  ),
  anyType.map(
    ({ type, value }) =>
      (name) =>
        withoutArguments(
          body(`${name}() returns setof ${type}`, `${value} from generate_series(1, 2)`),
        ),
  ),
  columns.map(
    (types) => (name) =>
      withoutArguments(body(`${name}() returns table (${listed(types)})`, values(types))),
  ),
  columns.map(
    (types) => (name) => withoutArguments(body(`${name}(${listed(types, 'out ')})`, values(types))),
  ),
  columns.map(
    (types) => (name) =>
      withoutArguments(
        body(
          `${name}(${types.map(({ type }) => `out ${type}`).join(', ')}) returns setof ${types.length === 1 ? types[0]?.type : 'record'}`,
          values(types),
        ),
      ),
  ),
  anyType.map(({ type, value }) => (name) => [
    {
      sql: body(`${name}(inout kept integer, out made ${type})`, `kept, ${value}`),
      call: { kept: 3 },
      parameters: ['kept'],
    },
  ]),
  fc.constantFrom(
    (name: string) => withoutArguments(body(`${name}() returns record`, "row(1, 'x')")),
    (name: string) => withoutArguments(body(`${name}() returns setof record`, "row(1, 'x')")),
    (name: string) =>
      withoutArguments(`create function ${name}() returns void language sql as '';`),
  ),
  // Functions that return their argument.
  fc
    .constantFrom<readonly [string, unknown]>(
      ['mood', 'good'],
      ['mood[]', ['good', 'so so']],
      ['feeling', 'good'],
      ['feelings', ['good']],
      ['pair', { a: 1, 'b c': 'x' }],
      ['pair[]', [{ a: 1, 'b c': null }]],
      ['nested', { pair: { a: 1, 'b c': 'x' }, moods: ['good'], rest: 1.5, felt: null }],
      ['counted', 3],
      ['oid', '7'],
      ['jsonb', { a: [1] }],
      [
        'items',
        {
          id: 1,
          mood: 'good',
          tags: null,
          pair: null,
          felt: 'good',
          count: 3,
          twice: 2,
          place: null,
        },
      ],
      ['int4range', '[1,5)'],
    )
    .map(([type, value]) => (name) => [
      {
        sql: body(`${name}(given ${type}) returns ${type}`, 'given'),
        call: { given: value },
        parameters: ['given'],
      },
    ]),
  // Overloads, which differ by the names of their parameters.
  fc.tuple(anyType, columns, plain).map(([first, second, third]) => (name) => [
    {
      sql: body(`${name}(a integer) returns ${first.type}`, first.value),
      call: { a: 1 },
      parameters: ['a'],
    },
    {
      sql: body(
        `${name}(b text, c boolean default true) returns table (${listed(second)})`,
        values(second),
      ),
      call: { b: 'x' },
      parameters: ['b', 'c'],
    },
    {
      sql: body(`${name}(variadic d integer[]) returns setof ${third.type}`, third.value),
      call: { d: [1, 2] },
      parameters: ['d'],
    },
  ]),
]

/** Returns at least `count` functions, always the same for a seed. */
export function typedFunctions(count: number, seed: number): readonly TypedFunction[] {
  return fc
    .sample(fc.oneof(...MAKERS), { numRuns: count, seed })
    .flatMap((make, index) => make(`f${index}`).map((made) => ({ ...made, name: `f${index}` })))
}
