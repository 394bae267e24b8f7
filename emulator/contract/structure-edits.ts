// Builds the SQL statements for edits of a table's structure. The inspector shows the statements and sends them as a change
// (contract/changes.ts), so that Postgres decides what is valid. Pure.
import { quoteIdentifier as name, quoteLiteral } from '../core/sql-quoting.ts'

/** The default of a column. */
export type ColumnDefault =
  | { readonly kind: 'none' }
  /** A value of any type in Postgres's input format: `draft`, `2026-01-01`. */
  | { readonly kind: 'value'; readonly text: string }
  /** SQL, e.g. `now()`. */
  | { readonly kind: 'expression'; readonly sql: string }

export interface ColumnDraft {
  readonly name: string
  /** SQL of the type, e.g. `numeric(10, 2)`. */
  readonly type: string
  readonly isNullable: boolean
  readonly default: ColumnDefault
}

export const ON_DELETE = ['no action', 'restrict', 'cascade', 'set null', 'set default'] as const
export type OnDelete = (typeof ON_DELETE)[number]

export type StructureEdit =
  | {
      readonly kind: 'create_table'
      readonly table: string
      readonly columns: readonly ColumnDraft[]
      /** Columns of the primary key. */
      readonly key: readonly string[]
      readonly hasRowSecurity: boolean
    }
  | { readonly kind: 'rename_table'; readonly table: string; readonly to: string }
  | { readonly kind: 'drop_table'; readonly table: string }
  | { readonly kind: 'add_column'; readonly table: string; readonly column: ColumnDraft }
  | {
      readonly kind: 'change_column'
      readonly table: string
      readonly before: ColumnDraft
      readonly after: ColumnDraft
    }
  | { readonly kind: 'drop_column'; readonly table: string; readonly column: string }
  | {
      readonly kind: 'add_index'
      readonly table: string
      readonly columns: readonly string[]
    }
  | { readonly kind: 'drop_index'; readonly index: string }
  | { readonly kind: 'add_unique'; readonly table: string; readonly columns: readonly string[] }
  | {
      readonly kind: 'add_foreign_key'
      readonly table: string
      readonly columns: readonly string[]
      readonly target: string
      readonly targetColumns: readonly string[]
      readonly onDelete: OnDelete
    }
  | { readonly kind: 'drop_constraint'; readonly table: string; readonly constraint: string }

/** Returns the statements, without closing semicolons. Empty for an edit that changes nothing. */
export function statementsOf(edit: StructureEdit): readonly string[] {
  switch (edit.kind) {
    case 'create_table':
      return createTable(edit)
    case 'rename_table':
      return edit.table === edit.to
        ? []
        : [`alter table ${name(edit.table)} rename to ${name(edit.to)}`]
    case 'drop_table':
      return [`drop table ${name(edit.table)}`]
    case 'add_column':
      return [`alter table ${name(edit.table)} add column ${columnText(edit.column)}`]
    case 'change_column':
      return changeColumn(edit)
    case 'drop_column':
      return [`alter table ${name(edit.table)} drop column ${name(edit.column)}`]
    case 'add_index':
      return [`create index on ${name(edit.table)} (${list(edit.columns)})`]
    case 'drop_index':
      return [`drop index ${name(edit.index)}`]
    case 'add_unique':
      return [`alter table ${name(edit.table)} add unique (${list(edit.columns)})`]
    case 'add_foreign_key':
      return [foreignKey(edit)]
    case 'drop_constraint':
      return [`alter table ${name(edit.table)} drop constraint ${name(edit.constraint)}`]
    default:
      return edit satisfies never
  }
}

/** Describes the edit in a few words, which become the name of its migration step. */
export function titleOf(edit: StructureEdit): string {
  switch (edit.kind) {
    case 'create_table':
      return `Create table ${edit.table}`
    case 'rename_table':
      return `Rename table ${edit.table} to ${edit.to}`
    case 'drop_table':
      return `Drop table ${edit.table}`
    case 'add_column':
      return `Add ${edit.table}.${edit.column.name}`
    case 'change_column':
      return `Change ${edit.table}.${edit.before.name}`
    case 'drop_column':
      return `Drop ${edit.table}.${edit.column}`
    case 'add_index':
      return `Index ${edit.table} by ${edit.columns.join(', ')}`
    case 'drop_index':
      return `Drop index ${edit.index}`
    case 'add_unique':
      return `Make ${edit.columns.join(', ')} of ${edit.table} unique`
    case 'add_foreign_key':
      return `Let ${edit.columns.join(', ')} of ${edit.table} reference ${edit.target}`
    case 'drop_constraint':
      return `Drop ${edit.constraint} of ${edit.table}`
    default:
      return edit satisfies never
  }
}

function createTable({
  columns,
  hasRowSecurity,
  key,
  table,
}: StructureEdit & { readonly kind: 'create_table' }): readonly string[] {
  const parts = [
    ...columns.map(columnText),
    ...(key.length === 0 ? [] : [`primary key (${list(key)})`]),
  ]
  const create = `create table ${name(table)} (\n  ${parts.join(',\n  ')}\n)`
  return hasRowSecurity
    ? [create, `alter table ${name(table)} enable row level security`]
    : [create]
}

// Drops a removed default first, because it may not fit the new type. Renames the column last, so that the other statements can
// use its old name.
function changeColumn({
  after,
  before,
  table,
}: StructureEdit & { readonly kind: 'change_column' }): readonly string[] {
  const alter = `alter table ${name(table)}`
  const column = `${alter} alter column ${name(before.name)}`
  const type = after.type.trim()
  const [was, now] = [defaultText(before.default), defaultText(after.default)]
  const statements: string[] = []
  if (was !== now && now === undefined) statements.push(`${column} drop default`)
  if (type !== before.type.trim())
    statements.push(`${column} type ${type} using ${name(before.name)}::${type}`)
  if (was !== now && now !== undefined) statements.push(`${column} set default ${now}`)
  if (after.isNullable !== before.isNullable)
    statements.push(`${column} ${after.isNullable ? 'drop' : 'set'} not null`)
  if (after.name !== before.name)
    statements.push(`${alter} rename column ${name(before.name)} to ${name(after.name)}`)
  return statements
}

function columnText({ default: value, isNullable, name: column, type }: ColumnDraft): string {
  const usual = defaultText(value)
  return [
    name(column),
    type.trim(),
    ...(isNullable ? [] : ['not null']),
    ...(usual === undefined ? [] : [`default ${usual}`]),
  ].join(' ')
}

function defaultText(value: ColumnDefault): string | undefined {
  switch (value.kind) {
    case 'none':
      return undefined
    case 'value':
      return quoteLiteral(value.text).trim()
    case 'expression':
      return value.sql.trim()
    default:
      return value satisfies never
  }
}

function foreignKey({
  columns,
  onDelete,
  table,
  target,
  targetColumns,
}: StructureEdit & { readonly kind: 'add_foreign_key' }): string {
  const key = `foreign key (${list(columns)}) references ${name(target)} (${list(targetColumns)})`
  const action = onDelete === 'no action' ? '' : ` on delete ${onDelete}`
  return `alter table ${name(table)} add ${key}${action}`
}

function list(columns: readonly string[]): string {
  return columns.map(name).join(', ')
}
