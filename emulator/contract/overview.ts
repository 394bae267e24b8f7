// An overview of the platform: health, groups, templates, tenants, and the addresses of this emulator.
import { z } from 'zod'
import { ProjectConnection, ReadyLine } from './addresses.ts'
import type { OperationTable, Shape } from './operation.ts'

export const ServiceHealth = z.object({
  service: z.enum(['database', 'rest', 'auth', 'storage', 'realtime', 'management', 'folder']),
  state: z.enum(['well', 'degraded', 'down']),
  sentence: z.string().describe('The problem of the service, or its current activity'),
  facts: z.record(z.string(), z.string()),
})
export type ServiceHealth = Shape<typeof ServiceHealth>

export const ProjectOverview = z.object({
  id: z.string(),
  slug: z.string(),
  schema_name: z.string(),
  name: z.string(),
  kind: z.enum(['project', 'template', 'tenant']),
  state: z.string(),
  external_id: z.string().nullable(),
  template_version: z
    .number()
    .nullable()
    .describe('Version of the template from which the tenant was cloned'),
  is_current: z.boolean().nullable().describe('Whether the template has no newer version'),
  key_version: z.number(),
  created_at: z.string(),
  database_bytes: z.number().nullable().describe('`null` until the project is read'),
  storage_bytes: z.number(),
  storage_limit_bytes: z.number().nullable(),
  users: z.number().nullable().describe('`null` until the project is read'),
  last_request_at: z
    .string()
    .nullable()
    .describe('Last request that is not one of the inspector’s pages; `null` without one'),
})
export type ProjectOverview = Shape<typeof ProjectOverview>

export const GroupOverview = z.object({
  id: z.string(),
  name: z.string(),
  plan_tier: z.string(),
  template: z.object({ project_id: z.string(), slug: z.string(), version: z.number() }).nullable(),
  tenant_limit: z.number().nullable(),
  keys: z.array(
    z.object({
      id: z.string(),
      prefix: z.string(),
      created_at: z.string(),
      revoked_at: z.string().nullable(),
    }),
  ),
  tenants: z.array(ProjectOverview),
  removed_tenants: z
    .array(ProjectOverview)
    .describe('Projects that are offline or being purged; their data stays until the purge'),
})
export type GroupOverview = Shape<typeof GroupOverview>

export const ProjectList = z.object({
  data_dir: z.string().nullable().describe('`null` for an emulator in memory'),
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
  projects: z.array(
    z.object({
      id: z.string(),
      slug: z.string(),
      schema_name: z.string(),
      kind: z.enum(['project', 'template', 'tenant']),
      state: z.string().describe('`deleted` and `purging` for removed tenants'),
      group_id: z
        .string()
        .nullable()
        .describe('Group of the tenant, or first group of the template or of its source'),
    }),
  ),
})
export type ProjectList = Shape<typeof ProjectList>

export const PlatformOverview = z.object({
  version: z.string(),
  data_dir: z.string().nullable(),
  started_at: z.string(),
  memory_bytes: z.number(),
  engine_heap_bytes: z
    .exactOptional(z.number())
    .describe('Memory of the embedded engine; absent for a server'),
  services: z.array(ServiceHealth),
  last_errors: z
    .array(
      z.object({
        request_id: z.string(),
        at: z.string(),
        message: z.string(),
        fault: z.string().nullable().describe('Id of the injected fault that applied'),
      }),
    )
    .describe('Requests answered with status 500 and above, newest first'),
  groups: z.array(GroupOverview),
  projects: z
    .array(ProjectOverview)
    .describe("The owner's own projects that are neither template nor tenant"),
  unread: z
    .number()
    .describe(
      'Projects whose users and size may have changed. The next calls read a few of them each',
    ),
})
export type PlatformOverview = Shape<typeof PlatformOverview>

export const FollowedFolder = z.object({
  folder: z.string().describe('Absolute path'),
  problem: z
    .string()
    .nullable()
    .describe('Part of the folder that cannot be watched, and why; `null` when all of it is'),
})
export type FollowedFolder = Shape<typeof FollowedFolder>

export const Health = z.object({
  status: z.literal('ok'),
  version: z.string(),
  engine: z.object({
    queued: z.number(),
    heapBytes: z
      .exactOptional(z.number())
      .describe('Memory of the embedded engine; absent for a server'),
    restarts: z.number(),
    waitingShare: z
      .number()
      .describe('Part of its time that work has waited for the engine, from 0 to 1'),
    degraded: z
      .array(z.string())
      .describe('Capabilities that the engine lacks; the log states what follows'),
    down: z.exactOptional(z.string()).describe('Reason why the engine does not start'),
  }),
  watch: z
    .exactOptional(FollowedFolder)
    .describe('The folder that `tenantry dev` follows; absent without one'),
})

export const OpenApiDocument = z.looseObject({ openapi: z.string() })

export const OVERVIEW_OPERATIONS = {
  'GET /health': { summary: 'Reports whether the emulator runs.', answer: Health },
  'GET /info': {
    summary: 'Shows addresses, accounts and keys, secrets included.',
    answer: ReadyLine,
  },
  'GET /projects/:ref/connection': {
    summary: 'Shows address and keys of a project, a template or a tenant, secrets included.',
    answer: ProjectConnection,
  },
  'GET /openapi.json': {
    summary: 'Returns the OpenAPI document of this API.',
    answer: OpenApiDocument,
  },
  'GET /openapi/:plane': {
    summary:
      'Returns the OpenAPI document of a plane: management, auth, storage, realtime, or data of one project.',
    query: z.strictObject({
      project: z.exactOptional(z.string()).describe('Schema name, slug or id. Required for data'),
    }),
    answer: OpenApiDocument,
  },
  'GET /overview': {
    summary: 'Shows groups, tenants and the health of the services.',
    answer: PlatformOverview,
  },
  'GET /projects': {
    summary: 'Lists tenants, templates and other projects, without their sizes.',
    answer: ProjectList,
  },
} as const satisfies OperationTable
