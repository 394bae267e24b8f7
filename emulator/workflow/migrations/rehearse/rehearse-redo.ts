// Rehearses in one project the redo of its changed steps (redo/plan-redo.ts), together with the steps that are pending
// afterwards.
import type { Redo } from '../redo/plan-redo.ts'
import { changeText } from '../redo/plan-redo.ts'
import { compareSteps, pendingSteps } from '../steps/compare-steps.ts'
import type { Step } from '../steps/step.ts'
import {
  type RehearsalDeps,
  rehearseScripts,
  type TenantRehearsal,
  type TenantToRehearse,
} from './rehearse-tenant.ts'
import { type StepScript, scriptOf, stepScripts } from './step-scripts.ts'

/** Used instead of a step's file name when the redo itself fails in a rehearsal. */
export const REDO = 'redo'

export interface RedoToRehearse extends Pick<TenantToRehearse, 'identities' | 'schemaName'> {
  readonly redo: Redo
  readonly steps: readonly Step[]
  /** Whether the redo may lose rows. */
  readonly isAllowed: boolean
}

/** When the redo itself fails, the problem names the step `REDO`. @throws {SqlError} when the engine did not begin the work */
export async function rehearseRedo(
  deps: RehearsalDeps,
  { isAllowed, redo, steps, ...tenant }: RedoToRehearse,
): Promise<TenantRehearsal> {
  const { parser } = deps
  const { schemaName } = tenant
  const text = changeText(redo, isAllowed)
  const [before, record] = redo.way === 'undo' ? ['', redo.record] : [redo.record, '']
  const own: StepScript[] = []
  for (const part of [
    { record: before, text },
    { record, text: '' },
  ]) {
    const made = scriptOf(parser, schemaName, { file: REDO, line: 1, ...part })
    if ('code' in made) return rehearseScripts(deps, tenant, { scripts: [], problem: made }, [])
    own.push(made)
  }
  const pending = pendingSteps(compareSteps(steps, redo.ledgerAfter.applied, parser))
  const { problem, scripts } = stepScripts(parser, schemaName, pending, redo.ledgerAfter)
  const versions = pending.map(({ version }) => version)
  // The redo itself counts what it would lose. With `continue`, the statements of the redo are watched like those of a new step.
  const watchesFrom = redo.way === 'continue' ? 0 : own.length
  return rehearseScripts(
    { ...deps, watchesFrom },
    tenant,
    { scripts: [...own, ...scripts], problem },
    versions,
  )
}
