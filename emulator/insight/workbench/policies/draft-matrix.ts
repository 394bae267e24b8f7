// Judges rows for identities with statements of the owner and without them (contract/policy-drafts.ts). The statements run in
// transactions that are rolled back. Each question runs them again, so that other requests wait for one short job at a time.
import type { DraftAnswer, DraftMatrix } from '../../../contract/policy-drafts.ts'
import { attempt, delegate, type Engine, SqlError } from '../../../database/engine.ts'
import type { EngineRehearsals } from '../../../database/rehearsal.ts'
import { tenantScript } from '../../../database/sql.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { judgeCells, type MatrixOrder, requireJudged } from '../../explain/rows/explain-matrix.ts'
import type { ExplainDeps } from '../../explain/rows/explain-rows.ts'
import { readRows, type StoredRows } from '../../explain/rows/stored-rows.ts'
import { tableQuestion } from '../../explain/suggested-fixes/measure-effect.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { type RehearseScripts, scriptRehearsal } from '../../visibility/rehearse-scripts.ts'
import { prepareScript } from '../sql/prepare-script.ts'
import { failureOf } from '../sql/run-sql.ts'
import { countSeen, type SeenCounts } from './count-seen.ts'

export interface DraftDeps {
  readonly explain: ExplainDeps
  readonly rehearsals: EngineRehearsals
}

export interface DraftOrder extends MatrixOrder {
  readonly sql: string
  /** Aborting cancels the statements. */
  readonly signal: AbortSignal
}

/** Limit of one job, in wall-clock milliseconds. An editor asks while the user types. */
const TIMEOUT_MILLIS = 5_000

/** @throws {InspectorError} as `explainMatrix`; {SqlError} when the engine did not begin the work */
export async function draftMatrix(deps: DraftDeps, order: DraftOrder): Promise<DraftAnswer> {
  const { explain } = deps
  const startedAt = explain.wallClock.now()
  const script = prepareScript(await loadSqlParser(), order.sql, order.schemaName)
  if (script.kind === 'refused') return { matrix: null, error: script.failure }
  const table = await requireJudged(explain, order)
  const stored = await readRows(explain.reader, table, order.selection)
  const rehearse = draftRehearsal(deps.rehearsals, order, script.text)
  const matrix = await attempt(() => compare(explain, order, { table, stored, rehearse }))
  return matrix instanceof SqlError
    ? { matrix: null, error: failureOf(matrix, script) }
    : { matrix: { ...matrix, duration_ms: explain.wallClock.now() - startedAt }, error: null }
}

interface Drafted {
  readonly table: SecuredTable
  readonly stored: StoredRows
  readonly rehearse: RehearseScripts
}

/** @throws {SqlError} of the statements */
async function compare(
  explain: ExplainDeps,
  order: DraftOrder,
  { rehearse, stored, table }: Drafted,
): Promise<Omit<DraftMatrix, 'duration_ms'>> {
  const { question, decode } = tableQuestion(order.schemaName, order.relation)
  const { after } = await rehearse({ before: [], after: [question] })
  const changed = decode(after[0]) ?? table
  const texts = stored.rows.map(({ text }) => text)
  const now = await judgeCells(explain, order, table, texts)
  const engine = draftedEngine(explain.engine, rehearse)
  const draft = await judgeCells({ ...explain, engine }, order, changed, texts)
  const counts = await attempt(() =>
    countSeen(explain.reader, rehearse, order, table, stored.total),
  )
  return {
    identities: order.identities.map(({ identity }, index) => ({
      ...identity,
      sees: seenBy(counts, index),
    })),
    rows: stored.rows.map(({ key, cells: row }, index) => ({
      key,
      row,
      cells: (draft[index] ?? []).map((cell, place) => ({
        ...cell,
        now: now[index]?.[place] ?? cell,
      })),
    })),
    total: stored.total,
    counted: counts instanceof SqlError ? null : counts.counted,
  }
}

function seenBy(counts: SeenCounts | SqlError, index: number): SeenCounts['sees'][number] {
  const sees = counts instanceof SqlError ? undefined : counts.sees[index]
  return sees ?? { now: null, draft: null }
}

/** Fails when one of the statements fails. */
function draftRehearsal(
  engine: EngineRehearsals,
  { schemaName, signal }: DraftOrder,
  text: string,
): RehearseScripts {
  const rehearse = scriptRehearsal(engine, schemaName, [tenantScript(text)], {
    onJob: () => {},
    signal,
    timeoutMillis: TIMEOUT_MILLIS,
  })
  return async (questions) => {
    const result = await rehearse(questions)
    const error = result.scripts.at(-1)?.error
    if (error !== undefined) throw error
    return result
  }
}

/** An engine whose questions find the tenant as the statements leave it. */
function draftedEngine(engine: Engine, rehearse: RehearseScripts): Engine {
  return {
    ...delegate(engine),
    run: (work) => engine.run(work),
    connect: (login) => engine.connect(login),
    ask: async ({ actor, questions, settings, statement }) => {
      const after = [{ role: actor.role, settings, statement, questions }]
      return (await rehearse({ before: [], after })).after
    },
  }
}
