// Reads messages and redirects of the emulator, which sends no real messages (docs/wire/auth.md).
import type { Capabilities, TenantAccess } from '../../model/check.ts'
import { type Step, send } from '../../model/steps.ts'
import { manage } from '../requests.ts'

/** Waits for the newest message to an address. */
export function messageTo(
  { adminToken }: Capabilities['emulator'],
  { slug }: Pick<TenantAccess, 'slug'>,
  email: string,
): Step {
  const query = new URLSearchParams({ project: slug, to: email })
  return send(manage('GET', `/_emulator/v1/mailbox/next?${query}`, adminToken), 200, { to: email })
}

/** Returns the parameters in the fragment of a URL, after `#`. */
export function fragmentOf(address = ''): Readonly<Record<string, string>> {
  const [, fragment = ''] = address.split('#')
  return Object.fromEntries(new URLSearchParams(fragment))
}
