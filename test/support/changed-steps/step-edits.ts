// Random edits of an application's three migration steps, as an editor, a branch checkout or a user would make them. Pure.
import fc from 'fast-check'

/** An edit of the folder with the steps, or of the application's rows. */
export type Edit =
  /** Replaces the statements of several steps in one save. The new statements may be the same. */
  | { readonly kind: 'write'; readonly texts: readonly (readonly [step: number, seed: number])[] }
  | { readonly kind: 'comment' | 'letters' | 'rename' | 'delete' | 'empty'; readonly step: number }
  /** Writes a step only partly, or adds a second file with a step's version. A second save then restores the step. */
  | { readonly kind: 'halfWritten' | 'twin'; readonly step: number }
  /** The application writes a row into each table. */
  | { readonly kind: 'rows'; readonly seed: number }
  /** The user allows the losses of a save that waits for confirmation. */
  | { readonly kind: 'rebuild' }

const step = fc.nat({ max: 2 })
const seed = fc.nat({ max: 4_095 })

export const EDITS: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .tuple(step, seed)
        .map(([at, text]): Edit => ({ kind: 'write', texts: [[at, text]] })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(seed, seed, seed)
        .map((texts): Edit => ({ kind: 'write', texts: texts.map((text, at) => [at, text]) })),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          'comment',
          'letters',
          'rename',
          'delete',
          'empty',
          'halfWritten',
          'twin',
        ),
        step,
      }),
    },
    { weight: 4, arbitrary: seed.map((one): Edit => ({ kind: 'rows', seed: one })) },
    { weight: 1, arbitrary: fc.constant<Edit>({ kind: 'rebuild' }) },
  ),
  { minLength: 2, maxLength: 7 },
)

/**
 * Returns the text of a step, a choice of statements. The steps change only rows with ids below 100. Higher ids belong to the
 * application.
 */
export function textOf(at: number, from: number): string {
  const chosen = (POOLS[at] ?? []).flatMap((variants, index) => {
    const variant = Math.floor(from / 3 ** index) % (variants.length + 1)
    return variants[variant] ?? []
  })
  return chosen.map((statement) => `${statement};\n`).join('')
}

const NOTES = 'create table notes (id int primary key, title'
const POOLS: readonly (readonly (readonly string[])[])[] = [
  [
    // Each of these variants creates the table that later steps change. The step may also contain none of them.
    [
      `${NOTES} text); alter table notes enable row level security`,
      `${NOTES} text, body text default 'none'); alter table notes enable row level security`,
      `${NOTES} varchar(40)); alter table notes enable row level security`,
    ].slice(0, 3),
    [
      'create policy own on notes for select using (true)',
      'create policy own on notes using (id > 0)',
    ],
    ['create index on notes (title)'],
    [
      "insert into notes (id, title) values (1, 'one')",
      "insert into notes (id, title) values (1, 'first'), (2, 'second')",
    ],
  ],
  [
    [
      'alter table notes add column stars int',
      'alter table notes add column stars bigint default 3',
      'alter table notes add column points int not null default 0',
    ],
    ['update notes set title = upper(title) where id < 100'],
    ['alter table notes add column done boolean not null default false'],
    ["create type mood as enum ('good', 'bad')", "create type mood as enum ('good')"],
    [
      'create function answer() returns int language sql as $$ select 42 $$',
      "create function answer() returns text language sql as $$ select '42' $$",
    ],
  ],
  [
    [
      'create table tags (id int primary key, note int references notes (id), name text)',
      'create table tags (id int primary key, name text)',
      'create table labels (id int primary key, name text not null)',
    ],
    [
      'create view titles as select id, title from notes',
      'create view titles as select id from notes',
    ],
    ['alter table notes drop column if exists body'],
    ['delete from notes where id = 1'],
  ],
]
