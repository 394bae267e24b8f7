// Erases a purged project. The other services' files and records are erased first, then the schema with its roles, then the
// registry's data. Every step is safe to repeat, so an interrupted erasure starts again from the beginning.
import { createBackground } from '../../../core/background.ts'
import { MINUTE_MILLIS } from '../../../core/time.ts'
import type { Erased } from '../../../platform/projects/lifecycle.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ControlDeps } from '../deps.ts'
import { changeOf } from './build-project.ts'

export type EraseDeps = Pick<
  ControlDeps,
  'stores' | 'schemas' | 'lifecycle' | 'clock' | 'ids' | 'observe'
>

/** Platform milliseconds until a pending purge is finished (docs/wire/platform.md#purge). */
export const PENDING_PURGE_MILLIS: number = 3 * MINUTE_MILLIS

/** Ends all access: project keys are refused in the state `purging`, and management keys are deleted. */
export function startErasure({ stores, lifecycle }: EraseDeps, id: Project['id']): Project {
  const project = stores.transaction(() => {
    stores.apiKeys.revokeAllManagementKeys(id)
    return stores.projects.startPurge(id)
  })
  lifecycle.offline(project)
  return project
}

/** Erases all data of a project in the state `purging`. Only its slug remains. */
export async function finishErasure(deps: EraseDeps, project: Project): Promise<Erased> {
  const { stores, schemas, lifecycle, observe } = deps
  const erased = await lifecycle.purge(project)
  await schemas.drop(project.schemaName)
  stores.transaction(() => {
    stores.tenants.blankTenant(project.id)
    stores.projects.finishPurge(project.id)
  })
  observe({ ...changeOf(project), change: 'purged' })
  return erased
}

/** Erases the project after PENDING_PURGE_MILLIS and retries after failures. Skips a project that is no longer being purged. */
export function finishErasureLater(deps: EraseDeps, project: Project): void {
  const background = createBackground(`purge ${project.schemaName}`, deps.observe)
  const finish = async (): Promise<void> => {
    if (deps.stores.projects.findProject(project.id)?.state === 'purging')
      await finishErasure(deps, project)
  }
  const attempt = async (): Promise<void> => {
    if (!(await background.runAsync(finish))) tryLater()
  }
  const tryLater = (): void => {
    deps.clock.after(PENDING_PURGE_MILLIS, () => void attempt())
  }
  tryLater()
}
