// Statements that turn a table's columns into those of the second structure. Defaults of existing columns are separate objects
// (objects.ts). Pure.
import type { ColumnRecord, RelationRecord } from '../catalog/relations.ts'
import { quoteIdentifier } from '../sql.ts'
import type { Qualify } from '../template/ddl/create-object.ts'
import { columnText } from '../template/ddl/create-relation.ts'
import { columnSettings } from './column-settings.ts'
import { type Draft, draft } from './difference.ts'
import { changeIdentity, dropIdentity } from './identity-change.ts'
import {
  childrenOf,
  inheritsExpression,
  isInherited,
  isKeptByChild,
  isLeftByParent,
  type KeptTable,
  wasInherited,
} from './inherited-columns.ts'
import { changeNotNull, unvalidatedNotNull } from './not-null-change.ts'
import type { Changes } from './rebuild.ts'
import { conversion, losesData } from './type-change.ts'

export interface Alteration {
  /** Statements that run before the objects of the second structure are created. */
  readonly before: readonly Draft[]
  /** Like `before`, but runs after the parents' statements: for inherited columns that the table also declares. */
  readonly late: readonly Draft[]
  /** Like `during`, but runs before the parents' statements: adds columns with which the parents' new columns merge. */
  readonly early: readonly Draft[]
  /** Statements that run while the objects of the second structure are created. */
  readonly during: readonly Draft[]
}

type Column = ColumnRecord
const NOTHING: Alteration = { before: [], late: [], early: [], during: [] }

export function alterColumns(
  before: RelationRecord,
  after: RelationRecord,
  changes: Changes,
  qualify: Qualify,
): Alteration {
  const context = { changes, before, after, table: qualify(after.name) }
  const had = new Map(before.columns.map((column) => [column.name, column]))
  const has = new Set(after.columns.map(({ name }) => name))
  // A column cannot be dropped before the generated columns that read it.
  const oldColumns = before.columns.toSorted((one, other) => rankOf(one) - rankOf(other))
  const parts = [
    ...oldColumns.map((column): Alteration => {
      const isDropped = !has.has(column.name) || isAddedAgain(context, column.name)
      const other = after.columns.find(({ name }) => name === column.name)
      return isDropped ? dropColumn(context, column) : release(context, column, other ?? column)
    }),
    ...after.columns.map((column): Alteration => {
      const old = had.get(column.name)
      return old === undefined || isAddedAgain(context, column.name)
        ? addColumn(context, column)
        : { ...NOTHING, during: alterColumn(context, old, column) }
    }),
  ]
  const expressions = after.columns.flatMap((column) =>
    setExpression(context, had.get(column.name), column),
  )
  return {
    before: parts.flatMap((part) => part.before),
    late: parts.flatMap((part) => part.late),
    early: parts.flatMap((part) => part.early),
    during: [...parts.flatMap((part) => part.during), ...expressions],
  }
}

interface Context extends KeptTable {
  /** The qualified name. */
  readonly table: string
}

function rankOf({ generated }: Column): number {
  return generated === undefined ? 1 : 0
}

function isAddedAgain({ after, changes }: Context, column: string): boolean {
  return changes.regenerated.has(`${after.name}.${column}`)
}

/** Whether the table has its columns from a composite type (`create table … of …`). */
function isTyped({ after, before }: Context): boolean {
  return after.ofType !== undefined && after.ofType === before.ofType
}

function dropColumn(context: Context, column: Column): Alteration {
  if (isTyped(context)) return NOTHING
  const { before, table } = context
  const reason = `Drops the column ${before.name}.${column.name} and its values.`
  const only = isKeptByChild(context, column.name) ? 'only ' : ''
  const drop = draft(
    `alter table ${only}${table} drop column ${quoteIdentifier(column.name)}`,
    column.generated === undefined ? reason : undefined,
    { kind: 'column', table: before.name, column: column.name },
  )
  if (!wasInherited(context, column.name)) return { ...NOTHING, before: [drop] }
  // A column that only the parent declares is dropped by the parent's statement.
  const isLeft = column.local || isLeftByParent(context, column.name)
  return isLeft ? { ...NOTHING, late: [drop] } : NOTHING
}

