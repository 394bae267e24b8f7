// Evaluates the policies of a table one by one on the committed row. When one policy reads another table, Postgres refuses the
// combined query. Evaluated alone, that policy counts as false and the other policies still apply
// (docs/wire/realtime.md#changes).

import type {
  RowChange,
  WatchedPolicy,
  WatchedTable,
} from '../../../../database/changes/row-change.ts'
import type { Engine } from '../../../../database/engine.ts'
import {
  identifier,
  join,
  type Sql,
  type SqlParam,
  sql,
  verbatim,
} from '../../../../database/sql.ts'
import { askLookups, chunksOf, type Lookup, type RowAnswers } from './read-as-identity.ts'
import type { Identity } from './verdict.ts'

const ROWS_PER_QUESTION = 50
// A column alias that no column of a table is likely to have.
const PLACE = identifier('the place of this row in the question of realtime')

/** Returns for each identity the changes whose row its policies let it read. All identities must have the same role. */
export async function countPolicies(
  engine: Engine,
  table: WatchedTable,
  policies: readonly WatchedPolicy[],
  changes: readonly RowChange[],
  identities: readonly Identity[],
): Promise<ReadonlyMap<Identity, ReadonlySet<RowChange>>> {
  const answered: { readonly isPermissive: boolean; readonly answers: RowAnswers }[] = []
  for (const { using, isPermissive } of policies)
    if (using !== undefined) {
      const lookups = chunksOf(changes, ROWS_PER_QUESTION).map((chunk) =>
        lookupOf(table, using, chunk),
      )
      const answers = await askLookups(engine, table, lookups, identities)
      answered.push({ isPermissive, answers })
    }
  const seenBy = (identity: Identity, answers: RowAnswers, change: RowChange): boolean => {
    const answer = answers.get(identity)
    return answer?.kind === 'rows' && answer.seen.has(change)
  }
  const maySee = (identity: Identity, change: RowChange): boolean =>
    answered.some((each) => each.isPermissive && seenBy(identity, each.answers, change)) &&
    answered.every((each) => each.isPermissive || seenBy(identity, each.answers, change))
  return new Map(
    identities.map((identity) => [
      identity,
      new Set(changes.filter((change) => maySee(identity, change))),
    ]),
  )
}

// The alias of the values is the table's name, because the policy's expression can refer to columns by the table's name.
function lookupOf(table: WatchedTable, using: string, changes: readonly RowChange[]): Lookup {
  const { columns } = table
  const params: SqlParam[] = []
  const rows = changes.map((change, index): Sql => {
    const cells = columns.map(({ sqlType }, column) => {
      const text = change.row?.texts[column] ?? null
      params.push(text)
      return sql`${text}::${verbatim(sqlType)}`
    })
    return sql`(${join([verbatim(String(index + 1)), ...cells])})`
  })
  const names = columns.map(({ name }) => identifier(name))
  const statement = sql`select ${PLACE}
from (values ${join(rows)}) as ${identifier(table.name)} (${join([PLACE, ...names])})
where ${verbatim(using)}`
  return { statement, params, changes: changes.map((change) => [change]) }
}
