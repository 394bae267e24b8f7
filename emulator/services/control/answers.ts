// States the credentials and answers of the control plane's routes (docs/wire/platform.md). The OpenAPI document and the types of
// wire.ts derive from the schemas.
import { z } from 'zod'
import { PLAN_TIERS } from '../../core/plan-tiers.ts'
import type { AnswerTable, RouteAnswers } from '../../core/route-answers.ts'
import type { Shape } from '../../core/shape.ts'

export type ControlCredential = 'session' | 'groupKey' | 'managementKey' | 'adminToken'

type Answers = RouteAnswers<ControlCredential>

const Instant = z.iso.datetime().describe('ISO 8601 in UTC')

const Account = z.object({ id: z.uuid(), email: z.string(), created_at: Instant })
const Session = z.object({
  session_token: z.string().describe('PASETO v4.public, for /platform/v1'),
  expires_in: z.int().describe('Seconds'),
  user: Account,
})

const Project = z.object({
  id: z.uuid(),
  slug: z.string(),
  schema_name: z.string().describe('`proj_<slug>`'),
  name: z.string(),
  plan: z.enum(PLAN_TIERS),
  kind: z.enum(['project', 'template', 'tenant']),
  created_at: Instant,
})
const ProjectKeys = z.object({
  anon_key: z.string(),
  service_role_key: z.string().describe('The platform keeps no copy'),
})
const NewProject = Project.extend(ProjectKeys.shape)
const RegeneratedKeys = ProjectKeys.extend({ kv: z.int().describe('The new key version') })

const Key = z.object({
  id: z.string(),
  prefix: z.string().describe('The first characters of the key'),
  label: z.string().nullable(),
  created_at: Instant,
})
const NewGroupKey = Key.extend({ key: z.string().describe('Only this answer contains the key') })
const ManagementKey = Key.extend({ expires_at: Instant.nullable() })
const NewManagementKey = ManagementKey.extend({
  key: z.string().describe('Only this answer contains the key'),
})

const GroupSummary = z.object({
  id: z.string(),
  name: z.string(),
  tenant_count: z.int(),
  created_at: Instant,
})
const NewGroup = GroupSummary.extend({
  description: z.string().nullable(),
  template_project_id: z.string().nullable().describe('`proj_<slug>`'),
})
const Template = z.object({ id: z.uuid(), slug: z.string(), name: z.string() })
const Group = NewGroup.extend({
  template: Template.nullable(),
  source: Template.nullable(),
  keys: z.array(Key),
})
const GroupOverview = z.object({
  group: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
  template: z.object({
    slug: z.string().nullable(),
    congelado_em: Instant.nullable().describe('When the template was frozen'),
    tabelas: z.int().nullable(),
    foreign_keys: z.int().nullable(),
  }),
  source: z.object({ slug: z.string() }).nullable(),
  tenants: z.object({
    total: z.int(),
    na_versao_atual: z.int(),
    em_versao_anterior: z.int(),
    teto: z.int().describe('The most active tenants that a group may have'),
  }),
})
const Published = z.object({
  template: Template,
  source_project_slug: z.string(),
  tables_copied: z.int(),
  foreign_keys: z.int(),
  tenants_na_versao_anterior: z.int(),
  aviso: z.string(),
})

const Tenant = z.object({
  id: z.string(),
  slug: z.string(),
  schema_name: z.string().describe('`proj_<slug>`'),
  external_id: z.string().nullable(),
  group_id: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: Instant,
})
const TenantDetail = Tenant.extend({ project_id: z.uuid(), status: z.literal('active') })
const NewTenant = z.object({ tenant: Tenant, ...ProjectKeys.shape })
const TenantPage = z.object({
  tenants: z.array(Tenant.pick({ id: true, slug: true, external_id: true, created_at: true })),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
})
const Done = z.object({ ok: z.literal(true) })
const Erased = z.object({ buckets_deleted: z.int(), objects_deleted: z.int() })
const Purged = Done.extend({ purged: Erased })
const PurgePending = Done.extend({ pendente: z.literal(true), message: z.string() })

const Bucket = z.object({
  id: z.string().describe('`proj_<slug>_<name>`'),
  name: z.string(),
  public: z.boolean(),
  file_size_limit: z.int().nullable().describe('Bytes'),
  created_at: Instant,
})
const SqlResult = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.record(z.string(), z.unknown())),
  rows_affected: z.int(),
  duration_ms: z.number(),
  avisos: z.exactOptional(
    z.array(
      z.object({
        tipo: z.enum([
          'rls_desligada',
          'grant_public_convertido',
          'objetos_da_plataforma_omitidos',
        ]),
        objeto: z.string(),
        mensagem: z.string(),
        como_corrigir: z.string(),
      }),
    ),
  ),
})
const SqlFailure = z.object({
  error: z.object({
    code: z.string().describe('SQLSTATE'),
    message: z.string(),
    line: z.int().nullable(),
  }),
})

