// Converts domain objects to JSON. Only this file of the control plane contains the wire's names, some of which are Portuguese
// (docs/wire/platform.md).
import { toIso } from '../../core/time.ts'
import type { StructureCounts } from '../../database/schema-builder.ts'
import type { ProjectKeys } from '../../platform/credentials/project-key.ts'
import type { SqlAdvice, SqlOutcome } from '../../platform/owner-sql/sql-outcome.ts'
import type { Erased } from '../../platform/projects/lifecycle.ts'
import type { Project } from '../../platform/projects/project.ts'
import { TENANT_CEILING } from '../../platform/projects/quotas.ts'
import type { Owner } from './accounts/owners.ts'
import type { ControlAnswers as Wire } from './answers.ts'
import type { Group } from './groups/groups.ts'
import type { KeptKey, NewKey } from './keys/api-keys.ts'
import type { PlatformBucket } from './projects/platform-buckets.ts'
import type { PublishedTemplate } from './templates/publish-template.ts'
import type { Page, Tenant } from './tenants/tenants.ts'

function ownerToWire(owner: Owner): Wire['Account'] {
  return { id: owner.id, email: owner.email, created_at: toIso(owner.createdAt) }
}

export function sessionToWire(
  owner: Owner,
  session: { readonly token: string; readonly expiresInSeconds: number },
): Wire['Session'] {
  return {
    session_token: session.token,
    expires_in: session.expiresInSeconds,
    user: ownerToWire(owner),
  }
}

export function projectToWire(project: Project): Wire['Project'] {
  return {
    id: project.id,
    slug: project.slug,
    schema_name: project.schemaName,
    name: project.name,
    plan: project.planTier,
    kind: project.kind,
    created_at: toIso(project.createdAt),
  }
}

export function keysToWire(keys: ProjectKeys): Wire['ProjectKeys'] {
  return { anon_key: keys.anonKey, service_role_key: keys.serviceRoleKey }
}

/** Returns the members that every response about one group contains. */
export function groupToWire(
  group: Group,
  template: Project | undefined,
  tenantCount: number,
): Wire['NewGroup'] {
  return {
    id: group.id,
    name: group.name,
    description: group.description ?? null,
    template_project_id: template?.schemaName ?? null,
    tenant_count: tenantCount,
    created_at: toIso(group.createdAt),
  }
}

export function groupSummaryToWire(group: Group, tenantCount: number): Wire['GroupSummary'] {
  return {
    id: group.id,
    name: group.name,
    tenant_count: tenantCount,
    created_at: toIso(group.createdAt),
  }
}

export function templateToWire(template: Project): Wire['Template'] {
  return { id: template.id, slug: template.slug, name: template.name }
}

export function keptKeyToWire(key: KeptKey): Wire['Key'] {
  return {
    id: key.id,
    prefix: key.shownPrefix,
    label: key.label ?? null,
    created_at: toIso(key.createdAt),
  }
}

export function newGroupKeyToWire(key: NewKey): Wire['NewGroupKey'] {
  return { ...keptKeyToWire(key), key: key.clearText }
}

export function managementKeyToWire(key: KeptKey): Wire['ManagementKey'] {
  return {
    ...keptKeyToWire(key),
    expires_at: key.expiresAt === undefined ? null : toIso(key.expiresAt),
  }
}

export function newManagementKeyToWire(key: NewKey): Wire['NewManagementKey'] {
  return { ...managementKeyToWire(key), key: key.clearText }
}

export function tenantToWire(tenant: Tenant): Wire['Tenant'] {
  return {
    id: tenant.id,
    slug: tenant.slug,
    schema_name: `proj_${tenant.slug}`,
    external_id: tenant.externalId ?? null,
    group_id: tenant.groupId,
    metadata: tenant.metadata,
    created_at: toIso(tenant.createdAt),
  }
}

/** Returns an active tenant without keys. The platform's project routes accept `project_id`. */
export function tenantDetailToWire(tenant: Tenant): Wire['TenantDetail'] {
  return { ...tenantToWire(tenant), project_id: tenant.projectId, status: 'active' }
}

