// Reads a group and its tenants, with a Group API Key.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import { listTenants } from '../remote/list-tenants.ts'
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

/** Details that are read at the same time. */
const AT_ONCE = 8

/** @param slug slug of the project that is pulled @throws {PullError} `wrong_group` @throws {RemoteError} */
export async function readGroup(
  client: PlatformClient,
  group: string,
  slug: string,
): Promise<PulledGroup> {
  // The list needs the Group API Key. Reading it first reports a missing key before anything else.
  const listed = await listTenants(client, group)
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
  return {
    name: typeof name === 'string' ? name : group,
    tenants: await readDetails(client, group, listed),
  }
}

function slugIn(value: JsonValue | undefined): string {
  return isJsonObject(value) && typeof value['slug'] === 'string' ? value['slug'] : ''
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
