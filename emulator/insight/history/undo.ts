// Undoes recorded changes. Finds what they changed and which later changes prevent the undo. Tries the statements in a transaction
// that is rolled back, and carries them out when asked.
import type { Undo, UndoConflict, UndoneRow } from '../../contract/history.ts'
import { ownerRoleOf, type SchemaName } from '../../core/names.ts'
import { searchPathOf } from '../../database/as-principal.ts'
import { type Engine, SqlError, type TenantWork } from '../../database/engine.ts'
import type { EngineRehearsals } from '../../database/rehearsal.ts'
import { PLAIN_FORMATS } from '../../database/row-reader.ts'
import { type Sql, script, tenantScript } from '../../database/sql.ts'
import { InspectorError } from '../api-kit/errors.ts'
import {
  type CountedRow,
  type NetEffect,
  netEffects,
  type PresentTable,
  versionsOf,
} from './net-effect.ts'
import { type PastDeps, sequenceOf } from './past-instant.ts'
import { presentTables } from './present-tables.ts'
import { type RecordedChange, readChanges } from './read-history.ts'
import { shownChange } from './show-history.ts'
import { gapsOf, isOfPlatform } from './take-back.ts'
import { type UndoOrder, undoScript } from './undo-script.ts'

export interface UndoDeps extends PastDeps {
  readonly engine: Pick<Engine, 'admin' | 'run'>
  readonly rehearsals: EngineRehearsals
}

/** What to undo: the changes of one request or transaction, or all changes since an instant. */
export interface UndoTarget {
  readonly requestId?: string | undefined
  readonly transaction?: string | undefined
  readonly since?: string | undefined
}

export interface UndoOrderOf {
  readonly schemaName: SchemaName
  readonly target: UndoTarget
  readonly applies: boolean
  /** The id of the request that asks. The changes of the undo carry this id. */
  readonly requestId: string
  readonly signal: AbortSignal
}

const MOST_CHANGES = 50_000
const TIMEOUT_MILLIS = 30_000
const SHOWN_ROWS = 200
const ORDERS: readonly UndoOrder[] = ['deletions', 'insertions']

/** @throws {InspectorError} `invalid_request` when there is nothing to undo */
export async function undo(deps: UndoDeps, order: UndoOrderOf): Promise<Undo> {
  const { schemaName, target } = order
  const { later, notes, own } = await changesOf(deps, schemaName, target)
  const present = await presentTables(deps.engine, schemaName)
  const effects = netEffects(versionsOf(own.toReversed()), present).filter(
    ({ added, removed }) => added.length + removed.length > 0,
  )
  const conflicts = [
    ...gapConflicts(own, present),
    ...effects.flatMap((effect) => laterConflicts(effect, later)),
  ]
  // The oldest change first.
  const rows = effects.flatMap(undoneRows)
  const answer = {
    changes: changesWithEffect(own, effects, present),
    rows: rows.slice(0, SHOWN_ROWS),
    rows_left_out: Math.max(0, rows.length - SHOWN_ROWS),
    notes,
  }
  if (conflicts.length > 0)
    return { ...answer, is_possible: false, is_applied: false, conflicts, sql: '' }
  if (effects.length === 0)
    return { ...answer, is_possible: true, is_applied: order.applies, conflicts, sql: '' }
  const tried = await tryScripts(deps, order, effects, present)
  if (tried instanceof SqlError)
    return {
      ...answer,
      is_possible: false,
      is_applied: false,
      conflicts: [refusal(tried)],
      sql: '',
    }
  const sql = script(tried).text
  if (!order.applies) return { ...answer, is_possible: true, is_applied: false, conflicts, sql }
  await deps.engine.run(ownerWork(order, sql))
  return { ...answer, is_possible: true, is_applied: true, conflicts, sql }
}

interface ChangesToUndo {
  readonly own: readonly RecordedChange[]
  readonly later: readonly RecordedChange[]
  readonly notes: readonly string[]
}

