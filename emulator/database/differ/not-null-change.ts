// Statements that add, rename, validate and remove the NOT NULL of a column. Pure.
import type { NotNull } from '../catalog/relations.ts'
import { quoteIdentifier } from '../sql.ts'
import { notNullText } from '../template/ddl/create-relation.ts'
import { type Draft, draft } from './difference.ts'

/** The column of a table. */
export interface NotNullPlace {
  /** The table's name, and its qualified name. */
  readonly name: string
  readonly table: string
  readonly column: string
  /** Whether a parent table that stays declares the column, too. */
  readonly isInherited: boolean
}

export function changeNotNull(
  place: NotNullPlace,
  old: NotNull | undefined,
  notNull: NotNull | undefined,
): readonly Draft[] {
  const { column, table } = place
  if (notNull === undefined)
    return old === undefined || (!old.local && place.isInherited)
      ? []
      : [alter(place, 'drop not null')]
  if (!notNull.local && place.isInherited) return []
  if (old === undefined) {
    if (!notNull.validated) return unvalidatedNotNull(place, notNull)
    const { name = ordinaryName(place) } = notNull
    return name === ordinaryName(place) && !notNull.noInherit
      ? [alter(place, 'set not null')]
      : [draft(`alter table ${table} add ${notNullText(notNull, column)}`)]
  }
  if (old.noInherit !== notNull.noInherit || (old.validated && !notNull.validated))
    return [alter(place, 'drop not null'), ...changeNotNull(place, undefined, notNull)]
  const { name: oldName = ordinaryName(place) } = old
  const { name = oldName } = notNull
  return [
    ...(old.name === undefined || oldName === name
      ? []
      : [
          draft(
            `alter table ${table} rename constraint ${quoteIdentifier(oldName)} to ${quoteIdentifier(name)}`,
          ),
        ]),
    ...(old.validated === notNull.validated
      ? []
      : [draft(`alter table ${table} validate constraint ${quoteIdentifier(name)}`)]),
  ]
}

/** Adds a NOT NULL that existing rows need not satisfy (NOT VALID). */
export function unvalidatedNotNull(
  { column, table }: Pick<NotNullPlace, 'column' | 'table'>,
  notNull: NotNull | undefined,
): readonly Draft[] {
  return notNull === undefined || notNull.validated
    ? []
    : [draft(`alter table ${table} add ${notNullText(notNull, column)} not valid`)]
}

function alter({ column, table }: NotNullPlace, change: string): Draft {
  return draft(`alter table ${table} alter column ${quoteIdentifier(column)} ${change}`)
}

/** The name that Postgres gives a NOT NULL for which the statement states no name. */
function ordinaryName({ column, name }: NotNullPlace): string {
  return `${name}_${column}_not_null`
}
