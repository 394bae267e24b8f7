// The fleet of a group of this emulator.

import type { Addresses } from '../../../core/request-env.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { TENANT_CEILING } from '../../../platform/projects/quotas.ts'
import type { ControlDeps } from '../../../services/control/deps.ts'
import { ManagementError } from '../../../services/control/errors.ts'
import type { Group } from '../../../services/control/groups/groups.ts'
import { publishTemplate } from '../../../services/control/templates/publish-template.ts'
import { findSource } from '../../../services/control/templates/template-access.ts'
import { type ExecOutcome, type Fleet, FleetFailure, type FleetProject } from './fleet.ts'

export type LocalFleetDeps = Pick<
  ControlDeps,
  'stores' | 'schemas' | 'executeSql' | 'clock' | 'observe'
>

/** The request that makes the fleet run SQL. */
export interface FleetRequest {
  readonly requestId: string
  readonly addresses: Addresses
  readonly signal: AbortSignal
}

/** Page size above the number of tenants in any group (docs/wire/limits.md#platform). */
const ALL_TENANTS = { limit: 2 * TENANT_CEILING, offset: 0 }

export function createLocalFleet(deps: LocalFleetDeps, group: Group, request: FleetRequest): Fleet {
  const { projects } = deps.stores
  const source = (): Project => {
    const found = findSource(deps.stores, group)
    if (found?.state === 'active') return found
    throw new FleetFailure(
      'refused',
      'template_gone',
      `The template of the group ${group.name} was removed.`,
      'Point the group to another project.',
    )
  }
  return {
    template: async () => fleetProject(source(), null),
    versions: async () =>
      projects
        .templateSlugsOf(source().id)
        .flatMap((slug) => projects.findProjectBySlug(slug) ?? [])
        .filter(({ id, state }) => state === 'active' && projects.isUsable(id))
        .toSorted((a, b) => projects.ordinalOf(a.id) - projects.ordinalOf(b.id))
        .map((version) => fleetProject(version, null)),
    tenants: async () => tenantsOf(deps, group),
    exec: (project, sql) => execIn(deps, request, project, sql),
    publish: async () => {
      const order = { name: undefined, slug: undefined }
      const present = deps.stores.groups.findGroup(group.id) ?? group
      try {
        return (await publishTemplate(deps, present, order, request)).template.slug
      } catch (error) {
        if (!(error instanceof ManagementError)) throw error
        throw new FleetFailure('refused', error.code, error.message, error.hint)
      }
    },
  }
}

/** Active and removed tenants, the oldest first. */
function tenantsOf({ stores }: LocalFleetDeps, group: Group): readonly FleetProject[] {
  const removed = stores.projects
    .listInState('deleted')
    .flatMap(({ id }) => stores.tenants.findTenantOfProject(id) ?? [])
    .filter(({ groupId }) => groupId === group.id)
  return [...stores.tenants.listTenants(group.id, ALL_TENANTS), ...removed]
    .flatMap(({ projectId, templateProjectId }) => {
      const project = stores.projects.findProject(projectId)
      const ordinal = project === undefined ? 0 : stores.projects.ordinalOf(project.id)
      return project === undefined ? [] : { ordinal, project, templateProjectId }
    })
    .toSorted((a, b) => a.ordinal - b.ordinal)
    .map(({ project, templateProjectId }) =>
      fleetProject(project, stores.projects.findProject(templateProjectId)?.slug ?? null),
    )
}

function fleetProject(
  { schemaName, slug, state }: Project,
  templateVersion: string | null,
): FleetProject {
  return { slug, schemaName, state: state === 'deleted' ? 'deleted' : 'active', templateVersion }
}

async function execIn(
  { executeSql, stores }: LocalFleetDeps,
  { requestId, signal }: FleetRequest,
  { slug }: FleetProject,
  sql: string,
): Promise<ExecOutcome> {
  const project = stores.projects.findProjectBySlug(slug)
  if (project === undefined)
    throw new FleetFailure('refused', 'not_found', `There is no project ${slug}.`)
  return execOutcome(() => executeSql(project, sql, signal, requestId))
}

/** Runs an owner's script. When the platform refuses the script before Postgres runs it, the outcome is `failed`. */
export async function execOutcome(
  run: () => ReturnType<ControlDeps['executeSql']>,
): Promise<ExecOutcome> {
  try {
    const outcome = await run()
    return outcome.kind === 'done'
      ? { kind: 'done', rows: outcome.rows }
      : { kind: 'failed', code: outcome.code, message: outcome.message, line: outcome.line }
  } catch (error) {
    if (!(error instanceof ManagementError)) throw error
    const message = [error.message, error.hint].filter(Boolean).join(' ')
    return { kind: 'failed', code: error.code, message, line: undefined }
  }
}