async function changesOf(
  deps: UndoDeps,
  schemaName: SchemaName,
  { requestId, since, transaction }: UndoTarget,
): Promise<ChangesToUndo> {
  const named = since ?? requestId ?? transaction ?? ''
  const from =
    since !== undefined
      ? await sequenceOf(deps, schemaName, since)
      : await firstOf(deps, schemaName, { requestId, transaction })
  const read = await readChanges(deps.engine, schemaName, { from, limit: MOST_CHANGES + 1 })
  if (read.length > MOST_CHANGES)
    throw new InspectorError(
      'invalid_request',
      `More than ${MOST_CHANGES} changes happened since ${named}.`,
    )
  const isOwn = (change: RecordedChange): boolean =>
    change.sequence >= from &&
    (since !== undefined ||
      ((requestId === undefined || change.requestId === requestId) &&
        (transaction === undefined || change.transaction === transaction)))
  const chosen = read.filter(isOwn)
  const own = chosen.filter(({ table }) => !isOfPlatform(table))
  const left = new Set(chosen.flatMap(({ table }) => (isOfPlatform(table) ? [table.name] : [])))
  const notes =
    left.size === 0
      ? []
      : [`Changes of ${[...left].sort().join(', ')} are not undone: the platform keeps its users.`]
  if (own.length === 0)
    throw new InspectorError(
      'invalid_request',
      notes[0] ?? `No recorded change of this project belongs to ${named}.`,
      { hint: 'List the changes with "tenantry history".' },
    )
  return {
    own,
    later: read.filter((change) => change.sequence >= from && !isOwn(change)),
    notes,
  }
}

async function firstOf(
  { engine }: UndoDeps,
  schemaName: SchemaName,
  filter: Pick<UndoTarget, 'requestId' | 'transaction'>,
): Promise<number> {
  const found = await readChanges(engine, schemaName, { ...filter, limit: MOST_CHANGES })
  const matching = found.filter(
    ({ requestId, transaction }) =>
      (filter.requestId === undefined || requestId === filter.requestId) &&
      (filter.transaction === undefined || transaction === filter.transaction),
  )
  return matching.at(-1)?.sequence ?? Number.MAX_SAFE_INTEGER
}

function gapConflicts(
  own: readonly RecordedChange[],
  present: ReadonlyMap<number, PresentTable>,
): readonly UndoConflict[] {
  const byMessage = new Map<string, UndoConflict>()
  for (const change of own)
    for (const message of gapsOf(change, present))
      byMessage.set(message, conflictOf(change, message))
  return [...byMessage.values()]
}

/** Counts the changes that the undo takes back. Leaves out updates to equal values, and changes that cancel each other out. */
function changesWithEffect(
  own: readonly RecordedChange[],
  effects: readonly NetEffect[],
  present: ReadonlyMap<number, PresentTable>,
): number {
  const rowsOf = new Map(effects.map((effect) => [effect.table.relation, namesOfRows(effect)]))
  const hasEffect = (change: RecordedChange): boolean => {
    if (gapsOf(change, present).length > 0) return true
    if (JSON.stringify(change.before) === JSON.stringify(change.after)) return false
    const { relation } = change.table
    const [rows, table] = [rowsOf.get(relation), present.get(relation)]
    if (rows === undefined || table === undefined) return false
    // Without a key, the versions of a row do not belong together.
    return table.key.length === 0 || namesIn(change, table).some((name) => rows.has(name))
  }
  return own.filter(hasEffect).length
}

/** Later changes of the same rows, one for each row. */
function laterConflicts(
  effect: NetEffect,
  later: readonly RecordedChange[],
): readonly UndoConflict[] {
  const { table } = effect
  const rows = namesOfRows(effect)
  const conflicts = new Map<string, UndoConflict>()
  for (const change of later) {
    if (change.table.relation !== table.relation) continue
    for (const name of namesIn(change, table))
      if (rows.has(name))
        conflicts.set(
          name,
          conflictOf(change, `A later change concerns the same row of ${table.name}.`),
        )
  }
  return [...conflicts.values()]
}

function namesOfRows({ added, removed, table }: NetEffect): ReadonlySet<string> {
  return new Set([...added, ...removed].map(({ cells }) => nameOf(table, cells)))
}

