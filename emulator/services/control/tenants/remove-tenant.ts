// Removes a tenant and keeps its data, or purges both (docs/wire/platform.md#remove, docs/wire/platform.md#purge).

import type { Erased } from '../../../platform/projects/lifecycle.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ControlDeps } from '../deps.ts'
import { ManagementError, notFound } from '../errors.ts'
import type { Group } from '../groups/groups.ts'
import { changeOf } from '../projects/build-project.ts'
import {
  type EraseDeps,
  finishErasure,
  finishErasureLater,
  startErasure,
} from '../projects/erase-project.ts'
import type { Tenant } from './tenants.ts'

export type TakeOfflineDeps = Pick<ControlDeps, 'stores' | 'lifecycle' | 'observe'>

/** Takes an active project offline. */
export function takeOffline(
  { stores, lifecycle, observe }: TakeOfflineDeps,
  id: Project['id'],
): void {
  const project = stores.projects.remove(id)
  lifecycle.offline(project)
  observe({ ...changeOf(project), change: 'removed' })
}

/** @throws {ManagementError} `not_found` when the group has no such tenant or it is already deleted */
export async function removeTenant(
  deps: TakeOfflineDeps,
  group: Group,
  slug: string,
): Promise<void> {
  await announceLeaving(deps, slug)
  const tenant = deps.stores.tenants.findTenant(group.id, slug)
  if (tenant?.state !== 'active' || tenant.slug !== slug) throw notFound(`The tenant ${slug}`)
  takeOffline(deps, tenant.projectId)
}

export type Purge =
  | { readonly kind: 'purged'; readonly erased: Erased }
  /** `pending` means that access has ended and the erasure finishes in the background. */
  | { readonly kind: 'pending' }

export interface PurgeRequest {
  readonly slug: string
  /** The confirmation from the request, which must equal the slug. */
  readonly confirmation: unknown
  readonly requestId: string
}

/** @throws {ManagementError} `not_found`, `confirmation_required`, `template_protected` */
export async function purgeTenant(
  deps: EraseDeps,
  group: Group,
  { slug, confirmation, requestId }: PurgeRequest,
): Promise<Purge> {
  await announceLeaving(deps, slug)
  const tenant = findPurgeable(deps, group, slug)
  if (confirmation !== slug)
    throw new ManagementError(
      'confirmation_required',
      'Nothing was erased, because the purge is not confirmed.',
      {
        hint: `Send the body {"confirm_slug": "${slug}"} to confirm.`,
      },
    )
  if (tenant === 'template') throw templateProtected(slug)
  if (tenant.state === 'purging') return { kind: 'pending' }
  if (deps.stores.groups.groupsOfTemplate(tenant.projectId).length > 0)
    throw templateProtected(slug)
  const project = startErasure(deps, tenant.projectId)
  if (deps.stores.projects.switches.isArmed(project.id, 'purge_pending')) {
    finishErasureLater(deps, project)
    return { kind: 'pending' }
  }
  try {
    return { kind: 'purged', erased: await finishErasure(deps, project) }
  } catch (error) {
    deps.observe({ kind: 'internalFailure', requestId, error })
    finishErasureLater(deps, project)
    return { kind: 'pending' }
  }
}

// Must run before the tenant is read, because the tenant can change while the listeners finish their work.
async function announceLeaving(
  { stores, lifecycle }: Pick<TakeOfflineDeps, 'stores' | 'lifecycle'>,
  slug: string,
): Promise<void> {
  const project = stores.projects.findProjectBySlug(slug)
  if (project !== undefined) await lifecycle.leaving(project)
}

/** Finds the tenant to purge. Returns `template` when the slug is that of the group's template, which must not be erased. */
function findPurgeable({ stores }: EraseDeps, group: Group, slug: string): Tenant | 'template' {
  const tenant = stores.tenants.findTenant(group.id, slug)
  const isThere = tenant !== undefined && !['reserved', 'purged'].includes(tenant.state)
  if (isThere && tenant.slug === slug) return tenant
  if (stores.projects.findProject(group.templateProjectId)?.slug === slug) return 'template'
  throw notFound(`The tenant ${slug}`)
}

function templateProtected(slug: string): ManagementError {
  return new ManagementError(
    'template_protected',
    `The project ${slug} is the template of a group.`,
    {
      hint: 'Point that group to another template first.',
    },
  )
}
