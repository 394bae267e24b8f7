// Reads a group and its tenants, with a Group API Key.
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import type { PlatformClient } from '../remote/platform-client.ts'
import { PullError } from './pull-error.ts'

export interface PulledTenant {
  readonly slug: string
  readonly external_id?: string
  readonly metadata?: JsonObject
}

export interface PulledGroup {
  readonly name: string
  /** Oldest first. */
  readonly tenants: readonly PulledTenant[]
}

/** The largest page that the emulator serves (docs/wire/platform.md#list-tenants). */
const PAGE = 200
/** Details that are read at the same time. */
const AT_ONCE = 8

/** @param slug slug of the project that is pulled @throws {PullError} `wrong_group` @throws {RemoteError} */
export async function readGroup(
  client: PlatformClient,
  group: string,
  slug: string,
): Promise<PulledGroup> {
  const overview = await client.group(group)
  const slugs = [slugIn(overview['source']), slugIn(overview['template'])].filter(
    (found) => found !== '',
  )
  if (slugs.length > 0 && !slugs.includes(slug))
    throw new PullError(
      'wrong_group',
      `The project ${slug} is not the template of the group ${group}, whose template is ${slugs[0]}.`,
      {
        hint: 'Check --project and --group.',
      },
    )
  const { name } = isJsonObject(overview['group']) ? overview['group'] : {}
  const listed = await listTenants(client, group)
  return {
    name: typeof name === 'string' ? name : group,
    tenants: await readDetails(client, group, listed.toReversed()),
  }
}

function slugIn(value: JsonValue | undefined): string {
  return isJsonObject(value) && typeof value['slug'] === 'string' ? value['slug'] : ''
}

/** Returns the tenants as the platform lists them: newest first. */
async function listTenants(client: PlatformClient, group: string): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = []
  for (;;) {
    const { tenants, total } = await client.tenants(group, { limit: PAGE, offset: found.length })
    const page = Array.isArray(tenants) ? tenants.filter(isJsonObject) : []
    found.push(...page)
    if (page.length === 0 || typeof total !== 'number' || found.length >= total) return found
  }
}

async function readDetails(
  client: PlatformClient,
  group: string,
  listed: readonly JsonObject[],
): Promise<readonly PulledTenant[]> {
  const read: PulledTenant[] = []
  for (let start = 0; start < listed.length; start += AT_ONCE) {
    const some = listed.slice(start, start + AT_ONCE)
    const details = await Promise.all(some.map(({ id }) => client.tenant(group, String(id))))
    read.push(...some.map((tenant, index) => tenantOf({ ...tenant, ...details[index] })))
  }
  return read
}

function tenantOf({ external_id, metadata, slug }: JsonObject): PulledTenant {
  return {
    slug: String(slug),
    ...(typeof external_id === 'string' ? { external_id } : {}),
    ...(isJsonObject(metadata) && Object.keys(metadata).length > 0 ? { metadata } : {}),
  }
}
