// Names the requests that made the differences between two states, from the history of row changes (docs/guide/history.md).
import type { ChangeMaker, SnapshotDiff } from '../../contract/snapshots.ts'
import type { SchemaName } from '../../core/names.ts'
import type { Engine } from '../../database/engine.ts'
import { type RecordedChange, readChanges } from '../../insight/history/read-history.ts'
import { keyOf, shownChange } from '../../insight/history/show-history.ts'
import type { Journal } from '../../insight/journal/journal.ts'
import { type HistoryMarks, isPast, markOf, presentMarks } from './history-marks.ts'

export interface ChangedByDeps {
  readonly engine: Pick<Engine, 'admin' | 'facts'>
  readonly journal: Pick<Journal, 'read'>
}

/** The two states, as marks; `null` for a snapshot without marks, `undefined` for the present state. */
export interface ComparedMarks {
  readonly before: HistoryMarks | null
  readonly after: HistoryMarks | null | undefined
}

type TenantDiff = SnapshotDiff['tenants'][number]
type TableDiff = TenantDiff['tables'][number]

/** Maximum number of entries of the history that are read for one tenant. */
const MOST_ENTRIES = 20_000
/** The last requests that one row names. */
const SHOWN = 5

/** @throws {SqlError} */
export async function nameRequests(
  deps: ChangedByDeps,
  diff: SnapshotDiff,
  marks: ComparedMarks,
): Promise<SnapshotDiff> {
  const tenants: TenantDiff[] = []
  for (const tenant of diff.tenants) tenants.push(await inTenant(deps, tenant, marks))
  return { ...diff, tenants }
}

async function inTenant(
  deps: ChangedByDeps,
  tenant: TenantDiff,
  marks: ComparedMarks,
): Promise<TenantDiff> {
  if (tenant.change !== 'changed' || tenant.tables.every(({ rows }) => rows.length === 0))
    return tenant
  const schemaName = tenant.schema_name as SchemaName
  const found = await changesBetween(deps, schemaName, marks)
  if (typeof found === 'string') return { ...tenant, history_gaps: [found] }
  const { changes, isComplete } = found
  const byRow = Map.groupBy(changes, (change) => rowName(change.table.name, keyOf(change)))
  const whole = Map.groupBy(
    changes.filter(({ kind }) => kind === 'TRUNCATE' || kind === 'DROP'),
    ({ table }) => table.name,
  )
  const makers = makersOf(deps.journal)
  const tables = tenant.tables.map((table) => ({
    ...table,
    rows: table.rows.map((row) => ({
      ...row,
      made_by: makers([
        ...(hasKey(row) ? (byRow.get(rowName(table.table, row.key)) ?? []) : []),
        ...(row.change === 'removed' ? (whole.get(table.table) ?? []) : []),
      ]),
    })),
  }))
  const gaps = [
    ...(isComplete ? [] : [`Only the last ${MOST_ENTRIES} recorded changes were read.`]),
    ...tables.flatMap(gapOf),
  ]
  return { ...tenant, tables, history_gaps: gaps }
}

const hasKey = ({ key }: TableDiff['rows'][number]): boolean => Object.keys(key).length > 0
const rowName = (table: string, key: Readonly<Record<string, string | null>>): string =>
  JSON.stringify([table, Object.entries(key)])

function gapOf({ rows, table }: TableDiff): readonly string[] {
  if (rows.every(({ made_by }) => made_by.length > 0)) return []
  if (table.startsWith('auth_')) return [`Changes of ${table} are not recorded.`]
  if (rows.every((row) => !hasKey(row)))
    return [`Rows of ${table} have no primary key, so no request is named.`]
  return [`The history has no change of some rows of ${table}.`]
}

async function changesBetween(
  { engine }: ChangedByDeps,
  schemaName: SchemaName,
  { after, before }: ComparedMarks,
): Promise<{ readonly changes: readonly RecordedChange[]; readonly isComplete: boolean } | string> {
  const present = after === undefined ? await presentMarks(engine, [schemaName]) : after
  const ends = [markOf(before, schemaName), markOf(present, schemaName)]
  const [one, other] = ends
  if (one === undefined || other === undefined)
    return 'The requests are not known, because a snapshot has no place in the history.'
  for (const mark of ends) {
    const place = mark === undefined ? 'unknown' : await isPast(engine, schemaName, mark)
    if (place === 'unknown')
      return 'The requests are not known, because the changes between the states are not all recorded.'
    if (place === 'other')
      return 'The requests are not known, because the present state did not come from both states.'
  }
  const [first, last] = [one.sequence, other.sequence].toSorted((a, b) => a - b)
  const read = await readChanges(engine, schemaName, {
    from: (first ?? 0) + 1,
    before: (last ?? 0) + 1,
    limit: MOST_ENTRIES,
  })
  const changes = read.filter(({ sequence }) => sequence > (first ?? 0) && sequence <= (last ?? 0))
  return { changes: changes.toReversed(), isComplete: read.length < MOST_ENTRIES / 2 }
}

/** Returns the function that lists who made some changes, the oldest first, one for each transaction. */
function makersOf(
  journal: Pick<Journal, 'read'>,
): (changes: readonly RecordedChange[]) => ChangeMaker[] {
  const known = new Map<string, Pick<ChangeMaker, 'method' | 'target'>>()
  const requestOf = (requestId: string | null): Pick<ChangeMaker, 'method' | 'target'> => {
    const found = requestId === null ? undefined : known.get(requestId)
    if (found !== undefined) return found
    const [entry] = requestId === null ? [] : journal.read({ requestId, limit: 1 })
    const request = { method: entry?.method ?? null, target: entry?.target ?? null }
    if (requestId !== null) known.set(requestId, request)
    return request
  }
  return (changes) => {
    const last = new Map(changes.map((change) => [change.transaction, change]))
    return [...last.values()].slice(-SHOWN).map((change) => {
      const { at, request_id, role, sequence, user_id } = shownChange(change)
      return { sequence, at, request_id, ...requestOf(request_id), role, user_id }
    })
  }
}
