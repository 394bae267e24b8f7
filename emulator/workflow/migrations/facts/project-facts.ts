// Computes the two facts about a project (contract/project-facts.ts) for the fleet, the status of migrations and the CLI. Pure.
import type { StepState } from '../../../contract/migrations.ts'
import type { DifferencesFact, ProjectFacts, StepsFact } from '../../../contract/project-facts.ts'

export interface ReadSteps {
  /** States of the project's steps; `undefined` when the ledger cannot be read. */
  readonly states: Iterable<StepState> | undefined
  /** Whether the emulator knows the application's steps. Without them, it does not know which steps are pending. */
  readonly areKnown: boolean
  /** Why pending steps cannot run, or why the ledger cannot be read. */
  readonly problem: string | undefined
}

export interface ReadDifferences {
  /** Whether the project has an expected structure. */
  readonly isComparable: boolean
  /** `undefined` until the project's structure is compared. */
  readonly drift: FoundDifferences | undefined
}

export interface FoundDifferences {
  /** What the structure was compared with; `undefined` or `null` when nothing could be compared. */
  readonly comparedWith: string | null | undefined
  readonly differences: readonly unknown[]
}

export function projectFacts(steps: ReadSteps, differences: ReadDifferences): ProjectFacts {
  return { steps: stepsFact(steps), differences: differencesFact(differences) }
}

/** States of steps that have not run completely. */
const PENDING: ReadonlySet<StepState> = new Set(['pending', 'interrupted', 'out_of_order'])

function stepsFact({ areKnown, problem, states }: ReadSteps): StepsFact {
  if (states === undefined) return { ran: null, pending: null, problem: problem ?? null }
  const all = [...states]
  const pending = all.filter((state) => PENDING.has(state)).length
  return {
    ran: all.length - pending,
    pending: areKnown ? pending : null,
    problem: problem ?? null,
  }
}

export function differencesFact({ drift, isComparable }: ReadDifferences): DifferencesFact {
  const unknown = { count: null, compared_with: null }
  if (!isComparable) return { state: 'not_comparable', ...unknown }
  if (drift === undefined) return { state: 'not_checked', ...unknown }
  const { comparedWith, differences } = drift
  if (comparedWith === undefined || comparedWith === null)
    return { state: 'not_comparable', ...unknown }
  return { state: 'checked', count: differences.length, compared_with: comparedWith }
}
