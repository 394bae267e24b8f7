// Changes groups and tenants over the platform's own routes. Requests go to this page's origin, because the management
// plane refuses other origins. Each call first reads the session and Group API Key from GET /info, because the emulator
// replaces a revoked key.
import type { PlanTier } from '../../emulator/contract/choices.ts'
import { ApiError, call, type PlatformCall, platformJson } from './client.ts'
import { wallNow } from './time.ts'

export interface NewGroupKey {
  readonly id: string
  readonly prefix: string
  /** The key in clear text. No later response contains the key. */
  readonly key: string
}

export interface TenantOrder {
  readonly slug: string
  readonly external_id?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface ProvisionedTenant {
  readonly slug: string
  readonly schemaName: string
  readonly anonKey: string
  readonly serviceRoleKey: string
  /** Wall-clock milliseconds between the request and its answer. */
  readonly tookMillis: number
}

export interface PurgedTenant {
  /** Whether the emulator is still erasing data in the background. */
  readonly isPending: boolean
  readonly buckets: number
  readonly objects: number
}

export interface PublishedTemplate {
  readonly slug: string
  readonly tables: number
  readonly tenantsOnOlderVersion: number
}

/** @throws {ApiError} */
export function mintGroupKey(groupId: string, label: string | undefined): Promise<NewGroupKey> {
  return asOwner<NewGroupKey>(`/platform/v1/groups/${groupId}/keys`, 'POST', { label })
}

/** @throws {ApiError} */
export function revokeGroupKey(groupId: string, keyId: string): Promise<void> {
  return asOwner(`/platform/v1/groups/${groupId}/keys/${encodeURIComponent(keyId)}`, 'DELETE')
}

/** @throws {ApiError} */
export function renameGroup(groupId: string, name: string): Promise<void> {
  return asOwner(`/platform/v1/groups/${groupId}`, 'PATCH', { name })
}

/** Changes the plan of a template or of a project without a group. @throws {ApiError} */
export function changePlan(projectId: string, plan: PlanTier): Promise<void> {
  return asOwner(`/platform/v1/projects/${projectId}`, 'PATCH', { plan })
}

/** @throws {ApiError} */
export async function provisionTenant(
  groupId: string,
  order: TenantOrder,
): Promise<ProvisionedTenant> {
  const access = await accessTo(groupId)
  const begun = wallNow()
  const { tenant, anon_key, service_role_key } = await platformJson<{
    readonly tenant: { readonly slug: string; readonly schema_name: string }
    readonly anon_key: string
    readonly service_role_key: string
  }>(`${access.url}/tenants`, { method: 'POST', credential: access.key, body: order })
  return {
    slug: tenant.slug,
    schemaName: tenant.schema_name,
    anonKey: anon_key,
    serviceRoleKey: service_role_key,
    tookMillis: wallNow() - begun,
  }
}

/** Takes the tenant offline and keeps its data. @throws {ApiError} */
export async function removeTenant(groupId: string, slug: string): Promise<void> {
  const { url, key } = await accessTo(groupId)
  await platformJson(`${url}/tenants/${slug}`, { method: 'DELETE', credential: key })
}

/** Erases the tenant and all its data. @throws {ApiError} */
export async function purgeTenant(groupId: string, slug: string): Promise<PurgedTenant> {
  const { url, key } = await accessTo(groupId)
  const answer = await platformJson<{
    readonly pendente?: boolean
    readonly purged?: { readonly buckets_deleted: number; readonly objects_deleted: number }
  }>(`${url}/tenants/${slug}/purge`, {
    method: 'DELETE',
    credential: key,
    body: { confirm_slug: slug },
  })
  return {
    isPending: answer.pendente === true,
    buckets: answer.purged?.buckets_deleted ?? 0,
    objects: answer.purged?.objects_deleted ?? 0,
  }
}

/** @throws {ApiError} */
export async function publishTemplate(groupId: string): Promise<PublishedTemplate> {
  const { url, key } = await accessTo(groupId)
  const answer = await platformJson<{
    readonly template: { readonly slug: string }
    readonly tables_copied: number
    readonly tenants_na_versao_anterior: number
  }>(`${url}/template/publish`, { method: 'POST', credential: key })
  return {
    slug: answer.template.slug,
    tables: answer.tables_copied,
    tenantsOnOlderVersion: answer.tenants_na_versao_anterior,
  }
}

async function asOwner<Body>(path: string, method: string, body?: unknown): Promise<Body> {
  const info = await call('GET /info')
  const options: PlatformCall = { method, credential: info.platform.session_token, body }
  return platformJson<Body>(path, options)
}

async function accessTo(groupId: string): Promise<{ readonly url: string; readonly key: string }> {
  const info = await call('GET /info')
  const group = info.groups.find(({ id }) => id === groupId)
  if (group === undefined) throw new ApiError(404, 'not_found', 'This group no longer exists.')
  return { url: `/groups/v1/${groupId}`, key: group.group_api_key }
}
