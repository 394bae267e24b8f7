// Decides which projects a caller may reach, and in which state (docs/wire/platform.md#projects). A project of another account
// results in `not_found`. A key of another project results in `forbidden`.

import { parseSchemaName, trusted } from '../../../core/names.ts'
import type { VerifiedManagementKey } from '../../../platform/credentials/verify.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { Owner } from '../accounts/owners.ts'
import { ManagementError, notFound } from '../errors.ts'
import type { ControlStores } from '../stores.ts'

type AccessStores = Pick<ControlStores, 'projects' | 'tenants' | 'groups'>

/** Returns an active project of the account. @throws {ManagementError} `not_found` */
export function requireOwnProject(stores: AccessStores, owner: Owner, ref: string): Project {
  const project = findProjectByRef(stores, ref)
  if (project?.state !== 'active' || !isOwnProject(stores, owner, project))
    throw notFound('This project')
  return project
}

/**
 * Returns the project in the path.
 * @throws {ManagementError} `not_found` for an account that does not own it; `forbidden` for another project's key and
 * while the project is offline
 */
export function requireReachableProject(
  stores: AccessStores,
  caller: Owner | VerifiedManagementKey,
  ref: string,
): Project {
  const project = findProjectByRef(stores, ref)
  if ('kind' in caller) {
    if (project === undefined || project.id !== caller.projectId)
      throw new ManagementError('forbidden', 'This management key belongs to another project.', {
        hint: 'Use a key minted for the project in the address.',
      })
  } else if (project === undefined || !isKept(project) || !isOwnProject(stores, caller, project))
    throw notFound('This project')
  if (project.state !== 'active')
    throw new ManagementError('forbidden', `The project ${project.schemaName} is not active.`)
  return project
}

/** Finds a project by UUID or by `proj_<slug>`, in any state. */
function findProjectByRef({ projects }: AccessStores, ref: string): Project | undefined {
  const schemaName = parseSchemaName(ref)
  return schemaName === undefined
    ? projects.findProject(trusted.projectId(ref))
    : projects.findProjectBySchema(schemaName)
}

/** Whether the account owns the project or, for a tenant's project, the tenant's group. */
function isOwnProject(stores: AccessStores, owner: Owner, project: Project): boolean {
  if (project.kind !== 'tenant') return project.ownerId === owner.id
  const tenant = stores.tenants.findTenantOfProject(project.id)
  const group = tenant === undefined ? undefined : stores.groups.findGroup(tenant.groupId)
  return group?.ownerId === owner.id
}

function isKept(project: Project): boolean {
  return project.state === 'active' || project.state === 'deleted'
}
