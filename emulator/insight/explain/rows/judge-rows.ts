// Judges rows by the clauses of a statement. First evaluates all leaves on all rows at once. If a row raises an error, its leaves
// are evaluated one by one, and Postgres evaluates the clause as a whole (evaluate.ts, meetsAll).
import type { ClauseVerdict, TruthValue } from '../../../contract/explain.ts'
import { SqlError } from '../../../database/engine.ts'
import { type AskedClause, clauseValue, qualsOf } from '../policies/clauses.ts'
import {
  type ConditionPlan,
  keepWhole,
  type LeafPlaces,
  planConditions,
  type Split,
} from '../policies/condition-plan.ts'
import { judgeClause, type LeafAnswers, type LeafValue, valued } from '../policies/deciding.ts'
import { truthOf } from '../policies/truth.ts'
import { type Evaluation, evaluateRows, isTooSlow, meetsAll, type RowValues } from './evaluate.ts'

/** Clause verdicts of each row; rows with equal values share one object. The result is an error if no row can be judged. */
export type RowJudgements = readonly (readonly ClauseVerdict[])[] | SqlError

/**
 * Maximum number of failed rows whose leaves are evaluated one by one. The verdicts of further failed rows show only the
 * error.
 */
const MAX_LOOKED_INTO = 100

/** @param rows texts of records: all old rows or all new rows, depending on the clauses */
export async function judgeRows(
  evaluation: Evaluation,
  split: Split,
  clauses: readonly AskedClause[],
  rows: readonly string[],
  isDetailed: boolean,
): Promise<RowJudgements> {
  let values: readonly RowValues[] | SqlError = []
  for (const plan of plansOf(split, clauses, isDetailed)) {
    values = await evaluateRows(evaluation, plan.expressions, rows)
    if (!(values instanceof SqlError)) return judged(evaluation, clauses, plan, rows, values)
    if (isTooSlow(values)) return values
  }
  return values instanceof SqlError ? values : []
}

/** Computes verdicts from evaluated values. If one expression raises an error on a row, all values of this row are unknown. */
export function judgeValues(
  clauses: readonly AskedClause[],
  plan: ConditionPlan,
  values: readonly RowValues[],
): readonly (readonly ClauseVerdict[])[] {
  const known = new Map<RowValues | string, readonly ClauseVerdict[]>()
  return values.map((row) => {
    const same = known.get(row)
    if (same !== undefined) return same
    const key = row instanceof SqlError ? `error ${row.message}` : JSON.stringify(row)
    const verdicts = known.get(key) ?? verdictsOf(clauses, plan, answersOf(plan, row))
    known.set(row, verdicts)
    known.set(key, verdicts)
    return verdicts
  })
}

// Returns plans from detailed to simple. One part of a policy, evaluated alone, may raise an error although the whole policy does not.
function* plansOf(
  split: Split,
  clauses: readonly AskedClause[],
  isDetailed: boolean,
): Generator<ConditionPlan> {
  if (isDetailed) yield planConditions(split, clauses, true)
  yield planConditions(split, clauses, false)
  yield planConditions(keepWhole, clauses, false)
}

async function judged(
  evaluation: Evaluation,
  clauses: readonly AskedClause[],
  plan: ConditionPlan,
  rows: readonly string[],
  values: readonly RowValues[],
): Promise<RowJudgements> {
  const verdicts = [...judgeValues(clauses, plan, values)]
  const raising = values.flatMap((row, index) => (row instanceof SqlError ? [index] : []))
  const looked = raising.slice(0, MAX_LOOKED_INTO)
  const texts = looked.map((index) => rows[index] ?? '()')
  if (looked.length === 0) return verdicts
  const leaves = await lookIntoLeaves(evaluation, plan, texts)
  for (const [place, index] of looked.entries()) {
    const answers: LeafAnswers = (leaf) => leaves.get(leaf.text)?.[place] ?? UNKNOWN
    const text = texts[place] ?? '()'
    verdicts[index] = await Promise.all(
      clauses.map(async (clause) => {
        const treeOf = treesOf(plan, answers)
        const folded = clauseValue(clause, ({ text: policy }) => treeOf({ text: policy }).value)
        const known = await postgresDecides(evaluation, clause, text, folded)
        return judgeClause(clause, treeOf, known)
      }),
    )
  }
  return verdicts
}

