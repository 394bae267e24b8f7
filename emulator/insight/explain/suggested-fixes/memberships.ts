// Lists conditions that follow foreign keys from a row to the user. Either the row's parent contains the user's id, or a table of
// members links the user to the row or to its parent. fix-search.ts evaluates each condition before suggesting it. Pure.

import type { ForeignKey } from '../../../contract/tables.ts'
import { quoteIdentifier } from '../../../database/sql.ts'
import { USERS_TABLE } from '../../../database/tenant-schema/auth-table-columns.ts'
import type { Table } from '../../tables/table.ts'
import { userColumns } from '../../tables/user-columns.ts'
import type { Condition } from './conditions.ts'

/** A condition on `table`, whose rows contain users' ids. */
export interface Membership extends Condition {
  readonly table: string
}

/** Names of the tables that `memberships` needs for a table, nearest first. */
export function relatedNames({ foreignKeys, name, referencedBy }: Table): readonly string[] {
  const parents = foreignKeys.map((key) => key.target_table)
  const members = referencedBy.map(({ table }) => table)
  return [...new Set([...parents, ...members])].filter((one) => one !== name && one !== USERS_TABLE)
}

/** Names of the tables that share a parent with the table. */
export function siblingNames({ name }: Table, parents: readonly Table[]): readonly string[] {
  const names = parents.flatMap(({ referencedBy }) => referencedBy.map(({ table }) => table))
  return [...new Set(names)].filter((one) => one !== name)
}

/** @param related the tables whose names `relatedNames` and `siblingNames` return */
export function memberships(table: Table, related: readonly Table[]): readonly Membership[] {
  const known = new Map(related.map((one) => [one.name, one]))
  const own = table.foreignKeys.filter((key) => key.target_table !== table.name)
  const parents = own.flatMap((key) => through(table, known.get(key.target_table), pairsOf(key)))
  const members = table.referencedBy.flatMap((key) =>
    key.table === table.name ? [] : through(table, known.get(key.table), reversed(pairsOf(key))),
  )
  const siblings = own.flatMap((key) =>
    (known.get(key.target_table)?.referencedBy ?? []).flatMap((other) =>
      other.table === table.name ? [] : through(table, known.get(other.table), joined(key, other)),
    ),
  )
  return [...parents, ...members, ...siblings]
}

/** A column of the table, and the column of the related table that has the same value. */
type Pair = readonly [own: string, theirs: string]

function through(
  table: Table,
  other: Table | undefined,
  pairs: readonly Pair[],
): readonly Membership[] {
  if (other === undefined || other.isClosed || pairs.length === 0) return []
  const links = pairs.map(
    ([own, theirs]) =>
      `linked.${quoteIdentifier(theirs)} = ${quoteIdentifier(table.name)}.${quoteIdentifier(own)}`,
  )
  return userColumns(other)
    .filter(({ name }) => !pairs.some(([, theirs]) => theirs === name))
    .map(({ name }) => ({
      table: other.name,
      text: `exists (select from ${quoteIdentifier(other.name)} as linked where ${[...links, `linked.${quoteIdentifier(name)} = auth.uid()`].join(' and ')})`,
      words: `whose ${pairs.map(([own]) => own).join(' and ')} leads to a row of ${other.name} with the user in ${name}`,
    }))
}

function pairsOf({ columns, target_columns: targets }: ForeignKey): readonly Pair[] {
  return columns.flatMap((own, index) => {
    const theirs = targets[index]
    return theirs === undefined ? [] : [[own, theirs] as const]
  })
}

function reversed(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.map(([own, theirs]) => [theirs, own])
}

/** Pairs of two foreign keys to the same columns of one parent. */
function joined(own: ForeignKey, other: ForeignKey): readonly Pair[] {
  const theirs = new Map(reversed(pairsOf(other)))
  const pairs = pairsOf(own).flatMap(([column, target]) => {
    const found = theirs.get(target)
    return found === undefined ? [] : [[column, found] as const]
  })
  return pairs.length === own.columns.length ? pairs : []
}
