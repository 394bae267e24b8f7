// Explains one table for one identity and command (contract/explain.ts). Returns the verdict on the table as a whole, then the
// verdict on each row with the clauses that decide it. Read-only: reads rows and evaluates expressions.

import { type Explanation, fixMembers, type RowVerdict } from '../../../contract/explain.ts'
import type { RowCommand } from '../../../contract/values.ts'
import type { Clock } from '../../../core/clock.ts'
import type { SchemaName } from '../../../core/names.ts'
import { type Engine, SqlError } from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import type { ResolvedIdentity } from '../../api-kit/identities.ts'
import type { KnownTables } from '../../tables/known-tables.ts'
import type { RowSelection } from '../../tables/select-rows.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { clausesOf, policyState } from '../policies/clauses.ts'
import type { Split } from '../policies/condition-plan.ts'
import { type Words, wordsOf } from '../policies/sentences.ts'
import { judgeTable } from '../policies/table-verdict.ts'
import { type Evaluation, METHODS, timeLeft } from './evaluate.ts'
import { judgeRows, type RowJudgements } from './judge-rows.ts'
import { makeNewRows, type NewRow } from './make-new-rows.ts'
import { countVisible, isOfStoredRows, readThroughView, visibleRows } from './rows-as-identity.ts'
import { readRows, type StoredRow, type StoredRows, storedRow } from './stored-rows.ts'

export interface ExplainDeps {
  readonly engine: Pick<Engine, 'ask' | 'run'>
  readonly reader: RowReader
  readonly findTable: KnownTables['find']
  /** Loads the parser on first use. */
  readonly split: () => Promise<Split>
  readonly wallClock: Clock
  /** Time left for all evaluations of a request, as in `Evaluation`. */
  readonly timeLeft?: () => number
  /** Maximum number of rows from which `allowed_total` is counted. Default: any number for SELECT, 10,000 for others. */
  readonly maxCounted?: number
}

/** Dependencies that read the present state. */
export interface PresentExplainDeps extends ExplainDeps {
  readonly engine: Engine
}

export interface ExplainOrder {
  readonly schemaName: SchemaName
  readonly relation: string
  /** The identity, or its promise. While the identity is still being resolved, the rows are already read. */
  readonly identity: ResolvedIdentity | Promise<ResolvedIdentity>
  readonly command: RowCommand
  readonly selection: RowSelection
  readonly newRow?: NewRow
  readonly isDetailed: boolean
}

const MAX_COUNTED = 10_000

/** @throws {InspectorError} `invalid_request` for invalid values, filters or columns */
export async function explainRows(
  deps: ExplainDeps,
  { identity: resolving, ...rest }: ExplainOrder,
): Promise<Explanation> {
  const startedAt = deps.wallClock.now()
  const finding = deps.findTable(rest.schemaName, rest.relation)
  const reading = finding.then((found) => readAhead(deps, rest, found))
  // Prevents an unhandled rejection of the read. When the identity also fails, only the error of the identity is reported.
  reading.catch(() => undefined)
  const order = { ...rest, identity: await resolving }
  const facts = await finding
  const { identity } = order.identity
  const written = Object.keys(order.newRow ?? {})
  const table = judgeTable({ ...order, table: facts, role: identity.role, written })
  const frame = {
    identity,
    relation: order.relation,
    command: order.command,
    policies: (facts?.policies ?? []).map((each) =>
      policyState(each, identity.role, order.command),
    ),
    columns: (facts?.columns ?? []).map(({ name, type, isKey }) => ({ name, type, is_key: isKey })),
  }
  const judged =
    facts === undefined || facts.isClosed
      ? NO_ROWS
      : await new Explainer(deps, order, facts, reading).explain(table)
  const duration = deps.wallClock.now() - startedAt
  return { ...frame, table, ...judged, duration_ms: duration }
}

/**
 * Reads the rows before the identity is known. Returns `undefined` for unknown tables, closed tables and views, whose rows are
 * not read here.
 */
async function readAhead(
  { reader }: ExplainDeps,
  { command, selection }: Pick<ExplainOrder, 'command' | 'selection'>,
  table: SecuredTable | undefined,
): Promise<StoredRows | undefined> {
  if (table === undefined || table.isClosed || table.kind === 'view') return undefined
  return command === 'insert' ? { rows: [], total: 1 } : readRows(reader, table, selection)
}

type TableAnswer = Explanation['table']
type ResolvedOrder = ExplainOrder & { readonly identity: ResolvedIdentity }
type Judged = Pick<Explanation, 'rows' | 'total'> &
  Partial<Pick<Explanation, 'allowed_total' | 'table'>>

