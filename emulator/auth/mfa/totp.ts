// Time-based codes of authenticator apps (RFC 6238; docs/wire/auth.md#mfa). Pure: time and randomness are passed in.
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import type { EpochMillis } from '../../core/time.ts'

/** RFC 4226 §4 advises 160 bits. */
export const TOTP_SECRET_BYTES = 20
/** A code of the step before and of the next one are taken, too (RFC 6238 §5.2). */
const TOLERATED_STEPS = 1
/** What every authenticator app supports. */
const SCHEME = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Characters. Escaped, one can take twelve bytes, and the issuer appears twice: a QR code holds 2,953 bytes. */
const ISSUER_LENGTH = 50
const LABEL_LENGTH = 100
const SIX_DIGITS = /^[0-9]{6}$/

export interface TotpEnrolment {
  /** Base32, for typing in. */
  readonly secret: string
  /** `otpauth://totp/…`. */
  readonly uri: string
  /** The uri as QR code: an SVG in a data URI, ready for `<img src>`. */
  readonly qr: string
}

/** Makes what an authenticator app needs; `issuer` and `label` are what it shows, cut to what a QR code can hold. */
export function enrolTotp(bytes: Uint8Array, issuer: string, label: string): TotpEnrolment {
  const secret = new Secret({ buffer: Uint8Array.from(bytes).buffer })
  const shown = { issuer: cut(issuer, ISSUER_LENGTH), label: cut(label, LABEL_LENGTH) }
  const uri = new TOTP({ ...SCHEME, secret, ...shown }).toString()
  const svg = Buffer.from(renderSVG(uri, { ecc: 'L', border: 2 })).toString('base64')
  return { secret: secret.base32, uri, qr: `data:image/svg+xml;base64,${svg}` }
}

/** The time step whose code this is, if it is one of those taken now. */
export function stepOfCode(secret: string, code: string, now: EpochMillis): number | undefined {
  // The library compares bytes and throws on letters that need more of them.
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
