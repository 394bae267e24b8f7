// Finds a tenant, or provisions one through the group's route, as a vendor's backend does.
import type { ReadyGroup, ReadyLine } from '../../contract/addresses.ts'
import { callPlatform, type Platform, readPlatform, TestingError } from './platform.ts'
import { createTenant, runSql, type Tenant, type TenantFacts } from './tenant.ts'

/** Options of a new tenant. */
export interface TenantOptions {
  /** Name or id of the group of a new tenant (default: the first group, or a new one). */
  readonly group?: string
}

export interface Tenants {
  /**
   * Returns the tenant with the slug. Provisions the tenant if it does not exist. Without a slug, provisions a new tenant.
   * @throws {TestingError} `unknown_group`, or `refused`, e.g. when the group is full
   */
  tenant(slug?: string, options?: TenantOptions): Promise<Tenant>
  /**
   * Returns the tenant with that slug, schema name or project id.
   * @throws {TestingError} `unknown_tenant`; the message names the existing tenants
   */
  find(reference: string): Promise<Tenant>
}

const CONFLICT = 409

export function createTenants(platform: Platform): Tenants {
  let counter = 0
  let known:
    | { readonly name: string | undefined; readonly access: Promise<GroupAccess> }
    | undefined
  // Caches the group, because reading the platform mints the keys of all tenants.
  async function inGroup(name: string | undefined, slug: string): Promise<Tenant | undefined> {
    const wasKnown = known?.name === name ? known : undefined
    const { access } = wasKnown ?? { access: findGroup(platform, name) }
    known = { name, access }
    try {
      return await provision(platform, await access, slug)
    } catch (error) {
      known = undefined
      // A reset or a restored snapshot may have removed the group.
      if (wasKnown === undefined || !isGone(error)) throw error
      return inGroup(name, slug)
    }
  }
  async function provisionNew(options: TenantOptions): Promise<Tenant> {
    for (;;) {
      counter += 1
      const made = await inGroup(options.group, `test_${counter}`)
      if (made !== undefined) return made
    }
  }
  return {
    tenant: async (slug, options = {}) => {
      if (slug === undefined) return provisionNew(options)
      const found = tenantIn(await readPlatform(platform), slug)
      if (found !== undefined) return createTenant(platform, found)
      const made = await inGroup(options.group, slug)
      if (made !== undefined) return made
      throw new TestingError(
        'refused',
        `The slug ${slug} belongs to a project that is not a tenant, or to a former tenant.`,
      )
    },
    find: async (reference) => {
      const ready = await readPlatform(platform)
      const found = tenantIn(ready, reference)
      if (found !== undefined) return createTenant(platform, found)
      const names = ready.groups.flatMap(({ tenants }) => tenants.map(({ slug }) => slug))
      throw new TestingError(
        'unknown_tenant',
        `There is no tenant ${reference}. ${names.length === 0 ? 'There are no tenants.' : `There are: ${names.join(', ')}.`}`,
      )
    },
  }
}

const GONE: readonly number[] = [401, 403, 404]

function isGone(error: unknown): boolean {
  return error instanceof TestingError && GONE.includes(error.status)
}

interface GroupAccess {
  readonly id: string
  readonly key: string
}

async function provision(
  platform: Platform,
  { id, key }: GroupAccess,
  slug: string,
): Promise<Tenant | undefined> {
  try {
    const made = await callPlatform<ProvisionedTenant>(
      platform,
      'POST',
      `/groups/v1/${id}/tenants`,
      { credential: key, body: { slug } },
    )
    const path = `/groups/v1/${id}/tenants/${slug}`
    const detail = await callPlatform<TenantDetail>(platform, 'GET', path, { credential: key })
    return createTenant(platform, {
      slug,
      schemaName: detail.schema_name,
      projectId: detail.project_id,
      anonKey: made.anon_key,
      serviceRoleKey: made.service_role_key,
      groupId: id,
      groupApiKey: key,
    })
  } catch (error) {
    if (error instanceof TestingError && error.status === CONFLICT) return undefined
    throw error
  }
}

interface ProvisionedTenant {
  readonly anon_key: string
  readonly service_role_key: string
}

interface TenantDetail {
  readonly schema_name: string
  readonly project_id: string
}

async function findGroup(platform: Platform, name: string | undefined): Promise<GroupAccess> {
  const ready = await readPlatform(platform)
  const found = ready.groups.find((group) => isNamed(group, name))
  if (found !== undefined) return { id: found.id, key: found.group_api_key }
  if (name !== undefined)
    throw new TestingError(
      'unknown_group',
      `There is no group ${name}. There are: ${ready.groups.map((group) => group.name).join(', ') || 'none'}.`,
    )
  return createGroup(platform, ready, NEW_GROUP)
}

function isNamed(group: ReadyGroup, name: string | undefined): boolean {
  return name === undefined || group.name === name || group.id === name
}

/** A group with the template of its tenants. */
export interface GroupOrder {
  readonly name: string
  /** Slug of the template's project. */
  readonly template: string
  /** SQL that runs in the template, in this order. */
  readonly sql: readonly string[]
}

const NEW_GROUP: GroupOrder = { name: 'Tests', template: 'test_template', sql: [] }

/** Creates the group unless it exists. @throws {TestingError} `refused`, `sql_failed` */
export async function makeGroup(platform: Platform, order: GroupOrder): Promise<void> {
  const ready = await readPlatform(platform)
  if (!ready.groups.some((group) => isNamed(group, order.name)))
    await createGroup(platform, ready, order)
}

async function createGroup(
  platform: Platform,
  { platform: account }: ReadyLine,
  { name, template, sql }: GroupOrder,
): Promise<GroupAccess> {
  const credential = account.session_token
  const make = (path: string, body: unknown) =>
    callPlatform<{ readonly id: string }>(platform, 'POST', path, { credential, body })
  await make('/platform/v1/projects', { name, slug: template, plan: 'scale' })
  for (const text of sql) await runSql(platform, `proj_${template}`, text)
  const { id } = await make('/platform/v1/groups', {
    name,
    template_project_id: `proj_${template}`,
  })
  const { groups } = await readPlatform(platform)
  return { id, key: groups.find((group) => group.id === id)?.group_api_key ?? '' }
}

function tenantIn(ready: ReadyLine, reference: string): TenantFacts | undefined {
  for (const group of ready.groups)
    for (const tenant of group.tenants)
      if ([tenant.slug, tenant.schema_name, tenant.project_id].includes(reference))
        return {
          slug: tenant.slug,
          schemaName: tenant.schema_name,
          projectId: tenant.project_id,
          anonKey: tenant.anon_key,
          serviceRoleKey: tenant.service_role_key,
          groupId: group.id,
          groupApiKey: group.group_api_key,
        }
  return undefined
}
