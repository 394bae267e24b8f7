// Who may use the emulator's own API: programs and pages on this machine (contract.md §8). A foreign Host means DNS
// rebinding, a foreign Origin a web page that should know nothing of us. Pure.
import { timingSafeEqual } from 'node:crypto'
import { EmulatorError } from '../core/errors.ts'

export type GuardCode = 'foreign_host' | 'foreign_origin' | 'admin_token_required'

export class GuardError extends EmulatorError {
  override readonly code: GuardCode

  constructor(code: GuardCode, message: string, hint: string) {
    super(message, { hint })
    this.code = code
  }
}

/** @throws {GuardError} */
export function admitToEmulatorApi(request: Request, adminToken: string | undefined): void {
  const url = new URL(request.url)
  if (adminToken !== undefined) {
    if (carries(request, adminToken)) return
    throw new GuardError(
      'admin_token_required',
      'The emulator’s own API needs the admin token on this address.',
      'Send "Authorization: Bearer <admin token>", the one given with --admin-token.',
    )
  }
  if (!isLoopback(url.hostname))
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

/** Whether a host name can only mean this machine. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[|\]$/g, '')
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    /^127(\.\d{1,3}){3}$/.test(name)
  )
}

// Browsers send no Origin with what a page embeds, such as an image whose address reads the mailbox.
function isForeignPage(headers: Headers): boolean {
  const origin = headers.get('origin')
  if (origin !== null) return !isLoopbackOrigin(origin)
  return (
    headers.get('sec-fetch-site') === 'cross-site' && headers.get('sec-fetch-mode') === 'no-cors'
  )
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname)
}

function carries(request: Request, adminToken: string): boolean {
  const presented = Buffer.from(request.headers.get('authorization') ?? '')
  const wanted = Buffer.from(`Bearer ${adminToken}`)
  return presented.length === wanted.length && timingSafeEqual(presented, wanted)
}