const UNKNOWN: LeafValue = { value: 'error', operands: [], error: 'not evaluated', note: null }

// Postgres evaluates checks of a new row in the written order, but the planner chooses the order of conditions on an old row.
async function postgresDecides(
  evaluation: Evaluation,
  clause: AskedClause,
  row: string,
  folded: TruthValue,
): Promise<TruthValue> {
  if (clause.of === 'new_row') return folded
  const met = await meetsAll(evaluation, qualsOf(clause), row)
  if (met instanceof SqlError) return 'error'
  if (met) return 'true'
  return folded === 'null' ? 'null' : 'false'
}

async function lookIntoLeaves(
  evaluation: Evaluation,
  plan: ConditionPlan,
  rows: readonly string[],
): Promise<ReadonlyMap<string, readonly LeafValue[]>> {
  const found = new Map<string, readonly LeafValue[]>()
  for (const [text, places] of plan.places) {
    const alone = { leaf: places.leaf, value: 0, operands: [], count: undefined }
    const value = await each(evaluation, plan, [places.value], rows)
    const details = await each(evaluation, plan, detailPlaces(places), rows)
    const shifted = shiftedPlaces(places)
    found.set(
      text,
      rows.map((_, index) => {
        const own = value[index] ?? []
        const beside = details[index] ?? []
        if (own instanceof SqlError || beside instanceof SqlError) return leafValue(alone, own)
        return leafValue(shifted, [...own, ...beside])
      }),
    )
  }
  return found
}

function detailPlaces({ operands, count }: LeafPlaces): readonly number[] {
  return count === undefined ? operands : [...operands, count]
}

function shiftedPlaces({ leaf, operands, count }: LeafPlaces): LeafPlaces {
  return {
    leaf,
    value: 0,
    operands: operands.map((_, index) => index + 1),
    count: count === undefined ? undefined : operands.length + 1,
  }
}

async function each(
  evaluation: Evaluation,
  plan: ConditionPlan,
  places: readonly number[],
  rows: readonly string[],
): Promise<readonly RowValues[]> {
  if (places.length === 0) return rows.map(() => [])
  const expressions = places.map((place) => plan.expressions[place] ?? 'null')
  const values = await evaluateRows(evaluation, expressions, rows)
  return values instanceof SqlError ? rows.map(() => values) : values
}

function verdictsOf(
  clauses: readonly AskedClause[],
  plan: ConditionPlan,
  answers: LeafAnswers,
): readonly ClauseVerdict[] {
  const treeOf = treesOf(plan, answers)
  return clauses.map((clause) => judgeClause(clause, treeOf))
}

function treesOf({ conditions }: ConditionPlan, answers: LeafAnswers) {
  return ({ text }: { readonly text: string }) =>
    valued(conditions.get(text) ?? keepWhole(text), answers)
}

function answersOf({ places }: ConditionPlan, row: RowValues): LeafAnswers {
  return (leaf) => {
    const found = places.get(leaf.text)
    return found === undefined ? UNKNOWN : leafValue(found, row)
  }
}

function leafValue({ leaf, value, operands, count }: LeafPlaces, row: RowValues): LeafValue {
  if (row instanceof SqlError)
    return { value: 'error', operands: [], error: row.message, note: null }
  const found = count === undefined ? undefined : Number(row[count] ?? 0)
  return {
    value: truthOf(row[value] ?? null),
    operands: operands.map((place, index) => ({
      text: leaf.operands[index]?.text ?? '',
      value: row[place] ?? null,
      from: leaf.operands[index]?.from ?? 'expression',
    })),
    error: null,
    note:
      found === undefined
        ? null
        : `the subquery finds ${found} ${found === 1 ? 'row' : 'rows'} as this identity`,
  }
}
