// Statements for tables, views and materialised views, and for their later settings. Pure.
import type { ColumnRecord, NotNull, RelationRecord } from '../../catalog/relations.ts'
import { quoteIdentifier, type Sql, verbatim } from '../../sql.ts'
import { optionList, type Qualify, sequenceOptions, withOptions } from './create-object.ts'

/** The parts of `create table` that plan-units.ts chooses. */
export interface TableInline {
  readonly mayInlineDefault: (column: ColumnRecord) => boolean
  /** The constraints inside `create table`: `constraint … check (…)` and keys. */
  readonly constraints: readonly string[]
}

export function createTable(table: RelationRecord, inline: TableInline, qualify: Qualify): Sql {
  const inherits =
    isPartition(table) || table.parents === undefined
      ? ''
      : ` inherits (${table.parents.join(', ')})`
  const partitionBy = table.partitionKey === undefined ? '' : ` partition by ${table.partitionKey}`
  const typed = table.ofType !== undefined
  const elements = [
    ...table.columns
      .filter((column) => isDeclared(table, column) && !(typed && isBare(column)))
      .map((column) => columnText(table, column, inline.mayInlineDefault(column))),
    ...inheritedNotNulls(table),
    ...inline.constraints,
  ]
  const body =
    table.ofType === undefined
      ? `(\n  ${elements.join(',\n  ')})`
      : typedBody(table.ofType, elements)
  return verbatim(
    `create ${table.unlogged ? 'unlogged ' : ''}table ${qualify(table.name)} ${body}${inherits}${partitionBy}${withOptions(table.options)}`,
  )
}

/**
 * Whether the table is a partition. A partition is created as a table and then attached, to keep its own columns, names and
 * defaults.
 */
export function isPartition(table: RelationRecord): boolean {
  return table.partitionBound !== undefined
}

/** Whether the table itself declares the column; a parent may declare it instead. */
export function isDeclared(table: RelationRecord, column: ColumnRecord): boolean {
  return column.local || isPartition(table) || table.parents === undefined
}

export function createView(view: RelationRecord, qualify: Qualify): Sql {
  const materialized = view.kind === 'materialized'
  return verbatim(
    `create ${materialized ? 'materialized ' : ''}view ${qualify(view.name)}${withOptions(view.options)} as${view.query ?? ''}${materialized ? '\nwith no data' : ''}`,
  )
}

/** Returns the settings that `create table` cannot express. */
export function alterTable(table: RelationRecord, qualify: Qualify): readonly Sql[] {
  const changes = [
    ...table.columns.flatMap((column) => columnChanges(table, column)),
    ...(table.rowSecurity ? ['enable row level security'] : []),
    ...(table.forcedRowSecurity ? ['force row level security'] : []),
    ...replicaIdentity(table),
  ]
  return changes.length === 0
    ? []
    : [verbatim(`alter table only ${qualify(table.name)} ${changes.join(', ')}`)]
}

/** Whether the column needs no options, so that a typed table can omit it. */
function isBare(column: ColumnRecord): boolean {
  return (
    column.notNull === undefined && column.expression === undefined && column.identity === undefined
  )
}

function typedBody(type: string, elements: readonly string[]): string {
  return `of ${type}${elements.length === 0 ? '' : ` (\n  ${elements.join(',\n  ')})`}`
}

/** Renders the column as an element of `create table` or of `alter table … add column`. */
export function columnText(
  table: RelationRecord,
  column: ColumnRecord,
  withDefault: boolean,
): string {
  const head = table.ofType === undefined ? column.type : 'with options'
  const { compression, storage } = setsStorage(table) ? column : {}
  return [
    quoteIdentifier(column.name),
    head,
    ...(storage === undefined ? [] : [`storage ${storage}`]),
    ...(compression === undefined ? [] : [`compression ${compression}`]),
    ...(column.collation === undefined ? [] : [`collate ${column.collation}`]),
    ...declaredNotNull(table, column.notNull),
    ...valueText(column, withDefault),
  ].join(' ')
}

// Leaves out inherited NOT NULLs, because a child table that repeats one would also declare it itself. A partition is attached to
// its parent later, so nothing is left out.
function declaredNotNull(table: RelationRecord, notNull: NotNull | undefined): readonly string[] {
  if (notNull?.validated !== true) return []
  const mayInherit = table.parents !== undefined && !isPartition(table)
  return notNull.local || !mayInherit ? [notNullText(notNull)] : []
}

function valueText(column: ColumnRecord, withDefault: boolean): readonly string[] {
  if (column.identity !== undefined) return [identityText(column.identity)]
  if (column.expression === undefined) return []
  if (column.generated !== undefined)
    return [`generated always as (${column.expression}) ${column.generated}`]
  return withDefault ? [`default ${column.expression}`] : []
}

/** Renders a NOT NULL as a constraint of the column, or of the table when the column is given. */
export function notNullText(notNull: NotNull, column?: string): string {
  const on = column === undefined ? '' : ` ${quoteIdentifier(column)}`
  const named = notNull.name === undefined ? '' : `constraint ${quoteIdentifier(notNull.name)} `
  return `${named}not null${on}${notNull.noInherit ? ' no inherit' : ''}`
}

function identityText(identity: NonNullable<ColumnRecord['identity']>): string {
  const mode = identity.always ? 'always' : 'by default'
  return `generated ${mode} as identity (sequence name ${identity.sequence} ${sequenceOptions(identity.options)})`
}

/** Returns the NOT NULLs that a child table adds to inherited columns. */
function inheritedNotNulls(table: RelationRecord): readonly string[] {
  return table.columns.flatMap(({ name, notNull, ...column }) =>
    notNull?.local && notNull.validated && !isDeclared(table, { name, ...column })
      ? [notNullText(notNull, name)]
      : [],
  )
}

function columnChanges(table: RelationRecord, column: ColumnRecord): readonly string[] {
  const alter = `alter column ${quoteIdentifier(column.name)}`
  const { notNull, options, statisticsTarget } = column
  return [
    ...storageChanges(table, column).map((change) => `${alter} ${change}`),
    ...(statisticsTarget === undefined ? [] : [`${alter} set statistics ${statisticsTarget}`]),
    ...(options === undefined ? [] : [`${alter} set (${optionList(options)})`]),
    ...(notNull !== undefined && !notNull.validated && isDeclared(table, column)
      ? [`add ${notNullText(notNull, column.name)} not valid`]
      : []),
  ]
}

/**
 * Whether `create table` sets the storage of columns. A typed table cannot set storage, and inherited columns have their
 * parent's.
 */
function setsStorage(table: RelationRecord): boolean {
  const inherits = table.parents !== undefined && !isPartition(table)
  return table.kind !== 'materialized' && table.ofType === undefined && !inherits
}

function storageChanges(table: RelationRecord, column: ColumnRecord): readonly string[] {
  if (setsStorage(table)) return []
  const otherwise = table.parents === undefined ? undefined : 'default'
  const { compression = otherwise, storage = otherwise } = column
  return [
    ...(storage === undefined ? [] : [`set storage ${storage}`]),
    ...(compression === undefined ? [] : [`set compression ${compression}`]),
  ]
}

function replicaIdentity(table: RelationRecord): readonly string[] {
  if (table.replicaIdentity === undefined) return []
  const index = table.replicaIndex === undefined ? '' : quoteIdentifier(table.replicaIndex)
  return [
    `replica identity ${table.replicaIdentity === 'index' ? `using index ${index}` : table.replicaIdentity}`,
  ]
}
