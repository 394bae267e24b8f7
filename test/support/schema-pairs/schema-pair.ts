// Pairs of random schemas. Equal seeds give equal pairs.
import { CHANGES } from './random-changes.ts'
import { randomModel, randomOf } from './random-tables.ts'
import { columnsOf, type Model, renderModel, renderReferences } from './schema-model.ts'

export interface SchemaPair {
  readonly before: string
  readonly after: string
  /** The two parts of `before`: the rows are inserted between them. */
  readonly beforeParts: readonly [tables: string, references: string]
  /** Inserts rows into the tables of the first schema. Every foreign key refers to row 1. */
  readonly rows: string
  /** Renames that the caller of the differ states. The renames run on the first schema. */
  readonly renames?: string
}

/** A pair of schemas. The first has no foreign keys when there are rows. */
export function pairOf(before: string, after: string, rows = '', renames?: string): SchemaPair {
  const pair = { before, after, beforeParts: [before, ''] as const, rows }
  return renames === undefined ? pair : { ...pair, renames }
}

/**
 * Returns a schema, and the same schema after 1 to 30 changes. In one of five cases, the second schema is independent of the
 * first.
 */
export function schemaPair(seed: number): SchemaPair {
  const random = randomOf(seed)
  const before = randomModel(random)
  const after = seed % 5 === 4 ? randomModel(random) : structuredClone(before)
  const count = 1 + random.below(random.chance(0.6) ? 8 : 30)
  for (let index = 0; index < count; index += 1) random.pick(CHANGES)(after, random)
  const beforeParts = [renderModel(before), renderReferences(before)] as const
  return {
    before: beforeParts.join(''),
    after: renderModel(after) + renderReferences(after),
    beforeParts,
    rows: rowsOf(before),
  }
}

/** Values for columns without a default, by type. Contains only simple types. */
const VALUES: Record<string, string> = {
  integer: 'n',
  bigint: 'n',
  smallint: 'n',
  'numeric(10,2)': 'n + 0.25',
  'numeric(6,1)': 'n + 0.5',
  text: "'text ' || n",
  'character varying(20)': "'varying ' || n",
  'character varying(5)': "'v' || n",
  boolean: 'n > 1',
  date: "date '2026-01-01' + n",
  'timestamp with time zone': "timestamptz '2026-01-01 00:00Z'",
  uuid: "('00000000-0000-0000-0000-00000000000' || n)::uuid",
  jsonb: "jsonb_build_object('n', n)",
  json: "json_build_object('n', n)",
  'text[]': "array['a', n::text]",
  mood: '(enum_range(null::mood))[1 + n % cardinality(enum_range(null::mood))]',
  state: '(enum_range(null::state))[1 + n % cardinality(enum_range(null::state))]',
  'mood[]': 'enum_range(null::mood)',
  positive: 'n',
  pair: "row(n, 'b')::pair",
}

export function rowsOf(model: Model): string {
  const statements = model.tables.map((table) => {
    const columns = columnsOf(table, model).filter(
      ({ generated, identity }) => generated === undefined && identity === undefined,
    )
    const names = ['id', ...columns.map(({ name }) => name)]
    const foreign = new Set(table.references.map(({ column }) => column))
    const values = [
      'n',
      ...columns.map(({ name, type }) => (foreign.has(name) ? '1' : (VALUES[type] ?? 'null'))),
    ]
    const rows = (name: string, start: number) =>
      `insert into "${name}" (${names.join(', ')}) select ${[`n + ${start}`, ...values.slice(1)].join(', ')} from generate_series(1, 3) as n on conflict do nothing;\n`
    const heirs = table.partitioned ? [] : table.heirs
    return [
      rows(table.name, 0),
      ...heirs.map(({ name }, index) => rows(name, 10 + index * 10)),
    ].join('')
  })
  return statements.join('')
}
