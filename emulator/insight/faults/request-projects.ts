// Finds the projects of a request before a service reads the request. Uses the credential's claims, the headers and the path.

import type { FacedRequest } from '../../core/fault.ts'
import type { JsonObject } from '../../core/json.ts'
import { parseSchemaName, trusted } from '../../core/names.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import type { GroupStore } from '../../services/control/groups/groups.ts'
import type { TenantStore } from '../../services/control/tenants/tenants.ts'
import type { BucketStore } from '../../services/storage/buckets/bucket-store.ts'
import type { RouteParams } from './operations/find-operation.ts'

/** Returns the schema names of the projects that a request concerns. */
export type RequestProjects = (
  request: FacedRequest,
  params: RouteParams,
  claims: JsonObject | undefined,
) => readonly string[]

export interface RequestProjectsDeps {
  readonly projects: Pick<ProjectRegistry, 'findProject' | 'findProjectBySlug'>
  readonly groups: Pick<GroupStore, 'findGroup'>
  readonly tenants: Pick<TenantStore, 'findTenant'>
  readonly buckets: Pick<BucketStore, 'findBucket'>
}

export function createRequestProjects(deps: RequestProjectsDeps): RequestProjects {
  return (request, params, claims) => {
    const names = [
      textOf(claims?.['project_schema']),
      deps.projects.findProjectBySlug(request.headers.get('x-superdb-project') ?? '')?.schemaName,
      ...ofPath(deps, request, params),
    ]
    return names.filter((name) => name !== undefined)
  }
}

function ofPath(
  deps: RequestProjectsDeps,
  { door }: FacedRequest,
  params: RouteParams,
): readonly (string | undefined)[] {
  switch (door) {
    case 'control':
      return ofManagement(deps, params)
    case 'storage':
      return [deps.buckets.findBucket(bucketOf(params))?.schemaName]
    case 'realtime':
      return [parseSchemaName((params['topic'] ?? '').split(':')[0] ?? '')]
    default:
      return []
  }
}

// Routes of a group concern its template. Routes of a tenant also concern the tenant's project.
function ofManagement(
  { projects, groups, tenants }: RequestProjectsDeps,
  { id, group, tenant }: RouteParams,
): readonly (string | undefined)[] {
  const found = group === undefined ? undefined : groups.findGroup(trusted.groupId(group))
  const ids = [
    id === undefined ? undefined : trusted.projectId(id),
    found?.templateProjectId,
    found && tenant !== undefined ? tenants.findTenant(found.id, tenant)?.projectId : undefined,
  ]
  // A project's routes accept its id and its schema name.
  return [
    id === undefined ? undefined : parseSchemaName(id),
    ...ids.map((each) => each && projects.findProject(each)?.schemaName),
  ]
}

/** Returns the bucket's name. In S3 paths, the name is the first segment of `*`. */
function bucketOf({ bucket, '*': rest }: RouteParams): string {
  return bucket ?? rest?.split('/')[0] ?? ''
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
