// Judges rows for identities, with and without statements of the owner (contract/policy-drafts.ts). The statements run in
// transactions that are rolled back. Each question runs the statements again, so that other requests wait for one short job at a
// time.
import type { DraftAnswer, DraftMatrix } from '../../../contract/policy-drafts.ts'
import { attempt, SqlError } from '../../../database/engine.ts'
import type { EngineRehearsals } from '../../../database/rehearsal.ts'
import { tenantScript } from '../../../database/sql.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import type { ResolvedIdentity } from '../../api-kit/identities.ts'
import { METHODS, timeLeft } from '../../explain/rows/evaluate.ts'
import { judgeCells, type MatrixOrder, requireJudged } from '../../explain/rows/explain-matrix.ts'
import type { ExplainDeps } from '../../explain/rows/explain-rows.ts'
import { makeNewRows, type NewRow } from '../../explain/rows/make-new-rows.ts'
import { readRows, type StoredRows, storedRow } from '../../explain/rows/stored-rows.ts'
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
  /** The row that an INSERT would add. */
  readonly newRow?: NewRow
  readonly sql: string
  /** Aborting cancels the statements. */
  readonly signal: AbortSignal
}

/** Limit of one job, in wall-clock milliseconds. The limit is short, because the editor sends a request while the user types. */
const TIMEOUT_MILLIS = 5_000

/** @throws {InspectorError} as `explainMatrix`; {SqlError} when the engine did not begin the work */
export async function draftMatrix(deps: DraftDeps, order: DraftOrder): Promise<DraftAnswer> {
  const { explain } = deps
  const startedAt = explain.wallClock.now()
  const script = prepareScript(await loadSqlParser(), order.sql, order.schemaName)
  if (script.kind === 'refused') return { matrix: null, error: script.failure }
  const table = await requireJudged(explain, order)
  const judged = await judgedRows(explain, order, table)
  const rehearse = draftRehearsal(deps.rehearsals, order, script.text)
  const matrix = await attempt(() => compare(explain, order, { table, judged, rehearse }))
  return matrix instanceof SqlError
    ? { matrix: null, error: failureOf(matrix, script) }
    : { matrix: { ...matrix, duration_ms: explain.wallClock.now() - startedAt }, error: null }
}

interface JudgedRows extends StoredRows {
  /** Judges the rows by the policies of a table. Returns the cells of each row. */
  readonly judge: (
    explain: ExplainDeps,
    table: SecuredTable,
  ) => Promise<Awaited<ReturnType<typeof judgeCells>>>
}

/** Returns the rows to judge: rows of the table or, for an INSERT, the new row. @throws {InspectorError} `invalid_request` */
async function judgedRows(
  explain: ExplainDeps,
  order: DraftOrder,
  table: SecuredTable,
): Promise<JudgedRows> {
  const { command, identities, newRow } = order
  const stored = await readRows(explain.reader, table, order.selection)
  if (command !== 'insert') {
    const texts = stored.rows.map(({ text }) => text)
    return { ...stored, judge: (by, state) => judgeCells(by, order, state, texts) }
  }
  if (newRow === undefined)
    throw new InspectorError('invalid_request', 'An INSERT needs `new_row`, the row to insert.')
  const texts = await newRowTexts(explain, identities, table, newRow)
  const shown = texts.find((text) => typeof text === 'string') ?? '()'
  return {
    total: stored.total,
    rows: [{ ...storedRow(table, shown), key: {} }],
    judge: async (by, state) => [await judgeInsert(by, order, state, { newRow, texts })],
  }
}

interface Drafted {
  readonly table: SecuredTable
  readonly judged: JudgedRows
  readonly rehearse: RehearseScripts
}

