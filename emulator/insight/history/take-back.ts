// Writes the owner's script that takes recorded changes back, for a transaction that is rolled back. Pure.
import { identifier, join, literal, type Sql, sql, verbatim } from '../../database/sql.ts'
import { AUTH_TABLE_COLUMNS, USERS_TABLE } from '../../database/tenant-schema/auth-table-columns.ts'
import { arrayText } from '../../database/values/row-text.ts'
import {
  type CountedRow,
  type NamedCells,
  type NetEffect,
  netEffects,
  type PresentColumn,
  type PresentTable,
} from './net-effect.ts'
import type { RecordedChange, RecordedTable } from './read-history.ts'
import type { LaterChanges, TableChange } from './read-versions.ts'

export interface TakenBack {
  /** The statements, in order; empty when there is nothing to take back. */
  readonly statements: readonly Sql[]
  /** What the statements cannot restore, as sentences. */
  readonly gaps: readonly string[]
}

export function takeBack(
  schemaName: string,
  { layouts, ofTables, versions }: LaterChanges,
  present: ReadonlyMap<number, PresentTable>,
): TakenBack {
  const gaps = [
    ...new Set([
      ...ofTables.flatMap((change) => gapOfTable(change, present) ?? []),
      ...layouts.flatMap((table) => gapsOfColumns(table, present)),
      ...versions.flatMap(({ table }) => gapOfUsers(table)),
    ]),
  ]
  const effects = netEffects(versions, present).filter(
    ({ added, removed }) => added.length + removed.length > 0,
  )
  if (effects.length === 0) return { statements: [], gaps }
  return {
    statements: [
      ...[...present.values()].flatMap((table) => withoutForeignKeys(schemaName, table)),
      ...effects.flatMap(({ table }) => quietened(schemaName, table)),
      ...effects.flatMap((effect) => deletions(schemaName, effect)),
      ...effects.flatMap((effect) => insertions(schemaName, effect)),
      ...effects.flatMap(({ table }) => forcedAgain(schemaName, table)),
    ],
    gaps,
  }
}

/** Returns what taking this change back cannot restore, as sentences. */
export function gapsOf(
  change: RecordedChange,
  present: ReadonlyMap<number, PresentTable>,
): readonly string[] {
  const gap = gapOfTable(change, present)
  return gap === undefined ? gapsOfColumns(change.table, present) : [gap]
}

function gapOfTable(
  { at, kind, table }: TableChange,
  present: ReadonlyMap<number, PresentTable>,
): string | undefined {
  if (kind === 'TRUNCATE')
    return `${table.name} was emptied by TRUNCATE at ${at}, and its rows are not known.`
  return present.has(table.relation)
    ? undefined
    : `${table.name} was dropped, and its rows are not known.`
}

/** Whether the table is one of the platform's, which the owner cannot write. */
export const isOfPlatform = ({ name }: Pick<RecordedTable, 'name'>): boolean =>
  AUTH_TABLE_COLUMNS.has(name)

// The owner can read only this table of the platform.
const gapOfUsers = ({ name }: RecordedTable): readonly string[] =>
  name === USERS_TABLE ? [`${name} is shown as it is now.`] : []

function gapsOfColumns(
  table: RecordedTable,
  present: ReadonlyMap<number, PresentTable>,
): readonly string[] {
  const now = present.get(table.relation)
  if (now === undefined) return []
  return table.columns.flatMap(({ name, type }) => {
    const column = now.columns.find((one) => one.name === name)
    if (column === undefined)
      return `The column ${table.name}.${name} was dropped or renamed, and its values are not shown.`
    return withoutProject(column.type) === withoutProject(type)
      ? []
      : `The column ${table.name}.${name} had the type ${type}, and its values are shown as ${column.type}.`
  })
}

// A renamed project's own types have another schema.
const withoutProject = (type: string): string => type.replace(/^(?:"proj_[^"]*"|proj_\w+)\./, '')

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

function forcedAgain(
  schemaName: string,
  { forcesRowSecurity, name }: PresentTable,
): readonly Sql[] {
  if (!forcesRowSecurity) return []
  return [sql`alter table ${identifier(schemaName, name)} force row level security`]
}

/** Rows of one statement. */
const MOST_ROWS = 10_000

export function deletions(schemaName: string, { added, shared, table }: NetEffect): readonly Sql[] {
  const name = identifier(schemaName, table.name)
  const key = shared.filter((column) => table.key.includes(column.name))
  if (key.length === 0 || key.length < table.key.length)
    return added.map(({ cells, count }) => deleteCopies(name, shared, cells, count))
  return inParts(added).map(
    (rows) => sql`delete from ${name} as present using ${pastRows(rows, key)}
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
select ${join(columns.map((column, index) => cast(index, column)))} from ${pastRows(part, columns)}`,
    )
  })
}

export function inParts(rows: readonly CountedRow[]): readonly (readonly CountedRow[])[] {
  return Array.from({ length: Math.ceil(rows.length / MOST_ROWS) }, (_, part) =>
    rows.slice(part * MOST_ROWS, (part + 1) * MOST_ROWS),
  )
}

/** Rows that a person can read in the preview of an undo. */
const FEW_ROWS = 20

/** Returns `past`, a list of rows with the texts of the columns as column1, column2 … */
export function pastRows(rows: readonly CountedRow[], columns: readonly PresentColumn[]): Sql {
  if (rows.length <= FEW_ROWS)
    return sql`(values ${join(
      rows.map(({ cells }) => sql`(${join(columns.map(({ name }) => textOf(cells.get(name))))})`),
      ',\n',
    )}) as past`
  // Postgres parses and plans each row of VALUES, but an array is one constant.
  const lists = columns.map(({ name }) =>
    literal(arrayText(rows.map(({ cells }) => cells.get(name) ?? null))),
  )
  return sql`unnest(${join(lists.map((list) => sql`${list}::text[]`))}) as past (${join(
    columns.map((_, index) => verbatim(columnName(index))),
  )})`
}

function textOf(text: string | null | undefined): Sql {
  return text === null || text === undefined ? sql`null::text` : sql`${literal(text)}::text`
}

/** Casts a column of `pastRows`. */
export function cast(index: number, { type }: PresentColumn): Sql {
  return sql`past.${verbatim(columnName(index))}::${verbatim(type)}`
}

// The names that Postgres gives to the columns of VALUES.
const columnName = (index: number): string => `column${index + 1}`
