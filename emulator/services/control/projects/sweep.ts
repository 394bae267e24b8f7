// Cleans up after a process that died: the next start undoes reservations and finishes purges.
import type { Project } from '../../../platform/projects/project.ts'
import { dropReservation } from './build-project.ts'
import { type EraseDeps, finishErasure, finishErasureLater } from './erase-project.ts'

export interface Swept {
  /** Number of incomplete projects that were undone. Their slugs are free again. */
  readonly reservations: number
  /** Number of pending purges that were finished. */
  readonly purges: number
}

// Also purges the records of other services, which an interrupted fixture can leave.
async function dropWhole(deps: EraseDeps, project: Project): Promise<void> {
  await deps.lifecycle.purge(project)
  await dropReservation(deps, project)
}

/**
 * The emulator calls this function once at start, before it answers the first request. Failures are reported, and failed purges
 * are retried later.
 */
export async function sweepReservations(deps: EraseDeps): Promise<Swept> {
  const { stores, observe, ids } = deps
  const failed = (error: unknown) => {
    observe({ kind: 'internalFailure', requestId: ids.id('sweep_'), error })
  }
  let reservations = 0
  for (const project of stores.projects.listInState('reserved'))
    await dropWhole(deps, project).then(() => {
      reservations += 1
    }, failed)
  let purges = 0
  for (const project of stores.projects.listInState('purging'))
    await finishErasure(deps, project).then(
      () => {
        purges += 1
      },
      (error: unknown) => {
        failed(error)
        finishErasureLater(deps, project)
      },
    )
  return { reservations, purges }
}
