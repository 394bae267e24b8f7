// The fleet of a group on the hosted platform, reached through its HTTP API. A session runs db/exec in all projects of its owner.
// Without a session, the template needs its management key, and the Group API Key creates a management key for each tenant
// (docs/wire/platform.md#management-keys).
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { type ExecOutcome, type Fleet, FleetFailure, type FleetProject } from './fleet.ts'
import type { RemoteApi } from './remote-api.ts'

export interface RemoteCredentials {
  readonly sessionToken: string | undefined
  readonly groupKey: string | undefined
  /** Management key of the template. */
  readonly managementKey: string | undefined
}

interface Remote {
  readonly api: RemoteApi
  readonly groupId: string
  readonly keys: RemoteCredentials
}

/** Page size of the list of tenants (docs/wire/platform.md#list-tenants). */
const PAGE = 200
const KEY_DAYS = 1
const MAX_ATTEMPTS = 3

export function createRemoteFleet(api: RemoteApi, groupId: string, keys: RemoteCredentials): Fleet {
  const remote: Remote = { api, groupId, keys }
  const tenantKeys = new Map<string, string>()
  let template: FleetProject | undefined
  const credentialOf = async ({ slug }: FleetProject): Promise<string> => {
    if (keys.sessionToken !== undefined) return keys.sessionToken
    if (slug === template?.slug)
      return requireKey(keys.managementKey, 'TENANTRY_REMOTE_MANAGEMENT_KEY', 'The template')
    const known = tenantKeys.get(slug) ?? (await createTenantKey(remote, slug))
    tenantKeys.set(slug, known)
    return known
  }
  return {
    template: async () => {
      const { source, version } = await readGroup(remote)
      template = projectOf(source ?? version, null)
      return template
    },
    versions: async () => {
      const { source, version } = await readGroup(remote)
      const isReadable = keys.sessionToken !== undefined && source !== undefined
      return isReadable && source !== version ? [projectOf(version, null)] : []
    },
    tenants: () => listTenants(remote),
    exec: async (project, sql) => execIn(api, project, sql, await credentialOf(project)),
    publish: () => publish(remote),
  }
}

function projectOf(slug: string, templateVersion: string | null): FleetProject {
  return { slug, schemaName: `proj_${slug}`, state: 'active', templateVersion }
}

function requireKey(key: string | undefined, variable: string, what: string): string {
  if (key !== undefined) return key
  throw new FleetFailure(
    'refused',
    'key_needed',
    `${what} needs a credential.`,
    `Set ${variable}, or TENANTRY_REMOTE_SESSION_TOKEN for all projects of an account.`,
  )
}

function groupKeyOf({ keys }: Remote, what: string): string {
  if (keys.groupKey !== undefined) return keys.groupKey
  const hint = 'Set TENANTRY_REMOTE_GROUP_API_KEY.'
  throw new FleetFailure('refused', 'key_needed', `${what} needs the Group API Key.`, hint)
}

/** Slugs of the group's source, if it is known, and of the version that new tenants are cloned from. */
async function readGroup({
  api,
  groupId,
  keys,
}: Remote): Promise<{ readonly source: string | undefined; readonly version: string }> {
  const { groupKey, sessionToken } = keys
  const body =
    groupKey === undefined
      ? await api.call(
          'GET',
          `/platform/v1/groups/${encodeURIComponent(groupId)}`,
          requireKey(sessionToken, 'TENANTRY_REMOTE_GROUP_API_KEY', 'The group'),
        )
      : await api.call('GET', `/groups/v1/${encodeURIComponent(groupId)}`, groupKey)
  const bound = textOf(body, 'template_project_id')?.replace(/^proj_/, '')
  const version = slugIn(body, 'template') ?? bound
  if (version === undefined)
    throw new FleetFailure('refused', 'template_gone', `The group ${groupId} has no template.`)
  return { source: slugIn(body, 'source'), version }
}

