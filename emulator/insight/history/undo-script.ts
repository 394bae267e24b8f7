// Writes the owner's script that undoes recorded changes for good: an ordinary, recorded change. Foreign keys stay, so the order of
// the statements matters. Triggers of the project do not react, because they would change rows once more. Pure.
import { identifier, join, literal, type Sql, sql, verbatim } from '../../database/sql.ts'
import type { CountedRow, NetEffect, PresentColumn, PresentTable } from './net-effect.ts'
import { cast, deletions, inParts, insertions, pastRows } from './take-back.ts'

/** Which statements come first. Unique values need `deletions`, and changed keys need `insertions`. */
export type UndoOrder = 'deletions' | 'insertions'

export function undoScript(
  schemaName: string,
  effects: readonly NetEffect[],
  present: ReadonlyMap<number, PresentTable>,
  order: UndoOrder,
): readonly Sql[] {
  const parentsFirst = sortByReferences(effects.map(splitUpdates))
  const inserting = parentsFirst.flatMap(({ rest }) => insertions(schemaName, rest))
  const updating = parentsFirst.flatMap((one) => updates(schemaName, one))
  const deleting = parentsFirst
    .toReversed()
    .flatMap(({ rest }) => [...guards(schemaName, rest, present), ...deletions(schemaName, rest)])
  const steps =
    order === 'deletions'
      ? [...deleting, ...updating, ...inserting]
      : [...inserting, ...updating, ...deleting]
  const toggled = (word: 'disable' | 'enable') =>
    effects.flatMap(({ table }) =>
      table.triggers.map(
        (name) =>
          sql`alter table ${identifier(schemaName, table.name)} ${verbatim(word)} trigger ${identifier(name)}`,
      ),
    )
  return [sql`set constraints all deferred`, ...toggled('disable'), ...steps, ...toggled('enable')]
}

interface Split {
  /** Rows whose key stays: as they are and as they were. */
  readonly updated: readonly { readonly now: CountedRow; readonly before: CountedRow }[]
  readonly rest: NetEffect
}

function splitUpdates(effect: NetEffect): Split {
  const { added, removed, table } = effect
  if (table.key.length === 0) return { updated: [], rest: effect }
  const keyOf = ({ cells }: CountedRow) => JSON.stringify(table.key.map((name) => cells.get(name)))
  const nowByKey = new Map(added.map((row) => [keyOf(row), row]))
  const updated = removed.flatMap((before) => {
    const now = nowByKey.get(keyOf(before))
    return now === undefined ? [] : [{ now, before }]
  })
  const keys = new Set(updated.map(({ now }) => keyOf(now)))
  const isOther = (row: CountedRow) => !keys.has(keyOf(row))
  return {
    updated,
    rest: { ...effect, added: added.filter(isOther), removed: removed.filter(isOther) },
  }
}

function updates(schemaName: string, { updated, rest }: Split): readonly Sql[] {
  const { shared, table } = rest
  const key = shared.filter(({ name }) => table.key.includes(name))
  const changed = shared.filter(
    ({ name, written }) =>
      written && updated.some(({ before, now }) => before.cells.get(name) !== now.cells.get(name)),
  )
  if (changed.length === 0) return []
  const columns = [...key, ...changed]
  return inParts(updated.map(({ before }) => before)).map(
    (rows) => sql`update ${identifier(schemaName, table.name)} as present
set ${join(changed.map((column, index) => sql`${identifier(column.name)} = ${cast(key.length + index, column)}`))}
from ${pastRows(rows, columns)}
where ${equalKeys(key)}`,
  )
}

function equalKeys(key: readonly PresentColumn[]): Sql {
  return join(
    key.map((column, index) => sql`present.${identifier(column.name)} = ${cast(index, column)}`),
    ' and ',
  )
}

// A foreign key with an action would delete or change rows that refer to a deleted row, and that the undo does not name.
function guards(
  schemaName: string,
  { added, shared, table }: NetEffect,
  present: ReadonlyMap<number, PresentTable>,
): readonly Sql[] {
  if (added.length === 0) return []
  return [...present.values()].flatMap((child) =>
    child.foreignKeys
      .filter(({ acts, target }) => acts && target === table.relation)
      .flatMap(({ columns, targetColumns }) => {
        const referred = targetColumns.flatMap(
          (name) => shared.find((column) => column.name === name) ?? [],
        )
        if (referred.length < targetColumns.length) return []
        const isReferred = join(
          referred.map(
            (column, index) =>
              sql`child.${identifier(columns[index] ?? '')} = ${cast(index, column)}`,
          ),
          ' and ',
        )
        return inParts(added).map(
          (rows) => sql`do $guard$ begin
  if exists (select from ${identifier(schemaName, child.name)} as child, ${pastRows(rows, referred)}
    where ${isReferred}) then
    raise exception using errcode = '23503', message = ${literal(`rows of ${child.name} refer to rows of ${table.name} that the undo would delete`)};
  end if;
end $guard$`,
        )
      }),
  )
}

function sortByReferences(all: readonly Split[]): readonly Split[] {
  const byRelation = new Map(all.map((one) => [one.rest.table.relation, one]))
  const sorted: Split[] = []
  const visited = new Set<number>()
  const visit = (one: Split): void => {
    const { foreignKeys, relation } = one.rest.table
    if (visited.has(relation)) return
    visited.add(relation)
    for (const { target } of foreignKeys) {
      const parent = byRelation.get(target)
      if (parent !== undefined) visit(parent)
    }
    sorted.push(one)
  }
  for (const one of all) visit(one)
  return sorted
}
