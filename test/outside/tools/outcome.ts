// Decisions of the suite of outside tools about its results. Pure.
import type { Outcome, ToolResult } from '../../../scripts/outside-table.ts'
import type { OutsideTool } from './tool.ts'

/** @param failure what the run threw, or `undefined` */
export function outcomeOf({ refusal }: Pick<OutsideTool, 'refusal'>, failure?: string): Outcome {
  if (failure === undefined)
    return refusal === undefined ? 'works' : 'fails: it is no longer refused'
  if (refusal?.test(failure)) return 'refused'
  return `fails: ${failure.trim().split('\n').at(-1) ?? ''}`
}

/**
 * Results in the order of `names`. A new result replaces the tool's former one. Outcomes of an engine that did not run stay
 * when the version is the same, and so do results of tools that did not run.
 */
export function mergeResults(
  names: readonly string[],
  former: readonly ToolResult[],
  fresh: readonly ToolResult[],
): readonly ToolResult[] {
  return names.flatMap((name) => {
    const before = former.find((each) => each.name === name)
    const now = fresh.find((each) => each.name === name)
    if (now === undefined) return before === undefined ? [] : [before]
    const kept = before?.version === now.version ? before.outcomes : {}
    return [{ ...now, outcomes: { ...kept, ...now.outcomes } }]
  })
}