/** @throws {SqlError} of the statements */
async function compare(
  explain: ExplainDeps,
  order: DraftOrder,
  { judged, rehearse, table }: Drafted,
): Promise<Omit<DraftMatrix, 'duration_ms'>> {
  const { question, decode } = tableQuestion(order.schemaName, order.relation)
  const { after } = await rehearse({ before: [], after: [question] })
  const changed = decode(after[0]) ?? table
  const now = await judged.judge(explain, table)
  const engine = draftedEngine(explain.engine, rehearse)
  const draft = await judged.judge({ ...explain, engine }, changed)
  const counts = await attempt(() =>
    countSeen(explain.reader, rehearse, order, table, judged.total),
  )
  return {
    identities: order.identities.map(({ identity }, index) => ({
      ...identity,
      sees: seenBy(counts, index),
    })),
    rows: judged.rows.map(({ key, cells: row }, index) => ({
      key,
      row,
      cells: (draft[index] ?? []).map((cell, place) => ({
        ...cell,
        now: now[index]?.[place] ?? cell,
      })),
    })),
    total: judged.total,
    counted: counts instanceof SqlError ? null : counts.counted,
  }
}

function seenBy(counts: SeenCounts | SqlError, index: number): SeenCounts['sees'][number] {
  const sees = counts instanceof SqlError ? undefined : counts.sees[index]
  return sees ?? { now: null, draft: null }
}

/** Runs the statements before each question. The rehearsal fails when one of the statements fails. */
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

/** Returns an engine whose questions read the state that the tenant has after the statements. */
function draftedEngine(
  engine: ExplainDeps['engine'],
  rehearse: RehearseScripts,
): ExplainDeps['engine'] {
  return {
    run: (work) => engine.run(work),
    ask: async ({ actor, questions, settings, statement }) => {
      const after = [{ role: actor.role, settings, statement, questions }]
      return (await rehearse({ before: [], after })).after
    },
  }
}

// Judges the row that an INSERT would add. With a default such as `auth.uid()`, each identity has its own new row.

type Cell = DraftMatrix['rows'][number]['cells'][number]['now']

/** The text of each identity's new row, or the error why Postgres cannot create the row, in the order of the identities. */
type NewRowTexts = readonly (string | InspectorError)[]

/** @throws {InspectorError} when Postgres cannot create a row of these values for any identity */
async function newRowTexts(
  { engine, wallClock }: ExplainDeps,
  identities: readonly ResolvedIdentity[],
  table: SecuredTable,
  newRow: NewRow,
): Promise<NewRowTexts> {
  const evaluation = { engine, table, method: METHODS.insert, timeLeft: timeLeft(wallClock) }
  const texts: (string | InspectorError)[] = []
  for (const { principal } of identities)
    texts.push(
      await makeNewRows({ ...evaluation, principal }, newRow, undefined).then(
        ([text = '()']) => text,
        (error: unknown) => {
          if (error instanceof InspectorError) return error
          throw error
        },
      ),
    )
  const [first] = texts
  if (first instanceof InspectorError && texts.every((text) => text instanceof InspectorError))
    throw first
  return texts
}

/** Returns one verdict for each identity, by the policies of `table`. */
async function judgeInsert(
  explain: ExplainDeps,
  order: Pick<MatrixOrder, 'relation' | 'identities'>,
  table: SecuredTable,
  { newRow, texts }: { readonly newRow: NewRow; readonly texts: NewRowTexts },
): Promise<readonly Cell[]> {
  const cells = new Map<ResolvedIdentity, Cell>()
  for (const text of new Set(texts.filter((one) => typeof one === 'string'))) {
    const identities = order.identities.filter((_, index) => texts[index] === text)
    const asked = { relation: order.relation, command: 'insert', identities } as const
    const written = Object.keys(newRow)
    const [row = []] = await judgeCells(explain, { ...asked, written }, table, [text])
    for (const [index, identity] of identities.entries()) {
      const cell = row[index]
      if (cell !== undefined) cells.set(identity, cell)
    }
  }
  return order.identities.map((identity, index) => {
    const text = texts[index]
    const reason = text instanceof InspectorError ? `error: ${text.message}` : 'not judged'
    return cells.get(identity) ?? { allowed: false, reason }
  })
}
