// Environment variables for code that browsers load, for `tenantry env --prefix` and tenantry/vite. They contain no secret.
import type {
  ProjectConnection,
  ReadyGroup,
  ReadyLine,
  ReadyTenant,
} from '../contract/addresses.ts'
import type { RunningEmulator } from '../platform/http-client/running-emulator.ts'

/** Returns the named project, or the first tenant. Returns `undefined` when no project is named and no tenant exists. */
export async function projectOf(
  emulator: RunningEmulator,
  { groups }: ReadyLine,
  slug: string | undefined,
): Promise<ProjectConnection | undefined> {
  const tenants = groups.flatMap((group) => group.tenants)
  if (slug === undefined) return tenants[0]
  return (
    tenants.find((tenant) => tenant.slug === slug) ??
    (await emulator.call('GET /projects/:ref/connection', { params: { ref: slug } }))
  )
}

/**
 * Returns the variables for code in a browser: addresses, names and the public key, but no secret. Their names begin with
 * `prefix`.
 * @param project the project, or `undefined` for all tenants
 */
export function frontendSettings(
  ready: ReadyLine,
  prefix: string,
  project: ProjectConnection | undefined,
): Readonly<Record<string, string>> {
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

/** Returns all tenants in one variable, because bundlers replace only variables whose full name is in the code. */
export function tenantsText(
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

/** What a page may know of a project. */
export function publicFacts(project: ProjectConnection): object {
  const { anon_key, schema_name: schema } = project
  return { schema, anon_key, buckets: bucketsOf(project) }
}

/** Full names of buckets by their short names. Requests need the full name (docs/wire/storage.md#buckets). */
function bucketsOf({
  buckets,
  schema_name: schema,
}: ProjectConnection): Readonly<Record<string, string>> {
  return Object.fromEntries(buckets.map((name) => [name.slice(schema.length + 1), name]))
}
