// Statements that turn a table's columns into those of the second structure. Defaults of existing columns are objects of their
// own (objects.ts). Pure.
import type { ColumnRecord, NotNull, RelationRecord } from '../catalog/relations.ts'
import { quoteIdentifier } from '../sql.ts'
import type { Qualify } from '../template/ddl/create-object.ts'
import { columnText, notNullText } from '../template/ddl/create-relation.ts'
import { columnSettings } from './column-settings.ts'
import { type Draft, draft } from './difference.ts'
import { changeIdentity, dropIdentity } from './identity-change.ts'
import { plainIdentifier } from './local-names.ts'
import { type Changes, isKept } from './rebuild.ts'
import { conversion, losesData } from './type-change.ts'

/** Statements before the objects of the second structure are created, and together with them. */
export interface Alteration {
  readonly before: readonly Draft[]
  readonly during: readonly Draft[]
}

type Column = ColumnRecord

export function alterColumns(
  before: RelationRecord,
  after: RelationRecord,
  changes: Changes,
  qualify: Qualify,
): Alteration {
  const context = { changes, before, after, qualify, table: qualify(after.name) }
  const had = new Map(before.columns.map((column) => [column.name, column]))
  const has = new Map(after.columns.map((column) => [column.name, column]))
  const parts = [
    ...before.columns.map((column): Alteration => {
      const gone = !has.has(column.name) && !isInherited(context, column.name)
      return { before: gone ? [dropColumn(context, column)] : [], during: [] }
    }),
    ...after.columns.map((column): Alteration => {
      const old = had.get(column.name)
      return old === undefined ? addColumn(context, column) : alterColumn(context, old, column)
    }),
  ]
  const isGenerated = ({ sql }: Draft) =>
    before.columns.some(
      ({ generated, name }) =>
        generated !== undefined && sql.endsWith(` drop column ${quoteIdentifier(name)}`),
    )
  const first = parts.flatMap((part) => part.before)
  return {
    // A column cannot be dropped before the generated columns that read it.
    before: [...first.filter(isGenerated), ...first.filter((one) => !isGenerated(one))],
    during: parts.flatMap((part) => part.during),
  }
}

interface Context {
  readonly changes: Changes
  readonly before: RelationRecord
  readonly after: RelationRecord
  readonly qualify: Qualify
  /** The qualified name. */
  readonly table: string
}

/** Whether changes of a parent's columns also change this table. A partition that moves is detached meanwhile. */
function follows({ after, before }: Context): boolean {
  return after.parents !== undefined && before.partitionBound === after.partitionBound
}

/** Whether a parent table gets or loses the column, so that this table does, too. */
function isInherited(context: Context, column: string): boolean {
  const { after, before, changes } = context
  if (!follows(context)) return false
  const { from, to } = changes
  const { schemaName } = to.structure
  const hasColumn = (relation: RelationRecord | undefined) =>
    relation?.columns.some(({ name }) => name === column) ?? false
  return to.structure.relations.some(({ name }) => {
    const isParent = [before, after].every((table) =>
      table.parents?.includes(`${schemaName}.${plainIdentifier(name)}`),
    )
    return (
      isParent &&
      isKept(changes, name) &&
      hasColumn(from.relation(name)) !== hasColumn(to.relation(name))
    )
  })
}

function dropColumn({ before, table }: Context, column: Column): Draft {
  const reason = `Drops the column ${before.name}.${column.name} and its values.`
  return draft(
    `alter table ${table} drop column ${quoteIdentifier(column.name)}`,
    column.generated === undefined ? reason : undefined,
    { kind: 'column', table: before.name, column: column.name },
  )
}

function addColumn(context: Context, column: Column): Alteration {
  const { after, table } = context
  if (isInherited(context, column.name)) return { before: [], during: [] }
  const {
    compression: _none,
    options: _no,
    statisticsTarget: _not,
    storage: _nor,
    ...bare
  } = column
  const text = columnText(after, column, true)
  return {
    before: [],
    during: [
      draft(`alter table ${table} add column ${text}`),
      ...columnSettings(context.table, bare, column),
      ...unvalidatedNotNull(context, column.notNull, column.name),
    ],
  }
}

