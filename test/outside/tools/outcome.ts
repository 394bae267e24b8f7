// Decides the outcome of a tool's run, and merges new results with stored ones. Pure.
import type { Outcome, ToolResult } from '../../../scripts/outside-table.ts'
import type { OutsideTool } from './tool.ts'

/** @param failure message of the error that the run threw, or `undefined` */
export function outcomeOf({ refusal }: Pick<OutsideTool, 'refusal'>, failure?: string): Outcome {
  if (failure === undefined)
    return refusal === undefined ? 'works' : 'fails: it is no longer refused'
  if (refusal?.test(failure)) return 'refused'
  return `fails: ${failure.trim().split('\n').at(-1) ?? ''}`
}

/**
 * Results in the order of `names`. A new result replaces the tool's former result. The former result stays for a tool that did
 * not run. Outcomes of an engine that did not run stay when the tool's version is the same.
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
