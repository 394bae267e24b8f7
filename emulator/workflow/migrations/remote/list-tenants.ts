// Lists the tenants of a group that runs elsewhere.
import { isJsonObject, type JsonObject } from '../../../core/json.ts'
import type { PlatformClient } from './platform-client.ts'

/** Page size of the list of tenants (docs/wire/platform.md#list-tenants). */
const PAGE = 200

/** Returns the tenants that are not deleted, the oldest first. @throws {RemoteError} */
export async function listTenants(
  client: PlatformClient,
  group: string,
): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = []
  for (;;) {
    const { tenants, total } = await client.tenants(group, { limit: PAGE, offset: found.length })
    const page = Array.isArray(tenants) ? tenants.filter(isJsonObject) : []
    found.push(...page)
    if (page.length === 0 || typeof total !== 'number' || found.length >= total)
      return found.reverse()
  }
}
