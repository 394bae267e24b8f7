// Environment variables with which an application connects to the emulator as one tenant. Pure.
import type { ReadyLine } from './contract/addresses.ts'

/**
 * Returns the settings for `slug` (default: the first tenant). Without any tenant, returns only addresses and the dashboard
 * account.
 */
export function connectionSettings(
  ready: ReadyLine,
  slug?: string,
): Readonly<Record<string, string>> {
  const platform = {
    TENANTRY_AUTH_URL: ready.auth_url,
    TENANTRY_DATA_URL: ready.data_url,
    TENANTRY_DEV_EMAIL: ready.platform.email,
    TENANTRY_DEV_PASSWORD: ready.platform.password,
  }
  for (const group of ready.groups)
    for (const tenant of group.tenants)
      if (slug === undefined || tenant.slug === slug)
        return {
          ...platform,
          TENANTRY_PROJECT: tenant.slug,
          TENANTRY_SCHEMA: tenant.schema_name,
          TENANTRY_ANON_KEY: tenant.anon_key,
          TENANTRY_SERVICE_ROLE_KEY: tenant.service_role_key,
          TENANTRY_GROUP_ID: group.id,
          TENANTRY_GROUP_API_KEY: group.group_api_key,
          ...(tenant.postgres_url === null ? {} : { TENANTRY_POSTGRES_URL: tenant.postgres_url }),
        }
  return platform
}

/** Formats the settings as lines of a `.env` file. */
export function environmentLines(ready: ReadyLine, slug?: string): readonly string[] {
  return Object.entries(connectionSettings(ready, slug)).map(([name, value]) => `${name}=${value}`)
}
