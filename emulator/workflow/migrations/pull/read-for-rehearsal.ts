// Reads what a rehearsal of pending steps needs from a project that runs elsewhere. This is its structure, its ledger, and rows
// of the tables that matter to the steps. Sends only statements that read.
import { identifier, join, literal, sql, verbatim } from '../../../database/sql.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'
import type { Exec } from '../apply/fleet.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import { RemoteError } from '../remote/remote-error.ts'
import { compareSteps, pendingSteps } from '../steps/compare-steps.ts'
import type { Step } from '../steps/step.ts'
import { readingOnly, selectRows } from './owner-sql.ts'
import { planRows, type RowsPlan } from './plan-rows.ts'
import { readKeys } from './read-keys.ts'
import { type PulledRows, readRows } from './read-rows.ts'
import { readStructure } from './read-structure.ts'
import { USERS, usersIn } from './read-users.ts'
import { tablesOf, tablesToRead } from './tables-to-read.ts'

export interface ReadProject {
  readonly structure: SchemaStructure
  readonly ledger: Ledger
  readonly rows: readonly PulledRows[]
  /** Ids of the users that the rows refer to. */
  readonly users: readonly string[]
  /** Sentences about what was copied, and what the rehearsal therefore cannot see. */
  readonly notes: readonly string[]
}

export interface ReadingOrder {
  readonly steps: readonly Step[]
  readonly parser: SqlParser
  /** Maximum number of rows per table. */
  readonly rowLimit: number
}

/** Counting a table stops at this number of rows. */
const COUNTED_ROWS = 1_000_000

/** @throws {RemoteError | PullError} */
export async function readForRehearsal(
  exec: Exec,
  { parser, rowLimit, steps }: ReadingOrder,
): Promise<ReadProject> {
  const read = await readLedger(readingOnly(exec))
  if (read.kind === 'failed')
    throw new RemoteError(read.code, `The ledger cannot be read: ${read.message}`, { hint: '' })
  const { ledger } = read
  const { structure } = await readStructure(exec)
  const pending = pendingSteps(compareSteps(steps, ledger.applied, parser)).flatMap(
    ({ step }) => step?.sql ?? [],
  )
  if (pending.length === 0) return { structure, ledger, rows: [], users: [], notes: [] }
  const { schemaName } = structure
  const tables = tablesToRead(structure, pending)
  const keys = await readKeys(exec, schemaName)
  const complete = new Set([USERS])
  const plans = planRows(structure, keys, { tables, limit: rowLimit, masks: [], complete })
  const rows = await readRows(exec, schemaName, plans, rowLimit)
  const totals = await countRows(exec, structure, plans)
  const users = usersIn(rows, keys)
  const empty = tablesOf(structure).filter((name) => !tables.includes(name))
  return {
    structure,
    ledger,
    rows,
    users,
    notes: notesOf({ rows, totals, empty, users, cleared: clearedIn(plans) }),
  }
}

async function countRows(
  exec: Exec,
  { schemaName }: SchemaStructure,
  plans: readonly RowsPlan[],
): Promise<ReadonlyMap<string, number>> {
  if (plans.length === 0) return new Map()
  const counts = plans.map(
    ({ table: { name } }) =>
      sql`(select ${literal(name)}::text as name, count(*) as rows from (select from ${identifier(schemaName, name)} limit ${verbatim(String(COUNTED_ROWS))}) as t)`,
  )
  const found = await selectRows(exec, [
    sql`select * from (${join(counts, ' union all ')}) as t limit ${verbatim(String(plans.length))}`,
  ])
  return new Map(found.map(({ name, rows }) => [String(name), Number(rows)]))
}

function clearedIn(plans: readonly RowsPlan[]): readonly string[] {
  return plans.flatMap(({ cleared, table }) => [...cleared].map((name) => `${table.name}.${name}`))
}

interface Copied {
  readonly rows: readonly PulledRows[]
  readonly totals: ReadonlyMap<string, number>
  readonly empty: readonly string[]
  readonly users: readonly string[]
  readonly cleared: readonly string[]
}

function notesOf({ cleared, empty, rows, totals, users }: Copied): readonly string[] {
  const counted = rows.map(({ rows: { length }, table }) => ({
    table,
    length,
    total: totals.get(table) ?? length,
  }))
  const copied = counted.map(({ length, table, total }) =>
    length < total ? `${table} ${length} of ${total}` : `${table} ${length}`,
  )
  const isPart = counted.some(({ length, total }) => length < total)
  return [
    `Copied rows: ${copied.join(', ') || 'none'}.${empty.length === 0 ? '' : ` Other tables are empty: ${empty.join(', ')}.`}`,
    ...(isPart
      ? ['The steps can fail with rows that were not copied. --row-limit copies more.']
      : []),
    ...(cleared.length === 0 ? [] : [`${cleared.join(', ')} became NULL in the copy.`]),
    ...(users.length === 0
      ? []
      : ['Users were copied with their ids only, without addresses and metadata.']),
  ]
}
