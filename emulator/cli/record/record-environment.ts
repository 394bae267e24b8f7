// Environment variables that `tenantry record` sets for its command. Pure.
import { addressesOf } from '../../server/hosts.ts'
import { basesIn, movedText, type PlaneBases } from '../../workflow/traffic/planes.ts'

/**
 * Returns the variables with the proxy's address in place of each address of the target, so that an application reads it from
 * its own variables, too.
 * @param proxy origin of the proxy
 */
export function recordEnvironment(
  env: NodeJS.ProcessEnv,
  targets: PlaneBases,
  proxy: string,
): NodeJS.ProcessEnv {
  const local = addressesOf(proxy)
  const moved = Object.entries(env).map(([name, value]): [string, string | undefined] => [
    name,
    value === undefined ? value : movedText(value, targets, basesIn(local)),
  ])
  return {
    ...Object.fromEntries(moved),
    TENANTRY_AUTH_URL: local.authUrl,
    TENANTRY_DATA_URL: local.dataUrl,
  }
}
