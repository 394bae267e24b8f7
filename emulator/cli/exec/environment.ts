// What `tenantry exec` adds to its command's environment. Pure.
import { connectionSettings } from '../../connection-settings.ts'
import type { ReadyLine } from '../../contract/addresses.ts'

/** Systems take 128 KiB in one variable, or less. */
const MAX_INFO_LENGTH = 100_000

/**
 * The settings of one tenant, the first unless told, and everything as JSON in TENANTRY_INFO; where that would be too long for
 * an environment, TENANTRY_INFO has of the tenants that one only (GET /_emulator/v1/info has all of them).
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
