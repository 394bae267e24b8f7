// Requests and tenants that several checks of docs/wire/platform.md use.
import type { Lab, LabTenant } from '../../model/check.ts'
import { type Part, send, type WireRequest } from '../../model/steps.ts'
import { manage } from '../requests.ts'

/** Returns the path of the group's tenants. */
export function tenants({ group }: Pick<Lab, 'group'>, rest = ''): string {
  return `/groups/v1/${group.id}/tenants${rest}`
}

/** Provisions a tenant without keys of its own, and returns its slug. */
export function* provision({ group, ...lab }: Lab, slug: string): Part<string> {
  yield send(manage('POST', tenants({ group }), group.key, { slug: `${lab.prefix}_${slug}` }), 201)
  return `${lab.prefix}_${slug}`
}

/** Runs SQL in a tenant with its management key. */
export function exec({ managementKey, projectId }: LabTenant, sql: string): WireRequest {
  return manage('POST', `/platform/v1/projects/${projectId}/db/exec`, managementKey, { sql })
}
