// Decides for `tenantry migrate new --from-changes` which dropped and added objects are renamed ones.
import type { GeneratedStep, StepRename } from '../../contract/drift.ts'
import { renameText } from './generated-report.ts'

export interface RenameQuestions {
  /** Generates the step with these renames. */
  readonly generate: (renames: readonly StepRename[]) => Promise<GeneratedStep>
  /** Asks a person. Returns `undefined` without an answer. */
  readonly ask: (question: string) => Promise<string | undefined>
}

export type SettledRenames =
  | { readonly kind: 'settled'; readonly step: GeneratedStep }
  /** A question has no answer, and these candidates are undecided. */
  | { readonly kind: 'open'; readonly candidates: readonly StepRename[] }

/** Asks about each candidate once. An accepted rename can lead to more candidates, such as columns of a renamed table. */
export async function settleRenames(
  { ask, generate }: RenameQuestions,
  given: readonly StepRename[],
): Promise<SettledRenames> {
  const renames = [...given]
  const declined = new Set<string>()
  for (;;) {
    const step = await generate(renames)
    const open = step.rename_candidates.filter((one) => !declined.has(renameText(one)))
    const [candidate] = open
    if (candidate === undefined) return { kind: 'settled', step }
    const { from, kind, to } = candidate
    const answer = await ask(`Was the ${kind} ${from} renamed to ${to}? [y/n] `)
    if (answer === undefined) return { kind: 'open', candidates: open }
    if (/^y(es)?$/i.test(answer.trim())) renames.push(candidate)
    else declined.add(renameText(candidate))
  }
}
