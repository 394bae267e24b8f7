// Random edits of an application's steps while `dev` follows them: no row of the application may be lost without being asked.
import { openEmulator } from '../../../emulator/emulator.ts'
import { EDITS, type Edit } from '../../support/changed-steps/step-edits.ts'
import { StepLab } from '../../support/changed-steps/step-lab.ts'
import { temporaryFolder } from '../../support/cli-process.ts'
import type { FuzzTarget } from '../target.ts'

export const changedSteps: FuzzTarget<readonly Edit[]> = {
  name: 'changed-steps',
  cases: EDITS,
  examples: {},
  casesPerRun: 1 / 50,
  // A sequence applies the folder up to ten times.
  boundMillis: 120_000,
  open: async () => {
    const root = temporaryFolder()
    const emulator = await openEmulator({})
    const { port } = await emulator.listen({ port: 0, host: '127.0.0.1' })
    const lab = new StepLab(emulator, `http://127.0.0.1:${port}`, root.path)
    return {
      attempt: async (edits) => (await lab.run(edits)).toSorted().join(' '),
      close: () => {
        emulator
          .close()
          .then(root.remove)
          .catch(() => undefined)
      },
    }
  },
}
