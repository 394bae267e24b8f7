// Finds the statements after which the objects of a schema work together badly. These are policies that call each other,
// policies that realtime cannot evaluate, and foreign keys without an index under policies (explain/schema-model).
import { applyStatement } from '../../../../insight/explain/schema-model/apply-statement.ts'
import {
  type Lookup,
  type ModelFinding,
  modelFindings,
} from '../../../../insight/explain/schema-model/model-findings.ts'
import type { SchemaModel } from '../../../../insight/explain/schema-model/schema-model.ts'
import type { LintStatement, Problem } from '../problem.ts'

/** Returns a sentence about the time that a lookup takes; `undefined` when the time is not known. */
export type CostOf = (lookup: Lookup) => string | undefined

/**
 * Returns the problems that exist after the last statement, by the statement that causes them.
 * @param modelBefore creates a model of the schema before the first statement
 */
export function schemaProblems(
  statements: readonly LintStatement[],
  modelBefore: () => SchemaModel,
  costOf: CostOf,
): ReadonlyMap<LintStatement, readonly Problem[]> {
  const after = modelBefore()
  const known = keysOf(modelFindings(after))
  for (const statement of statements) applyStatement(after, statement)
  const open = new Map(
    modelFindings(after).flatMap((one) => (known.has(one.key) ? [] : [[one.key, one] as const])),
  )
  const found = new Map<LintStatement, readonly Problem[]>()
  if (open.size === 0) return found
  const model = modelBefore()
  let before = known
  for (const statement of statements) {
    applyStatement(model, statement)
    const now = keysOf(modelFindings(model))
    const caused = [...open.values()].filter(({ key }) => now.has(key) && !before.has(key))
    found.set(
      statement,
      caused.map((finding) => problemOf(finding, costOf)),
    )
    before = now
  }
  return found
}

function keysOf(findings: readonly ModelFinding[]): ReadonlySet<string> {
  return new Set(findings.map(({ key }) => key))
}

function problemOf(
  { lookup, message, rule, safer, severity }: ModelFinding,
  costOf: CostOf,
): Problem {
  const cost = lookup && costOf(lookup)
  return { rule, severity, message: cost === undefined ? message : `${message} ${cost}`, safer }
}