export function tenantListToWire(
  tenants: readonly Tenant[],
  total: number,
  page: Page,
): Wire['TenantPage'] {
  return {
    tenants: tenants.map((tenant) => ({
      id: tenant.id,
      slug: tenant.slug,
      external_id: tenant.externalId ?? null,
      created_at: toIso(tenant.createdAt),
    })),
    total,
    limit: page.limit,
    offset: page.offset,
  }
}

export function erasedToWire(erased: Erased): Wire['Erased'] {
  return { buckets_deleted: erased.bucketsDeleted, objects_deleted: erased.objectsDeleted }
}

export function publishedToWire(published: PublishedTemplate): Wire['Published'] {
  const { template, source, counts, tenantsOnOlderVersion } = published
  return {
    template: templateToWire(template),
    source_project_slug: source.slug,
    tables_copied: counts.tables,
    foreign_keys: counts.foreignKeys,
    tenants_na_versao_anterior: tenantsOnOlderVersion,
    aviso: publishWarning(template, tenantsOnOlderVersion),
  }
}

function publishWarning(template: Project, tenants: number): string {
  const kept =
    tenants === 1 ? '1 tenant existente continua' : `${tenants} tenants existentes continuam`
  return (
    `A publicação não se aplica aos tenants existentes: ${kept} na estrutura anterior. ` +
    `Novos tenants usam ${template.slug}. Para migrar os demais, execute a migração em cada tenant pela rota db/exec.`
  )
}

export interface GroupOverview {
  readonly group: Group
  readonly template: Project | undefined
  /** Absent when the template's structure cannot be read any more. */
  readonly counts: StructureCounts | undefined
  readonly source: Project | undefined
  readonly total: number
  readonly onOlderVersion: number
}

export function groupOverviewToWire(overview: GroupOverview): Wire['GroupOverview'] {
  const { group, template, counts, source, total, onOlderVersion } = overview
  return {
    group: { id: group.id, slug: group.slug, name: group.name },
    template: {
      slug: template?.slug ?? null,
      congelado_em: template?.frozenAt === undefined ? null : toIso(template.frozenAt),
      tabelas: counts?.tables ?? null,
      foreign_keys: counts?.foreignKeys ?? null,
    },
    source: source?.state === 'active' ? { slug: source.slug } : null,
    tenants: {
      total,
      na_versao_atual: total - onOlderVersion,
      em_versao_anterior: onOlderVersion,
      teto: TENANT_CEILING,
    },
  }
}

export function bucketToWire(bucket: PlatformBucket): Wire['Bucket'] {
  return {
    id: bucket.fullName,
    name: bucket.fullName,
    public: bucket.isPublic,
    file_size_limit: bucket.fileSizeLimit ?? null,
    created_at: toIso(bucket.createdAt),
  }
}

/** SQL errors are also sent with HTTP 200 (docs/wire/platform.md). */
export function sqlOutcomeToWire(outcome: SqlOutcome): Wire['SqlResult'] | Wire['SqlFailure'] {
  if (outcome.kind === 'sqlError')
    return {
      error: { code: outcome.code, message: outcome.message, line: outcome.line ?? null },
    }
  return {
    columns: outcome.columns,
    rows: outcome.rows,
    rows_affected: outcome.rowsAffected,
    duration_ms: outcome.durationMillis,
    ...(outcome.advice.length === 0 ? {} : { avisos: outcome.advice.map(adviceToWire) }),
  }
}

const ADVICE_KINDS = {
  rowSecurityOff: 'rls_desligada',
  grantToPublicConverted: 'grant_public_convertido',
  platformLeftOut: 'objetos_da_plataforma_omitidos',
} as const satisfies Readonly<Record<SqlAdvice['kind'], string>>

function adviceToWire(advice: SqlAdvice): NonNullable<Wire['SqlResult']['avisos']>[number] {
  return {
    tipo: ADVICE_KINDS[advice.kind],
    objeto: advice.subject,
    mensagem: advice.message,
    como_corrigir: advice.remedy,
  }
}
