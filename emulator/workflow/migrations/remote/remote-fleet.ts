// The fleet of a group on the hosted platform, reached through its HTTP API. A session runs db/exec in all projects of its owner.
// Without a session, the template needs its management key, and the Group API Key creates a management key for each tenant
// (docs/wire/platform.md#management-keys).
import { isJsonObject, type JsonObject } from '../../../core/json.ts'
import { type Fleet, FleetFailure, type FleetProject } from '../apply/fleet.ts'
import { listTenants } from './list-tenants.ts'
import type { PlatformClient } from './platform-client.ts'
import { RemoteError } from './remote-error.ts'
import { type NamedKey, requireKey } from './remote-keys.ts'

const KEY_DAYS = 1
const MAX_ATTEMPTS = 3

export interface RemoteFleetOptions {
  /** Whether `exec` may create a management key for a tenant, when no session is set. Default: true. */
  readonly createsKeys?: boolean
}

export function createRemoteFleet(
  client: PlatformClient,
  groupId: string,
  { createsKeys = true }: RemoteFleetOptions = {},
): Fleet {
  const { sessionToken } = client.keys
  const tenantKeys = new Map<string, NamedKey>()
  let template: FleetProject | undefined
  let version: FleetProject | undefined
  const keyOf = async ({ slug }: FleetProject): Promise<NamedKey> => {
    if (slug === template?.slug)
      return requireKey(client.keys, ['managementKey', 'sessionToken'], `the template ${slug}`)
    if (slug === version?.slug)
      return requireKey(client.keys, ['sessionToken'], `the published version ${slug}`)
    if (sessionToken !== undefined || !createsKeys)
      return requireKey(client.keys, ['sessionToken'], `the tenant ${slug}`)
    const order = { label: 'tenantry migrate', expires_in_days: KEY_DAYS }
    const known = tenantKeys.get(slug) ?? (await client.createTenantKey(groupId, slug, order))
    tenantKeys.set(slug, known)
    return known
  }
  return {
    template: async () => {
      const { source, version: current } = await readGroup(client, groupId)
      template = projectOf(source ?? current)
      return template
    },
    versions: async () => {
      const { source, version: current } = await readGroup(client, groupId)
      version = source === undefined || source === current ? undefined : projectOf(current)
      return version === undefined ? [] : [version]
    },
    tenants: async () => {
      const tenants = await listTenants(client, groupId)
      const slugs = tenants.map((tenant) => textIn(tenant, 'slug'))
      return slugs.flatMap((slug) => (slug === undefined ? [] : [projectOf(slug)]))
    },
    exec: async (project, sql) => client.exec(project.schemaName, sql, await keyOf(project)),
    publish: () => publish(client, groupId),
  }
}

function projectOf(slug: string): FleetProject {
  return { slug, schemaName: `proj_${slug}`, state: 'active', templateVersion: null }
}

/** Returns the slugs of the group's source, if known, and of the version that new tenants are cloned from. */
async function readGroup(
  client: PlatformClient,
  groupId: string,
): Promise<{ readonly source: string | undefined; readonly version: string }> {
  const overview = await client.group(groupId)
  const bound = textIn(overview, 'template_project_id')?.replace(/^proj_/, '')
  const version = slugIn(overview, 'template') ?? bound
  if (version === undefined)
    throw new RemoteError('template_gone', `The group ${groupId} has no template.`, {
      hint: 'Check --group.',
    })
  return { source: slugIn(overview, 'source'), version }
}

function slugIn(body: JsonObject, member: string): string | undefined {
  const value = body[member]
  return isJsonObject(value) ? textIn(value, 'slug') : undefined
}

function textIn(body: JsonObject, member: string): string | undefined {
  const value = body[member]
  return typeof value === 'string' ? value : undefined
}

/** Publishes the template. When the answer is lost, reads the group to find out whether a new version exists. */
async function publish(client: PlatformClient, groupId: string): Promise<string> {
  const { version: before } = await readGroup(client, groupId)
  for (let attempt = 1; ; attempt += 1)
    try {
      const slug = slugIn(await client.publish(groupId), 'template')
      return slug ?? (await readGroup(client, groupId)).version
    } catch (error) {
      const isLost =
        error instanceof FleetFailure && error.kind === 'lost' && error.code !== 'clone_incompleto'
      if (!isLost) throw error
      const { version } = await readGroup(client, groupId)
      if (version !== before) return version
      if (attempt === MAX_ATTEMPTS) throw error
    }
}
