// Edits an application's migration steps at random while `dev` follows their folder. No row of the application may be lost unless
// the user allows it.
import { EDITS, type Edit } from '../../support/changed-steps/step-edits.ts'
import { StepLab } from '../../support/changed-steps/step-lab.ts'
import type { FuzzTarget } from '../target.ts'

export const changedSteps: FuzzTarget<readonly Edit[]> = {
  name: 'changed-steps',
  cases: EDITS,
  examples: {},
  casesPerRun: 1 / 50,
  // A case is slow, because a sequence of edits applies the folder up to ten times.
  boundMillis: 120_000,
  open: async () => {
    const lab = new StepLab()
    return {
      attempt: async (edits) => (await lab.run(edits)).toSorted().join(' '),
      close: () => {
        lab[Symbol.asyncDispose]().catch(() => undefined)
      },
    }
  },
}
