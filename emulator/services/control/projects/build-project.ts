// Builds a reserved project or undoes the reservation. Two stores cannot commit together. Therefore the slug is reserved first,
// the schema is built second and the project is activated last (docs/wire/platform.md#provision).
import { diskFailureOf } from '../../../core/disk-failure.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ControlDeps, RequestOrigin } from '../deps.ts'
import { ManagementError } from '../errors.ts'

const UNDONE = 'All steps were undone. Repeat the call with the same slug.'
const INCOMPLETE =
  'Restart the emulator to erase the incomplete project. Its slug is taken until then.'

export type BuildDeps = Pick<ControlDeps, 'stores' | 'schemas' | 'observe'>

/**
 * Runs `build`, which has to activate the reserved project as its last step.
 * @throws {ManagementError} `disk_full`, `disk_failed` or `internal` after undoing everything
 */
export async function buildReserved<Built>(
  deps: BuildDeps,
  project: Project,
  origin: RequestOrigin,
  build: () => Promise<Built>,
): Promise<Built> {
  try {
    const built = await build()
    deps.observe({ ...changeOf(project), change: 'activated' })
    return built
  } catch (error) {
    observeInternal(deps, origin, error)
    const isUndone = await undo(deps, project, origin)
    throw failureOf(project, origin, error, isUndone)
  }
}

function failureOf(
  { schemaName }: Project,
  { requestId }: RequestOrigin,
  cause: unknown,
  isUndone: boolean,
): ManagementError {
  const disk = diskFailureOf(cause)
  return new ManagementError(
    disk?.code ?? 'internal',
    disk?.message ?? `Building ${schemaName} failed.`,
    {
      hint: isUndone ? (disk?.hint ?? UNDONE) : INCOMPLETE,
      fields: { trace: requestId },
      cause,
    },
  )
}

/** Erases a reserved project and releases its slug. */
export async function dropReservation(
  { stores, schemas }: Pick<BuildDeps, 'stores' | 'schemas'>,
  project: Project,
): Promise<void> {
  await schemas.drop(project.schemaName)
  stores.projects.release(project.id)
}

/** The members of an observation that identify the changed project. */
export function changeOf(project: Project): {
  readonly kind: 'projectChanged'
  readonly projectId: string
  readonly schemaName: string
} {
  return { kind: 'projectChanged', projectId: project.id, schemaName: project.schemaName }
}

async function undo(deps: BuildDeps, project: Project, origin: RequestOrigin): Promise<boolean> {
  try {
    await dropReservation(deps, project)
    return true
  } catch (error) {
    observeInternal(deps, origin, error)
    return false
  }
}

function observeInternal(
  { observe }: Pick<BuildDeps, 'observe'>,
  { requestId }: RequestOrigin,
  error: unknown,
): void {
  if (diskFailureOf(error) === undefined) observe({ kind: 'internalFailure', requestId, error })
}
