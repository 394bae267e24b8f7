// Writes the owner's script that takes recorded changes back, for a transaction that is rolled back. Pure.
import { identifier, join, literal, type Sql, sql, verbatim } from '../../database/sql.ts'
import {
  type CountedRow,
  type NamedCells,
  type NetEffect,
  netEffects,
  type PresentColumn,
  type PresentTable,
} from './net-effect.ts'
import type { RecordedChange } from './read-history.ts'

export interface TakenBack {
  /** The statements, in order; empty when there is nothing to take back. */
  readonly statements: readonly Sql[]
  /** What the statements cannot restore, as sentences. */
  readonly gaps: readonly string[]
}

export function takeBack(
  schemaName: string,
  changes: readonly RecordedChange[],
  present: ReadonlyMap<number, PresentTable>,
): TakenBack {
  const gaps = [...new Set(changes.flatMap((change) => gapsOf(change, present)))]
  const effects = netEffects(changes, present).filter(
    ({ added, removed }) => added.length + removed.length > 0,
  )
  if (effects.length === 0) return { statements: [], gaps }
  return {
    statements: [
      ...[...present.values()].flatMap((table) => withoutForeignKeys(schemaName, table)),
      ...effects.flatMap(({ table }) => quietened(schemaName, table)),
      ...effects.flatMap((effect) => deletions(schemaName, effect)),
      ...effects.flatMap((effect) => insertions(schemaName, effect)),
    ],
    gaps,
  }
}

export function gapsOf(
  { at, kind, table }: RecordedChange,
  present: ReadonlyMap<number, PresentTable>,
): readonly string[] {
  const now = present.get(table.relation)
  if (kind === 'TRUNCATE')
    return [`${table.name} was emptied by TRUNCATE at ${at}, and its rows are not known.`]
  if (now === undefined) return [`${table.name} was dropped, and its rows are not known.`]
  return table.columns
    .filter(({ name }) => !now.columns.some((column) => column.name === name))
    .map(
      ({ name }) =>
        `The column ${table.name}.${name} was dropped or renamed, and its values are not shown.`,
    )
}

// Rows are deleted and inserted in no order that foreign keys would accept.
function withoutForeignKeys(
  schemaName: string,
  { foreignKeys, name }: PresentTable,
): readonly Sql[] {
  const table = identifier(schemaName, name)
  return foreignKeys.map((key) => sql`alter table ${table} drop constraint ${identifier(key.name)}`)
}

// The project's own triggers must not react, and policies must not hide rows from the owner.
function quietened(schemaName: string, { name, forcesRowSecurity }: PresentTable): readonly Sql[] {
  const table = identifier(schemaName, name)
  return [
    sql`alter table ${table} disable trigger user`,
    ...(forcesRowSecurity ? [sql`alter table ${table} no force row level security`] : []),
  ]
}

/** Rows of one statement. */
const MOST_ROWS = 1_000

export function deletions(schemaName: string, { added, shared, table }: NetEffect): readonly Sql[] {
  const name = identifier(schemaName, table.name)
  const key = shared.filter((column) => table.key.includes(column.name))
  if (key.length === 0 || key.length < table.key.length)
    return added.map(({ cells, count }) => deleteCopies(name, shared, cells, count))
  return inParts(added).map(
    (rows) => sql`delete from ${name} as present using (values ${valuesOf(rows, key)}) as past
where ${join(
      key.map((column, index) => sql`present.${identifier(column.name)} = ${cast(index, column)}`),
      ' and ',
    )}`,
  )
}

function deleteCopies(
  table: Sql,
  shared: readonly PresentColumn[],
  cells: NamedCells,
  count: number,
): Sql {
  const matches = shared.map(
    ({ name }) => sql`${identifier(name)}::text is not distinct from ${textOf(cells.get(name))}`,
  )
  return sql`delete from ${table} where ctid = any (array(
  select ctid from ${table} where ${join([sql`true`, ...matches], ' and ')} limit ${verbatim(String(count))}))`
}

export function insertions(schemaName: string, { removed, table }: NetEffect): readonly Sql[] {
  const written = table.columns.filter((column) => column.written)
  // Rows with the same columns share a statement. A column that the row did not have yet gets its default.
  const columnsOf = ({ cells }: CountedRow) => written.filter(({ name }) => cells.has(name))
  const groups = Map.groupBy(removed, (row) =>
    columnsOf(row)
      .map(({ name }) => name)
      .join('\0'),
  )
  return [...groups.values()].flatMap((group) => {
    const columns = group[0] === undefined ? [] : columnsOf(group[0])
    const rows = group.flatMap((row) => Array.from({ length: row.count }, () => row))
    return inParts(rows).map(
      (part) => sql`insert into ${identifier(schemaName, table.name)} (${join(
        columns.map(({ name }) => identifier(name)),
      )}) overriding system value
select ${join(columns.map((column, index) => cast(index, column)))} from (values ${valuesOf(part, columns)}) as past`,
    )
  })
}

export function inParts(rows: readonly CountedRow[]): readonly (readonly CountedRow[])[] {
  return Array.from({ length: Math.ceil(rows.length / MOST_ROWS) }, (_, part) =>
    rows.slice(part * MOST_ROWS, (part + 1) * MOST_ROWS),
  )
}

export function valuesOf(rows: readonly CountedRow[], columns: readonly PresentColumn[]): Sql {
  return join(
    rows.map(({ cells }) => sql`(${join(columns.map(({ name }) => textOf(cells.get(name))))})`),
    ',\n',
  )
}

function textOf(text: string | null | undefined): Sql {
  return text === null || text === undefined ? sql`null::text` : sql`${literal(text)}::text`
}

/** Casts a column of VALUES, which Postgres names column1, column2 … */
export function cast(index: number, { type }: PresentColumn): Sql {
  return sql`past.${verbatim(`column${index + 1}`)}::${verbatim(type)}`
}
