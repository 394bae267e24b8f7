// The `.env` of an application that talks to this emulator as one tenant. Pure.
import type { ReadyLine } from '../../emulator/contract/addresses.ts'

/** The same names as the command line prints; `undefined` for a project whose keys are not told. */
export function envBlock(info: ReadyLine, slug: string): string | undefined {
  for (const group of info.groups) {
    const tenant = group.tenants.find((one) => one.slug === slug)
    if (tenant === undefined) continue
    return [
      `TENANTRY_AUTH_URL=${info.auth_url}`,
      `TENANTRY_DATA_URL=${info.data_url}`,
      `TENANTRY_DEV_EMAIL=${info.platform.email}`,
      `TENANTRY_DEV_PASSWORD=${info.platform.password}`,
      `TENANTRY_STORAGE_URL=${info.storage_url}`,
      `TENANTRY_REALTIME_URL=${info.realtime_url}`,
      `TENANTRY_PROJECT=${tenant.slug}`,
      `TENANTRY_SCHEMA=${tenant.schema_name}`,
      `TENANTRY_ANON_KEY=${tenant.anon_key}`,
      `TENANTRY_SERVICE_ROLE_KEY=${tenant.service_role_key}`,
      `TENANTRY_GROUP_ID=${group.id}`,
      `TENANTRY_GROUP_API_KEY=${group.group_api_key}`,
      '',
    ].join('\n')
  }
  return undefined
}
