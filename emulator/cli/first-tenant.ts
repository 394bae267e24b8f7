// Chooses the tenant of a command that names none.
import { EmulatorError } from '../core/errors.ts'
import type { RunningEmulator } from '../platform/http-client/running-emulator.ts'

class NoTenantError extends EmulatorError {
  override readonly code = 'no_tenant'
}

/**
 * Returns the slug of the emulator's first tenant.
 * @param option the option that names another project
 * @throws {EmulatorError} when the emulator has no tenant
 */
export async function firstTenant(emulator: RunningEmulator, option: string): Promise<string> {
  const { groups } = await emulator.call('GET /info')
  const [first] = groups.flatMap(({ tenants }) => tenants)
  if (first !== undefined) return first.slug
  throw new NoTenantError('The emulator has no tenant.', { hint: `Name a project with ${option}.` })
}
