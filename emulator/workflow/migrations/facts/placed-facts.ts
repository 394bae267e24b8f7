// The facts about a project: its steps, and its differences as far as they are known.
import type { ProjectFacts } from '../../../contract/project-facts.ts'
import type { Drift, DriftReader } from '../drift/drift.ts'
import type { PlacedProject } from '../fleet/place-fleet.ts'
import { projectFacts } from './project-facts.ts'

/** @param areStepsKnown whether the emulator was given the application's steps */
export function factsOfPlaced(
  drift: Pick<DriftReader, 'known'>,
  placed: PlacedProject,
  areStepsKnown: boolean,
): ProjectFacts {
  const { expectedStructure, ledger, problem, steps } = placed
  return projectFacts(
    {
      states: ledger && [...steps.values()].map(({ state }) => state),
      areKnown: areStepsKnown,
      problem,
    },
    { isComparable: expectedStructure !== undefined, drift: knownDrift(drift, placed) },
  )
}

/** Returns the drift when no structure changed since it was computed. */
export function knownDrift(
  drift: Pick<DriftReader, 'known'>,
  { expectedStructure, project }: PlacedProject,
): Drift | undefined {
  return expectedStructure && drift.known(project.schemaName, expectedStructure)
}