/** Removes the identity and the expression that a kept column no longer has in the second structure. */
function release(context: Context, old: Column, column: Column): Alteration {
  const identity = dropIdentity(context.table, old, column)
  const becomesPlain = old.generated === 'stored' && column.generated === undefined
  const expression = becomesPlain ? [alter(context, column.name, 'drop expression')] : []
  if (!wasInherited(context, column.name))
    return { ...NOTHING, before: [...identity, ...expression] }
  return isInherited(context, column.name)
    ? { ...NOTHING, before: identity }
    : { ...NOTHING, before: identity, late: expression }
}

function addColumn(context: Context, column: Column): Alteration {
  const { after, table } = context
  const inherits = isInherited(context, column.name)
  if ((inherits && !column.local) || isTyped(context)) return NOTHING
  const {
    compression: _none,
    options: _no,
    statisticsTarget: _not,
    storage: _nor,
    ...bare
  } = column
  // Adds the identity in a second statement, because Postgres refuses to add an identity column to a table with children.
  const isSplit = column.identity !== undefined && isParent(context)
  const { identity: _identity, ...withoutIdentity } = column
  const text = columnText(after, isSplit ? withoutIdentity : column, true)
  const drafts = [
    draft(`alter table ${table} add column ${text}`),
    ...(isSplit ? changeIdentity(table, withoutIdentity, column) : []),
    ...columnSettings(context.table, bare, column),
    ...unvalidatedNotNull({ table, column: column.name }, column.notNull),
  ]
  return inherits ? { ...NOTHING, early: drafts } : { ...NOTHING, during: drafts }
}

/** Whether the table has children that are not partitions. */
function isParent(context: Context): boolean {
  return context.after.kind === 'table' && childrenOf(context).length > 0
}

function alterColumn(context: Context, old: Column, column: Column): readonly Draft[] {
  const { after, table } = context
  const { name } = column
  const place = { name: after.name, table, column: name, isInherited: isInherited(context, name) }
  return [
    ...changeType(context, old, column),
    ...changeNotNull(place, old.notNull, column.notNull),
    ...changeIdentity(table, old, column),
    ...columnSettings(table, old, column),
  ]
}

function alter(
  { after, table }: Context,
  column: string,
  change: string,
  destroys?: { readonly reason: string; readonly type: string },
): Draft {
  const text = `alter table ${table} alter column ${quoteIdentifier(column)} ${change}`
  return destroys === undefined
    ? draft(text)
    : draft(text, destroys.reason, {
        kind: 'type',
        table: after.name,
        column,
        type: destroys.type,
      })
}

/** Changes the expression of a kept generated column, after the table's other column changes, because it may read new columns. */
function setExpression(
  context: Context,
  old: Column | undefined,
  { expression, generated, name }: Column,
): readonly Draft[] {
  if (old === undefined || generated === undefined || expression === undefined) return []
  if (expression === old.expression || isAddedAgain(context, name)) return []
  if (inheritsExpression(context, name, expression)) return []
  return [alter(context, name, `set expression as (${expression})`)]
}

function changeType(context: Context, old: Column, column: Column): readonly Draft[] {
  const { after, changes } = context
  const isRetyped = changes.retyped.has(`${after.name}.${column.name}`)
  const isSame = old.type === column.type && old.collation === column.collation
  if (isSame && !isRetyped) return []
  if (wasInherited(context, column.name) && isInherited(context, column.name)) return []
  const collation = column.collation === undefined ? '' : ` collate ${column.collation}`
  const name = quoteIdentifier(column.name)
  // A generated column needs no USING, because its expression computes the values.
  const using =
    column.generated === undefined
      ? ` using ${name}::${conversion(old.type, column.type, isRetyped)}`
      : ''
  const isLoss = column.generated === undefined && losesData(old.type, column.type)
  return [
    alter(
      context,
      column.name,
      `type ${column.type}${collation}${using}`,
      isLoss
        ? {
            reason: `Changes the type of ${after.name}.${column.name} from ${old.type} to ${column.type}: values may be cut, or make the step fail.`,
            type: column.type,
          }
        : undefined,
    ),
  ]
}
