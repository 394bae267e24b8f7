// Environment variables that `tenantry exec` sets for its command. Pure.
import { connectionSettings } from '../../assembly/library/connection-settings.ts'
import type { ReadyLine } from '../../contract/addresses.ts'

/** UTF-16 units. Operating systems limit one variable to 128 KiB or less. */
const MAX_INFO_LENGTH = 100_000

/**
 * Returns the settings of the tenant `slug` (default: the first tenant). TENANTRY_INFO contains the addresses and keys of all
 * tenants as JSON. TENANTRY_INFO lists only this tenant when the JSON of all tenants is longer than MAX_INFO_LENGTH. GET
 * /_emulator/v1/info always lists all tenants.
 */
export function execEnvironment(
  ready: ReadyLine,
  slug: string | undefined,
): Readonly<Record<string, string>> {
  const settings = connectionSettings(ready, slug)
  const whole = JSON.stringify(ready)
  return {
    ...settings,
    TENANTRY_INFO:
      whole.length <= MAX_INFO_LENGTH
        ? whole
        : JSON.stringify(withOnly(ready, settings['TENANTRY_PROJECT'])),
  }
}

function withOnly(ready: ReadyLine, slug: string | undefined): ReadyLine {
  return {
    ...ready,
    groups: ready.groups.map((group) => ({
      ...group,
      tenants: group.tenants.filter((tenant) => tenant.slug === slug),
    })),
  }
}
