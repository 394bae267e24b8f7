// Remembers the expiry of signed tokens, because nothing else stores them. Wraps the signing keys to record every token that this
// process signs. The list of coming expiries uses the record. Tokens that the inspector signs for itself are left out.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { JsonObject } from '../../core/json.ts'
import { type EpochMillis, epochMillis, plusMillis, SECOND_MILLIS } from '../../core/time.ts'
import type { SigningKeys } from './signing-keys.ts'

export type IssuedTokenKind =
  | 'dashboard_session'
  | 'access_token'
  | 'data_plane_token'
  | 'project_key'
  | 'storage_token'
  | 'realtime_token'
  | 'signed_url'

/** Facts of a signed token, without the token. */
export interface IssuedToken {
  readonly kind: IssuedTokenKind
  readonly expiresAt: EpochMillis
  readonly schemaName: string | undefined
  /** E-mail address or id of the user, or the role of a key. */
  readonly subject: string | undefined
  /** Bucket and object of a signed URL. */
  readonly url: string | undefined
}

export interface IssuedTokens {
  /** The wrapped keys. */
  readonly signingKeys: SigningKeys
  /** Lists the newest issued tokens. The list has at most 2,000 tokens. */
  list(): readonly IssuedToken[]
  /** Runs `work`, whose tokens are not listed, because the inspector signs them for itself. */
  quietly<Result>(work: () => Result): Result
  forget(): void
}

const CAPACITY = 2_000

export function noteIssuedTokens(keys: SigningKeys): IssuedTokens {
  let issued: IssuedToken[] = []
  const quiet = new AsyncLocalStorage<true>()
  const emails = new Map<string, string>()
  /**
   * Returns the user's e-mail address. A token that has only the user's id gets the address from an earlier token of the user.
   */
  const subjectOf = ({ email, role, sub }: JsonObject): string | undefined => {
    if (typeof sub !== 'string' || sub.startsWith('apikey:')) return textOf(email) ?? textOf(role)
    if (typeof email !== 'string') return emails.get(sub) ?? sub
    if (emails.size >= CAPACITY) emails.clear()
    emails.set(sub, email)
    return email
  }
  const note = (kind: IssuedTokenKind, claims: JsonObject, expiresAt: EpochMillis): void => {
    const subject = subjectOf(claims)
    if (quiet.getStore() === true) return
    const { project_schema: schemaName, url } = claims
    issued.push({
      kind,
      expiresAt,
      schemaName: textOf(schemaName),
      subject,
      url: textOf(url),
    })
    // Shortens the list rarely and in large steps, so that recording a token usually only appends one entry.
    if (issued.length >= 2 * CAPACITY) issued = issued.slice(-CAPACITY)
  }
  const noteJwt = (kind: IssuedTokenKind, claims: JsonObject): void => {
    const { exp } = claims
    if (typeof exp === 'number') note(kind, claims, epochMillis(exp * SECOND_MILLIS))
  }
  return {
    signingKeys: {
      ...keys,
      signEs256: (claims) => {
        noteJwt(isUserToken(claims) ? 'data_plane_token' : 'project_key', claims)
        return keys.signEs256(claims)
      },
      signHs256: (secret, claims, keyVersion) => {
        noteJwt(kindOfServiceToken(secret, claims), claims)
        return keys.signHs256(secret, claims, keyVersion)
      },
      signPaseto: (claims, now, lifetimeSeconds) => {
        const kind = 'project_id' in claims ? 'access_token' : 'dashboard_session'
        note(kind, claims, plusMillis(now, lifetimeSeconds * SECOND_MILLIS))
        return keys.signPaseto(claims, now, lifetimeSeconds)
      },
    },
    list: () => issued.slice(-CAPACITY),
    quietly: (work) => quiet.run(true, work),
    forget: () => {
      issued = []
      emails.clear()
    },
  }
}

function isUserToken({ role, session_id: sessionId }: JsonObject): boolean {
  return role === 'authenticated' || typeof sessionId === 'string'
}

function kindOfServiceToken(secret: 'storage' | 'realtime', claims: JsonObject): IssuedTokenKind {
  if (secret === 'realtime') return 'realtime_token'
  return 'url' in claims ? 'signed_url' : 'storage_token'
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