function alterColumn(context: Context, old: Column, column: Column): Alteration {
  const { after, before, changes } = context
  const { generated } = old
  const again = `${after.name}.${column.name}`
  const becomesPlain = generated === 'virtual' && column.generated === undefined
  const becomesGenerated = generated === undefined && column.generated !== undefined
  if (changes.regenerated.has(again) || becomesPlain || becomesGenerated)
    return {
      before: isRemovedByParent(context, old, column)
        ? []
        : [dropColumn({ ...context, before }, old)],
      during: isRemovedByParent(context, old, column) ? [] : addColumn(context, column).during,
    }
  return {
    before: [...dropIdentity(context.table, old, column), ...dropExpression(context, old, column)],
    during: [
      ...changeType(context, old, column),
      ...changeNotNull(context, old.notNull, column.notNull, column.name),
      ...changeIdentity(context.table, old, column),
      ...columnSettings(context.table, old, column),
    ],
  }
}

// Postgres drops and adds the column of a partition or child together with that of its parent.
function isRemovedByParent(context: Context, old: Column, column: Column): boolean {
  return follows(context) && !old.local && !column.local
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

function dropExpression(context: Context, old: Column, column: Column): readonly Draft[] {
  return old.generated === 'stored' && column.generated === undefined
    ? [alter(context, column.name, 'drop expression')]
    : []
}

function changeType(context: Context, old: Column, column: Column): readonly Draft[] {
  const { after, changes } = context
  const isRetyped = changes.retyped.has(`${after.name}.${column.name}`)
  const isSame = old.type === column.type && old.collation === column.collation
  if ((isSame && !isRetyped) || (!column.local && follows(context))) return []
  const collation = column.collation === undefined ? '' : ` collate ${column.collation}`
  const name = quoteIdentifier(column.name)
  // The expression of a generated column gives its values.
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

function changeNotNull(
  context: Context,
  old: NotNull | undefined,
  notNull: NotNull | undefined,
  column: string,
): readonly Draft[] {
  if (notNull === undefined)
    return old === undefined || !old.local ? [] : [alter(context, column, 'drop not null')]
  if (!notNull.local && follows(context)) return []
  if (old === undefined) {
    if (!notNull.validated) return unvalidatedNotNull(context, notNull, column)
    const { name = ordinaryName(context, column) } = notNull
    const isOrdinary = name === ordinaryName(context, column)
    return isOrdinary && !notNull.noInherit
      ? [alter(context, column, 'set not null')]
      : [draft(`alter table ${context.table} add ${notNullText(notNull, column)}`)]
  }
  if (old.noInherit !== notNull.noInherit || (old.validated && !notNull.validated))
    return [
      alter(context, column, 'drop not null'),
      ...changeNotNull(context, undefined, notNull, column),
    ]
  const { name: oldName = ordinaryName(context, column) } = old
  const { name = oldName } = notNull
  return [
    ...(old.name === undefined || oldName === name
      ? []
      : [
          draft(
            `alter table ${context.table} rename constraint ${quoteIdentifier(oldName)} to ${quoteIdentifier(name)}`,
          ),
        ]),
    ...(old.validated === notNull.validated
      ? []
      : [draft(`alter table ${context.table} validate constraint ${quoteIdentifier(name)}`)]),
  ]
}

/** The name that Postgres gives a NOT NULL without one. */
function ordinaryName({ after }: Context, column: string): string {
  return `${after.name}_${column}_not_null`
}

function unvalidatedNotNull(
  { table }: Context,
  notNull: NotNull | undefined,
  column: string,
): readonly Draft[] {
  return notNull === undefined || notNull.validated
    ? []
    : [draft(`alter table ${table} add ${notNullText(notNull, column)} not valid`)]
}
