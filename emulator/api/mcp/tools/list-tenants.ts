// list_tenants: the addresses of the emulator, its groups and tenants, and what is wrong with them.
import { z } from 'zod'
import type {
  GroupOverview,
  PlatformOverview,
  ProjectOverview,
} from '../../../contract/overview.ts'
import { Cursor, fromCursor, Limit } from '../inputs.ts'
import { defineTool, type Tool, type ToolDeps } from '../tool.ts'

export const listTenants: Tool = defineTool({
  name: 'list_tenants',
  title: 'List tenants',
  description:
    'Lists groups, tenants and templates of the running emulator with their state, users and template version, and the addresses of its services. Call this first.',
  input: z.strictObject({ cursor: Cursor, limit: Limit }),
  changes: 'never',
  run: async ({ calls }, page) => {
    const info = await calls.call('GET /info')
    const overview = await readOverview(calls)
    const head = [
      `Emulator ${overview.version} at ${info.auth_url}. REST: ${info.data_url}. Storage: ${info.storage_url}. Realtime: ${info.realtime_url}. Inspector: ${info.inspector_url}`,
      ...problemsOf(overview),
    ]
    const projects = overview.projects.map((project) => `project ${describe(project)}`)
    const entries = [...overview.groups.flatMap(linesOf), ...projects]
    return { head: head.join('\n'), ...fromCursor(entries, page) }
  },
})

/** Maximum number of calls. Each call reads the sizes of a few projects. */
const MOST_CALLS = 40

async function readOverview(calls: ToolDeps['calls']): Promise<PlatformOverview> {
  let overview = await calls.call('GET /overview')
  for (let turn = 1; turn < MOST_CALLS && overview.unread > 0; turn += 1)
    overview = await calls.call('GET /overview')
  return overview
}

function problemsOf({ last_errors, services }: PlatformOverview): readonly string[] {
  const ill = services
    .filter(({ state }) => state !== 'well')
    .map(({ sentence, service, state }) => `${service} is ${state}: ${sentence}`)
  const errors = last_errors
    .slice(0, 3)
    .map(({ fault, message, request_id }) =>
      fault === null
        ? `internal error of ${request_id}: ${message}`
        : `injected fault ${fault} met ${request_id}: ${message}`,
    )
  return [...ill, ...errors]
}

function linesOf(group: GroupOverview): readonly string[] {
  const template =
    group.template === null
      ? 'its template was removed'
      : `template ${group.template.slug}, version ${group.template.version}`
  return [
    `group ${JSON.stringify(group.name)}: ${template}, plan ${group.plan_tier}`,
    ...group.tenants.map((tenant) => `tenant ${describe(tenant)}`),
    ...group.removed_tenants.map((tenant) => `removed tenant ${describe(tenant)}`),
  ]
}

function describe(project: ProjectOverview): string {
  const version = project.template_version
  return [
    `${project.slug}: ${project.state}`,
    ...(version === null
      ? []
      : [
          `template version ${version}${project.is_current === false ? ' (a newer one exists)' : ''}`,
        ]),
    `${project.users ?? 'unknown number of'} users`,
    ...(project.external_id === null ? [] : [`external_id ${project.external_id}`]),
  ].join(', ')
}
