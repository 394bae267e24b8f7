// Time-based codes of authenticator apps (RFC 6238; docs/wire/auth.md#mfa). Pure: callers pass time and randomness.
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import type { EpochMillis } from '../../../core/time.ts'

/** RFC 4226 §4 recommends 160 bits, which are 20 bytes. */
export const TOTP_SECRET_BYTES = 20
/** Codes of this many time steps before and after the current step are also accepted (RFC 6238 §5.2). */
const TOLERATED_STEPS = 1
/** The parameters that every authenticator app supports. */
const SCHEME = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/**
 * Maximum number of characters, so that the URI fits the 2,953 bytes of a QR code. The URI contains the issuer twice, and an
 * escaped character takes up to 12 bytes.
 */
const ISSUER_LENGTH = 50
const LABEL_LENGTH = 100
const SIX_DIGITS = /^[0-9]{6}$/

export interface TotpEnrolment {
  /** Base32, for users who type the secret into their app. */
  readonly secret: string
  /** `otpauth://totp/…`. */
  readonly uri: string
  /** QR code of `uri`, as an SVG in a data URI for `<img src>`. */
  readonly qr: string
}

/** Returns secret, URI and QR code for an authenticator app. The app shows `issuer` and `label`, shortened to fit the QR code. */
export function enrolTotp(bytes: Uint8Array, issuer: string, label: string): TotpEnrolment {
  const secret = new Secret({ buffer: Uint8Array.from(bytes).buffer })
  const shown = { issuer: cut(issuer, ISSUER_LENGTH), label: cut(label, LABEL_LENGTH) }
  const uri = new TOTP({ ...SCHEME, secret, ...shown }).toString()
  const svg = Buffer.from(renderSVG(uri, { ecc: 'L', border: 2 })).toString('base64')
  return { secret: secret.base32, uri, qr: `data:image/svg+xml;base64,${svg}` }
}

/** Returns the time step of the code. Returns `undefined` when no accepted time step has this code. */
export function stepOfCode(secret: string, code: string, now: EpochMillis): number | undefined {
  // The library throws on characters that take more than one byte.
  if (!SIX_DIGITS.test(code)) return undefined
  const delta = TOTP.validate({
    ...SCHEME,
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp: now,
    window: TOLERATED_STEPS,
  })
  return delta === null ? undefined : TOTP.counter({ ...SCHEME, timestamp: now }) + delta
}

function cut(text: string, length: number): string {
  return [...text.toWellFormed()].slice(0, length).join('')
}
