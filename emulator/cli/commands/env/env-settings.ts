// Chooses the variables that `tenantry env` prints: those of one project or of all tenants, for programs on a server or for code
// that browsers load. Pure.
import {
  connectionSettings,
  projectSettings,
} from '../../../assembly/library/connection-settings.ts'
import type {
  ProjectConnection,
  ReadyGroup,
  ReadyLine,
  ReadyTenant,
} from '../../../contract/addresses.ts'

export type Settings = Readonly<Record<string, string>>

/**
 * Returns what code in a browser may know: addresses, names and the public key, and no secret. The names begin with `prefix`.
 * @param project the project, or `undefined` for all tenants
 */
export function frontendSettings(
  ready: ReadyLine,
  prefix: string,
  project: ProjectConnection | undefined,
): Settings {
  const settings = {
    AUTH_URL: ready.auth_url,
    DATA_URL: ready.data_url,
    STORAGE_URL: ready.storage_url,
    REALTIME_URL: ready.realtime_url,
    ...(project === undefined
      ? { TENANTS: tenantsText(ready, publicFacts) }
      : {
          PROJECT: project.slug,
          SCHEMA: project.schema_name,
          ANON_KEY: project.anon_key,
          BUCKETS: JSON.stringify(bucketsOf(project)),
        }),
  }
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`${prefix}TENANTRY_${name}`, value]),
  )
}

/** Returns addresses and keys of one project, secrets included. A tenant also has its group's id and key. */
export function serverSettings(ready: ReadyLine, project: ProjectConnection | undefined): Settings {
  const isTenant = ready.groups.some(({ tenants }) =>
    tenants.some(({ project_id }) => project_id === project?.project_id),
  )
  if (project === undefined || isTenant) return connectionSettings(ready, project?.slug)
  return { ...connectionSettings({ ...ready, groups: [] }), ...projectSettings(project) }
}

/** Returns addresses and the keys of all tenants, secrets included. */
export function serverSettingsOfAll(ready: ReadyLine): Settings {
  const secretFacts = (tenant: ReadyTenant, group: ReadyGroup) => ({
    ...publicFacts(tenant),
    service_role_key: tenant.service_role_key,
    group_id: group.id,
    group_api_key: group.group_api_key,
    postgres_url: tenant.postgres_url,
  })
  return {
    ...connectionSettings({ ...ready, groups: [] }),
    TENANTRY_TENANTS: tenantsText(ready, secretFacts),
  }
}

/** One JSON object, because bundlers replace only variables whose whole name is in the code. */
function tenantsText(
  { groups }: ReadyLine,
  factsOf: (tenant: ReadyTenant, group: ReadyGroup) => object,
): string {
  return JSON.stringify(
    Object.fromEntries(
      groups.flatMap((group) =>
        group.tenants.map((tenant) => [tenant.slug, factsOf(tenant, group)]),
      ),
    ),
  )
}

function publicFacts(project: ProjectConnection) {
  const { anon_key, schema_name: schema } = project
  return { schema, anon_key, buckets: bucketsOf(project) }
}

/** Full names of buckets by their short names. Requests need the full name (docs/wire/storage.md#buckets). */
function bucketsOf({ buckets, schema_name: schema }: ProjectConnection): Settings {
  return Object.fromEntries(buckets.map((name) => [name.slice(schema.length + 1), name]))
}