function slugIn(body: JsonObject, member: string): string | undefined {
  const value = body[member]
  return isJsonObject(value) ? textOf(value, 'slug') : undefined
}

function textOf(body: JsonObject, member: string): string | undefined {
  const value = body[member]
  return typeof value === 'string' ? value : undefined
}

/** Active tenants, the oldest first. */
async function listTenants(remote: Remote): Promise<readonly FleetProject[]> {
  const { api, groupId } = remote
  const key = groupKeyOf(remote, 'The list of tenants')
  const found: FleetProject[] = []
  for (;;) {
    const path = `/groups/v1/${encodeURIComponent(groupId)}/tenants?limit=${PAGE}&offset=${found.length}`
    const { tenants, total } = await api.call('GET', path, key)
    const page = (Array.isArray(tenants) ? tenants : []).filter(isJsonObject)
    found.push(...page.flatMap((tenant) => projectsOf(tenant)))
    if (page.length === 0 || found.length >= Number(total)) return found.reverse()
  }
}

function projectsOf(tenant: JsonObject): readonly FleetProject[] {
  const slug = textOf(tenant, 'slug')
  return slug === undefined ? [] : [projectOf(slug, null)]
}

async function createTenantKey(remote: Remote, slug: string): Promise<string> {
  const { api, groupId } = remote
  const path = `/groups/v1/${encodeURIComponent(groupId)}/tenants/${slug}/keys`
  const order = { label: 'tenantry migrate', expires_in_days: KEY_DAYS }
  const answer = await api.call('POST', path, groupKeyOf(remote, `The tenant ${slug}`), order)
  const key = textOf(answer, 'key')
  if (key !== undefined) return key
  throw new FleetFailure('lost', 'no_key', `No management key was created for ${slug}.`)
}

/** Refusals of the SQL itself. Other refusals concern the credential or the project. */
const SQL_REFUSALS: ReadonlySet<string> = new Set([
  'transaction_control_blocked',
  'role_change_blocked',
  'system_schema_protected',
])

async function execIn(
  api: RemoteApi,
  { schemaName }: FleetProject,
  sql: string,
  credential: string,
): Promise<ExecOutcome> {
  try {
    const path = `/platform/v1/projects/${schemaName}/db/exec`
    const { error, rows } = await api.call('POST', path, credential, { sql })
    if (!isJsonObject(error))
      return { kind: 'done', rows: (Array.isArray(rows) ? rows : []).filter(isJsonObject) }
    const line = error['line']
    return {
      kind: 'failed',
      code: textOf(error, 'code') ?? 'XX000',
      message: textOf(error, 'message') ?? 'The SQL failed.',
      line: typeof line === 'number' ? line : undefined,
    }
  } catch (error) {
    if (!(error instanceof FleetFailure) || !SQL_REFUSALS.has(error.code)) throw error
    const message = [error.message, error.hint].filter(Boolean).join(' ')
    return { kind: 'failed', code: error.code, message, line: undefined }
  }
}

/** Publishes the template. When the answer is lost, the group says whether a new version exists. */
async function publish(remote: Remote): Promise<string> {
  const { api, groupId, keys } = remote
  const { version: before } = await readGroup(remote)
  const base = keys.groupKey === undefined ? '/platform/v1/groups' : '/groups/v1'
  const credential =
    keys.groupKey ?? requireKey(keys.sessionToken, 'TENANTRY_REMOTE_GROUP_API_KEY', 'Publishing')
  for (let attempt = 1; ; attempt += 1)
    try {
      const path = `${base}/${encodeURIComponent(groupId)}/template/publish`
      const slug = slugIn(await api.call('POST', path, credential, {}), 'template')
      return slug ?? (await readGroup(remote)).version
    } catch (error) {
      const isLost =
        error instanceof FleetFailure && error.kind === 'lost' && error.code !== 'clone_incompleto'
      if (!isLost) throw error
      const { version } = await readGroup(remote)
      if (version !== before) return version
      if (attempt === MAX_ATTEMPTS) throw error
    }
}