const SCHEMAS = {
  Account,
  Session,
  Project,
  ProjectKeys,
  NewProject,
  RegeneratedKeys,
  Key,
  NewGroupKey,
  ManagementKey,
  NewManagementKey,
  GroupSummary,
  NewGroup,
  Template,
  Group,
  GroupOverview,
  Published,
  Tenant,
  TenantDetail,
  NewTenant,
  TenantPage,
  Done,
  Erased,
  Purged,
  PurgePending,
  Bucket,
  SqlResult,
  SqlFailure,
}

/** Schemas by their name in the OpenAPI document. */
export const CONTROL_SCHEMAS: Readonly<Record<string, z.ZodType>> = SCHEMAS

/** Answers by the names of their schemas, for the functions that make them. */
export type ControlAnswers = {
  readonly [Name in keyof typeof SCHEMAS]: Shape<(typeof SCHEMAS)[Name]>
}

function by(credential: ControlCredential, answers: Answers['answers']): Answers {
  return { credentials: [[credential]], answers }
}

function byProjectCaller(answers: Answers['answers']): Answers {
  return { credentials: [['managementKey'], ['session']], answers }
}

export const CONTROL_ANSWERS: AnswerTable<ControlCredential> = {
  'POST /platform/v1/session': { credentials: [[], ['adminToken']], answers: { 200: Session } },
  'POST /platform/v1/signup': { credentials: [[]], answers: { 201: Session } },

  'POST /platform/v1/projects': by('session', { 201: NewProject }),
  'GET,HEAD /platform/v1/projects': by('session', { 200: z.array(Project) }),
  'GET,HEAD /platform/v1/projects/:id': by('session', { 200: Project }),
  'PATCH /platform/v1/projects/:id': by('session', { 200: Project }),
  'DELETE /platform/v1/projects/:id': by('session', { 204: 'empty' }),

  'POST /platform/v1/projects/:id/keys/regenerate': by('session', { 200: RegeneratedKeys }),
  'GET,HEAD /platform/v1/projects/:id/db/keys': by('session', { 200: z.array(ManagementKey) }),
  'POST /platform/v1/projects/:id/db/keys': by('session', { 201: NewManagementKey }),
  'DELETE /platform/v1/projects/:id/db/keys/:key': by('session', { 204: 'empty' }),

  'POST /platform/v1/projects/:id/db/exec': byProjectCaller({
    200: z.union([SqlResult, SqlFailure]),
  }),
  'GET,HEAD /platform/v1/projects/:id/db/connection-string': by('managementKey', {
    200: z.object({ connection_string: z.string() }),
  }),
  'GET,HEAD /platform/v1/projects/:id/buckets': byProjectCaller({ 200: z.array(Bucket) }),
  'POST /platform/v1/projects/:id/buckets': byProjectCaller({ 201: Bucket }),

  'POST /platform/v1/groups': by('session', { 201: NewGroup }),
  'GET,HEAD /platform/v1/groups': by('session', { 200: z.array(GroupSummary) }),
  'GET,HEAD /platform/v1/groups/:group': by('session', { 200: Group }),
  'PATCH /platform/v1/groups/:group': by('session', { 200: Group }),
  'DELETE /platform/v1/groups/:group': by('session', { 204: 'empty' }),
  'GET,HEAD /platform/v1/groups/:group/keys': by('session', { 200: z.array(Key) }),
  'POST /platform/v1/groups/:group/keys': by('session', { 201: NewGroupKey }),
  'DELETE /platform/v1/groups/:group/keys/:key': by('session', { 204: 'empty' }),
  'POST /platform/v1/groups/:group/template/publish': by('session', { 201: Published }),

  'GET,HEAD /groups/v1/:group': by('groupKey', { 200: GroupOverview }),
  'POST /groups/v1/:group/template/publish': by('groupKey', { 201: Published }),
  'POST /groups/v1/:group/tenants': by('groupKey', { 201: NewTenant }),
  'GET,HEAD /groups/v1/:group/tenants': by('groupKey', { 200: TenantPage }),
  'GET,HEAD /groups/v1/:group/tenants/:tenant': by('groupKey', { 200: TenantDetail }),
  'DELETE /groups/v1/:group/tenants/:tenant': by('groupKey', { 200: Done }),
  'DELETE /groups/v1/:group/tenants/:tenant/purge': by('groupKey', {
    200: Purged,
    202: PurgePending,
  }),
  'POST /groups/v1/:group/tenants/:tenant/keys': by('groupKey', { 201: NewManagementKey }),
}
