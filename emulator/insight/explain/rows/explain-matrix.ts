// Computes verdicts for each pair of row and identity, without details. Identities of the same role share a round trip
// (contract/explain.ts, VerdictMatrix).

import type { VerdictMatrix } from '../../../contract/explain.ts'
import type { RowCommand } from '../../../contract/values.ts'
import { defined } from '../../../core/defined.ts'
import type { SchemaName } from '../../../core/names.ts'
import { SqlError } from '../../../database/engine.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import type { ResolvedIdentity } from '../../api-kit/identities.ts'
import type { RowSelection } from '../../tables/select-rows.ts'
import { ROLES, type SecuredTable } from '../../tables/table.ts'
import { clausesOf } from '../policies/clauses.ts'
import { planConditions } from '../policies/condition-plan.ts'
import { wordsOf } from '../policies/sentences.ts'
import { judgeTable } from '../policies/table-verdict.ts'
import { evaluateAsEach, isTooSlow, type RowValues, timeLeft } from './evaluate.ts'
import type { ExplainDeps } from './explain-rows.ts'
import { judgeRows, judgeValues, type RowJudgements } from './judge-rows.ts'
import { readRows } from './stored-rows.ts'

export interface MatrixOrder {
  readonly schemaName: SchemaName
  readonly relation: string
  /** Only drafts of policies use `insert` (workbench/policies), because rows of an INSERT do not exist yet. */
  readonly command: RowCommand
  readonly identities: readonly ResolvedIdentity[]
  readonly selection: RowSelection
}

type Cell = VerdictMatrix['rows'][number]['cells'][number]

/** @throws {InspectorError} as `requireJudged`; `invalid_request` */
export async function explainMatrix(deps: ExplainDeps, order: MatrixOrder): Promise<VerdictMatrix> {
  const startedAt = deps.wallClock.now()
  const table = await requireJudged(deps, order)
  const { rows, total } = await readRows(deps.reader, table, order.selection)
  const texts = rows.map(({ text }) => text)
  const cells = await judgeCells(deps, order, table, texts)
  return {
    identities: order.identities.map(({ identity }) => identity),
    rows: rows.map(({ key, cells: row }, index) => ({ key, row, cells: cells[index] ?? [] })),
    total,
    duration_ms: deps.wallClock.now() - startedAt,
  }
}

/** @throws {InspectorError} `not_found` for a relation that does not exist, a closed table or a view */
export async function requireJudged(
  { findTable }: ExplainDeps,
  { relation, schemaName }: Pick<MatrixOrder, 'relation' | 'schemaName'>,
): Promise<SecuredTable> {
  const table = await findTable(schemaName, relation)
  if (table !== undefined && !table.isClosed && table.kind !== 'view') return table
  throw new InspectorError('not_found', `${relation} is not a table whose rows can be judged.`, {
    hint: 'Choose a table. Views and the platform’s auth_* tables cannot be judged.',
  })
}

export interface JudgeOrder extends Pick<MatrixOrder, 'relation' | 'command' | 'identities'> {
  /** Columns for which an INSERT gives values. */
  readonly written?: readonly string[]
}

/**
 * Judges rows by the policies of `table`. Returns the cells of each row, in the order of the identities.
 * @param rows texts of records
 */
export async function judgeCells(
  deps: ExplainDeps,
  order: JudgeOrder,
  table: SecuredTable,
  rows: readonly string[],
): Promise<readonly (readonly Cell[])[]> {
  const timed = { ...deps, timeLeft: timeLeft(deps.wallClock) }
  const columns = new Map<ResolvedIdentity, readonly Cell[]>()
  for (const role of ROLES) {
    const alike = order.identities.filter(({ principal }) => principal.role === role)
    if (alike.length === 0) continue
    for (const [identity, cells] of await judgeRole(timed, { ...order, role }, table, alike, rows))
      columns.set(identity, cells)
  }
  return rows.map((_, index) =>
    order.identities.map((identity) => columns.get(identity)?.[index] ?? NOT_JUDGED),
  )
}

const NOT_JUDGED: Cell = { allowed: false, reason: 'not judged' }

type RoleOrder = Omit<JudgeOrder, 'identities'> & {
  readonly role: (typeof ROLES)[number]
}

async function judgeRole(
  deps: ExplainDeps,
  { command, relation, role, written = [] }: RoleOrder,
  table: SecuredTable,
  identities: readonly ResolvedIdentity[],
  rows: readonly string[],
): Promise<ReadonlyMap<ResolvedIdentity, readonly Cell[]>> {
  const { verdict, sentence } = judgeTable({ relation, table, role, command, written })
  if (verdict !== 'policies_decide' && verdict !== 'no_policy') {
    const allowed = verdict === 'rls_off' || verdict === 'bypasses_policies'
    const cells = rows.map(() => ({ allowed, reason: sentence }))
    return new Map(identities.map((identity) => [identity, cells]))
  }
  const split = await deps.split()
  const clauses = clausesOf(table.policies, role, command, false)
  const plan = planConditions(split, clauses, false)
  const { engine, timeLeft } = deps
  const frame = defined({ engine, table, method: command === 'insert' ? 'POST' : 'GET', timeLeft })
  const principals = identities.map(({ principal }) => principal)
  const answers = await evaluateAsEach(principals, frame, plan.expressions, rows)
  const columns = new Map<ResolvedIdentity, readonly Cell[]>()
  for (const [index, identity] of identities.entries()) {
    const values = answers[index] ?? []
    const judged = await judgeAnswer(values, {
      plainly: (plain) => judgeValues(clauses, plan, plain),
      closely: () =>
        judgeRows({ ...frame, principal: identity.principal }, split, clauses, rows, false),
    })
    columns.set(identity, cellsOf(judged, command, role, rows))
  }
  return columns
}

// Does not retry an identity whose evaluation ran out of time, because other work waits for the engine.
async function judgeAnswer(
  values: readonly RowValues[] | SqlError,
  judge: {
    readonly plainly: (values: readonly RowValues[]) => RowJudgements
    readonly closely: () => Promise<RowJudgements>
  },
): Promise<RowJudgements> {
  if (values instanceof SqlError) return isTooSlow(values) ? values : judge.closely()
  return values.some((row) => row instanceof SqlError) ? judge.closely() : judge.plainly(values)
}

function cellsOf(
  judged: RowJudgements,
  command: RowCommand,
  role: string,
  rows: readonly string[],
): readonly Cell[] {
  if (judged instanceof SqlError)
    return rows.map(() => ({ allowed: false, reason: `error: ${judged.message}` }))
  const known = new Map<unknown, Cell>()
  return judged.map((clauses) => {
    const cell = known.get(clauses) ?? {
      allowed: clauses.every(({ allowed }) => allowed),
      reason: wordsOf(command, role, clauses).reason,
    }
    known.set(clauses, cell)
    return cell
  })
}
