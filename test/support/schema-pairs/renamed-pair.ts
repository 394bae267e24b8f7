// Pairs of a random schema and the same schema after renames and other changes by hand. Equal seeds give equal pairs.
import { type Random, randomModel, randomOf } from './random-tables.ts'
import {
  columnsOf,
  type Model,
  type ModelTable,
  renderModel,
  renderReferences,
} from './schema-model.ts'
import { rowsOf, type SchemaPair } from './schema-pair.ts'

/** A table with its names after the renames. */
interface Renamed {
  name: string
  columns: string[]
}

type Edit = (table: Renamed, random: Random) => string | undefined

/** Returns 1 to 4 renames and 0 to 4 other changes. */
export function renamedPair(seed: number): SchemaPair {
  const random = randomOf(seed)
  const model = randomModel(random)
  const before = [renderModel(model), renderReferences(model)] as const
  const tables = model.tables.map((table) => renamedTable(table, model))
  const renames = times(1 + random.below(4), () => rename(random.pick(tables), random))
  const edits = times(random.below(5), () => random.pick(EDITS)(random.pick(tables), random))
  return {
    before: before.join(''),
    beforeParts: before,
    renames: renames.join(''),
    after: [...before, ...renames, ...edits].join(''),
    rows: rowsOf(model),
  }
}

function renamedTable(table: ModelTable, model: Model): Renamed {
  return { name: table.name, columns: columnsOf(table, model).map(({ name }) => name) }
}

function times(count: number, make: () => string | undefined): readonly string[] {
  return Array.from({ length: count }, make).flatMap((text) =>
    text === undefined ? [] : `${text};\n`,
  )
}

/** Renames a column or, with a probability of 0.3, the table. */
const rename: Edit = (table, random) => {
  const { columns, name } = table
  const place = random.below(columns.length)
  const column = columns[place]
  if (column === undefined || random.chance(0.3)) {
    table.name = `${name} new`
    return `alter table "${name}" rename to "${table.name}"`
  }
  columns[place] = `${column}_new`
  return `alter table "${name}" rename column ${column} to ${column}_new`
}

const EDITS: readonly Edit[] = [
  (table) => {
    const column = `added_${table.columns.length}`
    table.columns.push(column)
    return `alter table "${table.name}" add column ${column} integer default 3`
  },
  (table, random) => {
    const { columns, name } = table
    const [column] = columns.splice(random.below(Math.max(1, columns.length)), 1)
    // The drop may also drop generated columns, so later edits must not name these columns.
    table.columns = columns.filter((one) => !/^c_(generated|virtual)/.test(one))
    return column && `alter table "${name}" drop column ${column} cascade`
  },
  ({ columns: [column = 'id'], name }) =>
    `drop policy if exists by_hand on "${name}"; create policy by_hand on "${name}" for select using (${column} is not null and id > 1)`,
  ({ name }) => `alter table "${name}" enable row level security`,
  ({ columns: [column = 'id'], name }) => `comment on column "${name}".${column} is 'by hand'`,
  ({ columns: [column = 'id'], name }) => `grant update (${column}) on "${name}" to anon`,
  ({ name }) =>
    `alter table "${name}" drop constraint if exists by_hand; alter table "${name}" add constraint by_hand check (id > 0) not valid`,
  ({ columns: [column = 'id'], name }) =>
    `drop view if exists by_hand; create view by_hand as select ${column} as shown, id from "${name}"`,
]
