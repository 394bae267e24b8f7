// What one round reads: everything that transactions have committed since the round before, in the order of their commits.
import { cellText, type StatementResult } from '../../engine.ts'
import type { CapturedRows } from '../../engine-changes.ts'
import { type Sql, sql } from '../../sql.ts'

type Rows = StatementResult['rows']

export interface OrderedCommit {
  readonly rows: CapturedRows | undefined
  readonly isSchemaChanged: boolean
  readonly requestId: string | undefined
}

const OUTBOX = sql`delete from platform.row_changes returning transaction, id, relation, kind, depth, row`
const NO_OUTBOX = sql`select null::xid8 as transaction, null::bigint as id, null::oid as relation,
    null::"char" as kind, null::integer as depth, null::text as row
  where false`

/**
 * The statement of a round. One snapshot reads all of it, so a round contains whole transactions.
 * @param hasOutbox whether the project has the table of captured rows
 * @param hasCommitTimes whether the server records when transactions commit (`track_commit_timestamp`)
 */
export function takeCommits(hasOutbox: boolean, hasCommitTimes: boolean): Sql {
  const time = hasCommitTimes
    ? sql`extract(epoch from pg_xact_commit_timestamp(transaction::xid))`
    : sql`null::numeric`
  return sql`with changed as (
  ${hasOutbox ? OUTBOX : NO_OUTBOX}
), told as (
  delete from platform.announcements returning transaction, id, is_schema_change, request_id
), parts as (
  select transaction, id, false as is_schema_change, null as request_id from changed
  union all select * from told
), commits as (
  select transaction, max(id) as last, bool_or(is_schema_change) as is_schema_change, max(request_id) as request_id
  from parts group by transaction
)
select transaction, last, null::oid, null::"char", null::integer, null::text, ${time}, is_schema_change, request_id
from commits
union all
select transaction, id, relation, kind, depth, row, null, null, null from changed`
}

interface Found extends OrderedCommit {
  readonly seconds: number
  readonly last: number
}

const TRANSACTION = 0
const RELATION = 2
const SECONDS = 6

/**
 * Orders the commits of a round by their time. A transaction that has seen or awaited another one commits later. Commits without
 * a time are ordered by their last announced change. A transaction that waited for another one also announced its last change
 * later.
 */
export function commitsOf(found: Rows): readonly OrderedCommit[] {
  const rows = new Map<string, (readonly (Uint8Array | null)[])[]>()
  for (const row of found) {
    if (row[RELATION] === null) continue
    const transaction = cellText(row[TRANSACTION]) ?? ''
    const cells = row.slice(TRANSACTION + 1, SECONDS)
    const known = rows.get(transaction)
    if (known === undefined) rows.set(transaction, [cells])
    else known.push(cells)
  }
  return found
    .filter((row) => row[RELATION] === null)
    .map((row) => commitOf(row, rows))
    .sort((one, other) => one.seconds - other.seconds || one.last - other.last)
}

function commitOf(row: Rows[number], rows: ReadonlyMap<string, CapturedRows>): Found {
  const [transaction, last, , , , , seconds, isSchemaChanged, requestId] = row.map(cellText)
  return {
    rows: rows.get(transaction ?? ''),
    isSchemaChanged: isSchemaChanged === 't',
    requestId,
    seconds: Number(seconds ?? 0),
    last: Number(last),
  }
}
