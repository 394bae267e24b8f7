// Restricts the emulator's own API to programs and pages on this machine (docs/reference/emulator-api.md). A foreign Host header
// indicates DNS rebinding. A foreign Origin header indicates a web page of another site. Pure.
import { EmulatorError } from '../../core/errors.ts'
import { isLoopbackHost } from '../../core/loopback.ts'
import type { RequestEnv } from '../../core/request-env.ts'
import { carriesAdminToken } from '../../platform/credentials/admin-token.ts'

export type GuardCode = 'foreign_host' | 'foreign_origin' | 'foreign_peer' | 'admin_token_required'

export class GuardError extends EmulatorError {
  override readonly code: GuardCode

  constructor(code: GuardCode, message: string, hint: string) {
    super(message, { hint })
    this.code = code
  }
}

/** Throws when the request may not use the emulator's own API. @throws {GuardError} */
export function admitToEmulatorApi(
  request: Request,
  env: Pick<RequestEnv, 'isRemote'>,
  adminToken: string | undefined,
): void {
  const url = new URL(request.url)
  if (adminToken !== undefined) {
    if (carriesAdminToken(request.headers.get('authorization'), adminToken)) return
    throw new GuardError(
      'admin_token_required',
      'The emulator’s own API needs the admin token on this address.',
      'Send "Authorization: Bearer <admin token>" with the token given to --admin-token.',
    )
  }
  if (env.isRemote === true)
    throw new GuardError(
      'foreign_peer',
      'The emulator’s own API answers other machines only when an admin token is set.',
      'Start with --host and --admin-token, then send "Authorization: Bearer <admin token>".',
    )
  if (!isLoopbackHost(url.hostname))
    throw new GuardError(
      'foreign_host',
      `The emulator’s own API does not answer for the host ${url.hostname}.`,
      'Use 127.0.0.1 or localhost, or start with --host and --admin-token.',
    )
  if (isForeignPage(request.headers))
    throw new GuardError(
      'foreign_origin',
      'The emulator’s own API does not answer pages of another origin.',
      'Call it from a page served on localhost, or from a program.',
    )
}

// Browsers send no Origin header for embedded resources, such as an image whose URL reads the mailbox. The header
// Sec-Fetch-Site reveals such requests.
function isForeignPage(headers: Headers): boolean {
  const origin = headers.get('origin')
  if (origin !== null) return !isLoopbackOrigin(origin)
  return (
    headers.get('sec-fetch-site') === 'cross-site' && headers.get('sec-fetch-mode') === 'no-cors'
  )
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname)
}
