// Counts the rows of a table that identities read, before and after statements of the owner.
import type { DraftMatrix } from '../../../contract/policy-drafts.ts'
import { type Answer, cellText, SqlError } from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { EMPTY, type Sql, sql } from '../../../database/sql.ts'
import type { ResolvedIdentity } from '../../api-kit/identities.ts'
import { ROLES, type SecuredTable, tableOf } from '../../tables/table.ts'
import { questionsOf } from '../../visibility/ask-identities.ts'
import type { RehearseScripts } from '../../visibility/rehearse-scripts.ts'

export interface SeenCounts {
  /** The counts, in the order of the identities. */
  readonly sees: readonly DraftMatrix['identities'][number]['sees'][]
  /** Number of rows that the counts cover. */
  readonly counted: number
}

/** In a larger table, only the first pages with about this number of rows are counted. */
const MAX_COUNTED = 10_000

/** @param total number of rows of the table @throws {SqlError} as `RehearseScripts` */
export async function countSeen(
  reader: RowReader,
  rehearse: RehearseScripts,
  { identities }: { readonly identities: readonly ResolvedIdentity[] },
  table: SecuredTable,
  total: number,
): Promise<SeenCounts> {
  const { name: relation, schemaName } = table
  const { counted, where } = await countedPart(reader, table, total)
  const statement = sql`select pg_catalog.count(*) from ${tableOf(schemaName, table)} as t${where}`
  const groups = ROLES.map((role) => identities.filter(({ principal }) => principal.role === role))
  const asked = groups.flatMap((alike) => {
    const principals = alike.map(({ principal }) => principal)
    const [first] = principals
    return first === undefined
      ? []
      : [{ role: first.role, ...questionsOf(principals, { relation, statement }) }]
  })
  const { after, before } = await rehearse({ before: asked, after: asked })
  const order = groups.flat()
  return {
    counted,
    sees: identities.map((identity) => {
      const place = order.indexOf(identity)
      return { now: numberOf(before[place]), draft: numberOf(after[place]) }
    }),
  }
}

interface Part {
  readonly where: Sql
  readonly counted: number
}

// Limits the ctid, `(page,place)`, so that Postgres reads only the pages below the limit.
async function countedPart(reader: RowReader, table: SecuredTable, total: number): Promise<Part> {
  if (total <= MAX_COUNTED || table.kind !== 'table') return { where: EMPTY, counted: total }
  const name = tableOf(table.schemaName, table)
  const read = async (statement: Sql) => {
    const [result] = await reader.read(table.schemaName, [statement])
    return cellText(result?.rows[0]?.[0]) ?? ''
  }
  const last = await read(sql`select pg_catalog.max(t.ctid) from ${name} as t`)
  const pages = 1 + Number(/\d+/.exec(last)?.[0])
  const page = Math.max(1, Math.floor((pages * MAX_COUNTED) / total))
  const where = sql` where t.ctid < ${`(${page},0)`}::pg_catalog.tid`
  const counted = await read(sql`select pg_catalog.count(*) from ${name} as t${where}`)
  return { where, counted: Number(counted) }
}

function numberOf(answer: Answer | undefined): number | null {
  return answer === undefined || answer instanceof SqlError
    ? null
    : Number(cellText(answer[0]?.[0]))
}