/** Names the row before and after the change. */
function namesIn({ after, before, table }: RecordedChange, present: PresentTable) {
  return [before, after].flatMap((cells) => {
    if (cells === undefined) return []
    const named = table.columns.map(({ name }, index) => [name, cells[index] ?? null] as const)
    return [nameOf(present, new Map(named))]
  })
}

/** Names a row by its key, or by all cells when the table has no key. */
function nameOf({ key }: PresentTable, cells: CountedRow['cells']): string {
  return JSON.stringify(key.length > 0 ? key.map((name) => cells.get(name)) : [...cells.values()])
}

function conflictOf(change: RecordedChange, message: string): UndoConflict {
  const { key, request_id, sequence, table } = shownChange(change)
  return { message, table, key, request_id, sequence }
}

function refusal(error: SqlError): UndoConflict {
  return {
    message: `Postgres refuses the undo: ${error.message}.${error.details === undefined ? '' : ` ${error.details}`}`,
    table: error.facts.table ?? null,
    key: {},
    request_id: null,
    sequence: null,
  }
}

function undoneRows({ added, removed, table }: NetEffect): readonly UndoneRow[] {
  const keyed = (row: CountedRow) => JSON.stringify(table.key.map((name) => row.cells.get(name)))
  const hasKey = table.key.length > 0
  const nowByKey = new Map(hasKey ? added.map((row) => [keyed(row), row]) : [])
  const restored = removed.map((row): UndoneRow => {
    const now = hasKey ? nowByKey.get(keyed(row)) : undefined
    if (now !== undefined) nowByKey.delete(keyed(row))
    return rowOf(table, now, row)
  })
  const rest = hasKey ? [...nowByKey.values()] : added
  return [...restored, ...rest.map((row) => rowOf(table, row, undefined))]
}

function rowOf(
  table: PresentTable,
  now: CountedRow | undefined,
  before: CountedRow | undefined,
): UndoneRow {
  const cells = (now ?? before)?.cells ?? new Map<string, string | null>()
  const names = table.columns.map(({ name }) => name).filter((name) => cells.has(name))
  const isPart = (name: string) => table.key.length === 0 || table.key.includes(name)
  return {
    table: table.name,
    action: before === undefined ? 'DELETE' : now === undefined ? 'INSERT' : 'UPDATE',
    key: Object.fromEntries(names.filter(isPart).map((name) => [name, cells.get(name) ?? null])),
    columns: Object.fromEntries(
      names
        .map(
          (name) =>
            [name, [now?.cells.get(name) ?? null, before?.cells.get(name) ?? null]] as const,
        )
        .filter(([, [from, to]]) => from !== to),
    ),
  }
}

async function tryScripts(
  { rehearsals }: UndoDeps,
  { schemaName, signal }: UndoOrderOf,
  effects: readonly NetEffect[],
  present: ReadonlyMap<number, PresentTable>,
): Promise<readonly Sql[] | SqlError> {
  let refused = new SqlError('XX000', 'no order of the statements was tried')
  for (const order of ORDERS) {
    const statements = undoScript(schemaName, effects, present, order)
    const { scripts } = await rehearsals.rehearse({
      actor: { schemaName, role: ownerRoleOf(schemaName) },
      settings: settingsOf(schemaName),
      scripts: [tenantScript(script(statements).text)],
      before: [],
      after: [],
      maxResultBytes: 1 << 20,
      timeoutMillis: TIMEOUT_MILLIS,
      signal,
    })
    const error = scripts.at(-1)?.error
    if (error === undefined) return statements
    refused = error
  }
  return refused
}

const settingsOf = (schemaName: SchemaName) => ({
  search_path: searchPathOf(schemaName),
  ...PLAIN_FORMATS,
})

function ownerWork({ requestId, schemaName, signal }: UndoOrderOf, sql: string): TenantWork {
  return {
    actor: { schemaName, role: ownerRoleOf(schemaName) },
    settings: settingsOf(schemaName),
    mode: 'readWrite',
    statements: tenantScript(sql),
    end: 'commit',
    timeoutMillis: TIMEOUT_MILLIS,
    requestId,
    signal,
  }
}