/** The members of a verdict that are equal for all rows whose clauses are equal. */
type SharedVerdict = Pick<RowVerdict, 'allowed' | 'reason' | 'sentence' | 'deciding' | 'clauses'>

const NO_ROWS: Judged = { rows: [], total: 0, allowed_total: 0 }

class Explainer {
  readonly #deps: ExplainDeps
  readonly #order: ResolvedOrder
  readonly #table: SecuredTable
  readonly #reading: Promise<StoredRows | undefined>
  readonly #evaluation: Evaluation
  /** Shared verdicts, by the object that holds the verdict's clauses. */
  readonly #shared = new Map<unknown, SharedVerdict>()

  constructor(
    deps: ExplainDeps,
    order: ResolvedOrder,
    table: SecuredTable,
    reading: Promise<StoredRows | undefined>,
  ) {
    this.#deps = deps
    this.#order = order
    this.#table = table
    this.#reading = reading
    this.#evaluation = {
      engine: deps.engine,
      table,
      principal: order.identity.principal,
      method: METHODS[order.command],
      timeLeft: deps.timeLeft ?? timeLeft(deps.wallClock),
    }
  }

  async explain(table: TableAnswer): Promise<Judged> {
    if (table.verdict === 'view') return readThroughView(this.#evaluation, this.#order, table)
    const stored = (await this.#reading) ?? (await this.#readView())
    const newRows = await this.#newRows(stored.rows)
    if (table.verdict !== 'policies_decide' && table.verdict !== 'no_policy')
      return this.#allAlike(stored, newRows, table)
    const verdicts = await this.#verdicts(stored.rows, newRows, this.#order.isDetailed)
    if (verdicts instanceof SqlError) return this.#notTakenApart(stored, newRows, table, verdicts)
    const rows = verdicts.map((clauses, index) =>
      this.#row(stored.rows[index], newRows?.[index], this.#sharedVerdict(clauses)),
    )
    const allowed = await this.#allowedTotal(stored, rows)
    return {
      rows,
      total: stored.total,
      ...(allowed !== undefined && { allowed_total: allowed }),
    }
  }

  // Called for views on which the identity lacks a grant. Other views are read as the identity instead.
  async #readView(): Promise<StoredRows> {
    if (this.#order.command === 'insert') return { rows: [], total: 1 }
    return readRows(this.#deps.reader, this.#table, this.#order.selection)
  }

  async #newRows(old: readonly StoredRow[]): Promise<readonly StoredRow[] | undefined> {
    const { command, newRow } = this.#order
    if (command === 'insert' && newRow === undefined)
      throw new InspectorError('invalid_request', 'An INSERT needs `new_row`, the row to insert.')
    if (newRow === undefined || command === 'select' || command === 'delete') return undefined
    const from = command === 'insert' ? undefined : old.map(({ text }) => text)
    const texts = await makeNewRows(this.#evaluation, newRow, from)
    return texts.map((text) => storedRow(this.#table, text))
  }

  async #verdicts(
    old: readonly StoredRow[],
    newRows: readonly StoredRow[] | undefined,
    isDetailed: boolean,
  ): Promise<RowJudgements> {
    const { command, identity } = this.#order
    const { role } = identity.principal
    const clauses = clausesOf(this.#table.policies, role, command, newRows !== undefined)
    const split = await this.#deps.split()
    const judge = (of: 'old_row' | 'new_row', rows: readonly StoredRow[]) => {
      const asked = clauses.filter((clause) => clause.of === of)
      const texts = rows.map(({ text }) => text)
      return judgeRows(this.#evaluation, split, asked, texts, isDetailed)
    }
    const before = command === 'insert' ? [] : await judge('old_row', old)
    if (before instanceof SqlError || newRows === undefined) return before
    const after = await judge('new_row', newRows)
    if (after instanceof SqlError) return after
    return after.map((clauses, index) => [...(before[index] ?? []), ...clauses])
  }

  // Returns the number of allowed rows on all pages. Postgres counts visible rows; other commands require judging the rows of
  // other pages. Returns `undefined` if there are too many rows, or if each row would need a new row.
  async #allowedTotal(
    { rows: page, total }: StoredRows,
    judged: readonly RowVerdict[],
  ): Promise<number | undefined> {
    if (page.length === total || this.#order.command === 'insert')
      return judged.filter(({ allowed }) => allowed).length
    const { maxCounted } = this.#deps
    if (total > (maxCounted ?? Infinity) || this.#order.newRow !== undefined) return undefined
    if (this.#order.command === 'select') {
      const count = await countVisible(this.#evaluation, this.#order.selection)
      if (typeof count === 'number') return count
    }
    if (total > (maxCounted ?? MAX_COUNTED)) return undefined
    const selection = { ...this.#order.selection, limit: total, offset: 0 }
    const { rows } = await readRows(this.#deps.reader, this.#table, selection)
    // The size limit left out some rows, so their verdicts are unknown.
    if (rows.length < total) return undefined
    const verdicts = await this.#verdicts(rows, undefined, false)
    if (verdicts instanceof SqlError) return 0
    return verdicts.filter((clauses) => clauses.every(({ allowed }) => allowed)).length
  }

  #allAlike(
    stored: StoredRows,
    newRows: readonly StoredRow[] | undefined,
    { verdict, sentence }: TableAnswer,
  ): Judged {
    const allowed = verdict === 'rls_off' || verdict === 'bypasses_policies'
    const words = { reason: ALIKE[verdict] ?? verdict, sentence }
    return this.#sameForAll(stored, newRows, allowed, words)
  }

  async #notTakenApart(
    stored: StoredRows,
    newRows: readonly StoredRow[] | undefined,
    table: TableAnswer,
    error: SqlError,
  ): Promise<Judged> {
    if (this.#order.command !== 'select' || !isOfStoredRows(error))
      return this.#broken(stored, newRows, table, error)
    const seen = await visibleRows(this.#evaluation, this.#order.selection)
    if (seen instanceof SqlError) return this.#broken(stored, newRows, table, seen)
    const texts = new Set(seen.rows.map(({ text }) => text))
    const rows = stored.rows.map((row) => {
      const allowed = texts.has(row.text)
      const reason = allowed ? 'shown' : 'hidden'
      const sentence = `Postgres ${allowed ? 'shows' : 'hides'} this row. Its policies cannot be evaluated in parts: ${error.message}.`
      return this.#row(row, undefined, { allowed, reason, sentence, deciding: [], clauses: [] })
    })
    return { rows, total: stored.total, allowed_total: seen.total }
  }

  #broken(
    stored: StoredRows,
    newRows: readonly StoredRow[] | undefined,
    table: TableAnswer,
    error: SqlError,
  ): Judged {
    const sentence = `The policies of ${this.#table.name} cannot be evaluated: ${error.message} (SQLSTATE ${error.code}). Every statement that needs them fails with this error.`
    const words = { reason: `error: ${error.message}`, sentence }
    return {
      ...this.#sameForAll(stored, newRows, false, words),
      table: { ...table, verdict: 'error', sentence, ...fixMembers(null) },
    }
  }

  #sameForAll(
    { rows, total }: StoredRows,
    newRows: readonly StoredRow[] | undefined,
    allowed: boolean,
    words: Words,
  ): Judged {
    const verdict = { allowed, ...words, deciding: [], clauses: [] }
    const count = Math.max(rows.length, newRows?.length ?? 0)
    return {
      rows: Array.from({ length: count }, (_, index) =>
        this.#row(rows[index], newRows?.[index], verdict),
      ),
      total,
      allowed_total: allowed ? total : 0,
    }
  }

  #row(
    old: StoredRow | undefined,
    fresh: StoredRow | undefined,
    verdict: SharedVerdict,
  ): RowVerdict {
    const key = old?.key ?? fresh?.key ?? {}
    return { key, row: old?.cells ?? {}, new_row: fresh?.cells ?? null, ...verdict }
  }

  #sharedVerdict(clauses: RowVerdict['clauses']): SharedVerdict {
    const known = this.#shared.get(clauses)
    if (known !== undefined) return known
    const { command, identity, isDetailed } = this.#order
    const { reason, sentence } = wordsOf(command, identity.principal.role, clauses)
    const verdict = {
      allowed: clauses.every(({ allowed }) => allowed),
      reason,
      sentence: isDetailed ? sentence : '',
      deciding: decidingNames(clauses),
      clauses: isDetailed ? clauses : [],
    }
    this.#shared.set(clauses, verdict)
    return verdict
  }
}

const ALIKE: Readonly<Partial<Record<TableAnswer['verdict'], string>>> = {
  rls_off: 'row-level security is off',
  bypasses_policies: 'policies do not apply',
  missing_grant: 'no grant',
}

/** Returns the names of the policies that decide the first clause that refuses, or all clauses if none refuses. */
export function decidingNames(clauses: RowVerdict['clauses']): readonly string[] {
  const refusing = clauses.find(({ allowed }) => !allowed)
  const meant = refusing === undefined ? clauses : [refusing]
  const names = meant.flatMap(({ policies }) =>
    policies.filter(({ decided }) => decided).map(({ name }) => name),
  )
  return [...new Set(names)]
}
