// Environment variables with which an application connects to the emulator as one tenant. Pure.
import type { ProjectConnection, ReadyLine } from '../../contract/addresses.ts'

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
          ...projectSettings(tenant),
          TENANTRY_GROUP_ID: group.id,
          TENANTRY_GROUP_API_KEY: group.group_api_key,
        }
  return platform
}

/** Returns the settings of one project, a template or a tenant. */
export function projectSettings(project: ProjectConnection): Readonly<Record<string, string>> {
  return {
    TENANTRY_PROJECT: project.slug,
    TENANTRY_SCHEMA: project.schema_name,
    TENANTRY_ANON_KEY: project.anon_key,
    TENANTRY_SERVICE_ROLE_KEY: project.service_role_key,
    ...(project.postgres_url === null ? {} : { TENANTRY_POSTGRES_URL: project.postgres_url }),
  }
}

/** Formats the settings as lines of a `.env` file. */
export function environmentLines(ready: ReadyLine, slug?: string): readonly string[] {
  return Object.entries(connectionSettings(ready, slug)).map(([name, value]) => `${name}=${value}`)
}
