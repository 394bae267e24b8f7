// Gets tokens for the storage service, which accepts only storage tokens. The first call exchanges the credential at POST
// /st/v1/token. Later calls reuse the token until a minute before it expires, or until the credential changes
// (docs/wire/credentials.md#storage-token).
import type { AuthApi } from './auth/api.ts'
import type { ActingAsUser } from './auth/client.ts'
import { localError } from './auth/errors.ts'
import { isRecord } from './auth/session.ts'
import type { ClientClock } from './environment.ts'

export interface StorageToken {
  readonly token: string
  /** Base address of the storage service, without a trailing slash. */
  readonly url: string
}

export interface StorageTokens {
  /** Returns the storage token for the current credential. @throws {AuthError} when the exchange is refused */
  current(): Promise<StorageToken>
  /** Discards a token that the storage service called expired, so that the next call gets a new token. */
  forget(token: StorageToken): Promise<void>
}

export interface StorageTokenDeps {
  readonly api: AuthApi
  readonly clock: ClientClock
  readonly acting: ActingAsUser
  /** The project's key, used while no user is signed in. */
  readonly key: string
}

/** Tokens are replaced this many milliseconds before they expire. */
const EARLY = 60_000
/** Assumed lifetime, in milliseconds, of a token without `exp`. */
const USUAL_LIFE = 3_600_000

interface KeptToken {
  readonly credential: string
  until: number
  readonly answer: Promise<StorageToken>
}

export function createStorageTokens({ acting, api, clock, key }: StorageTokenDeps): StorageTokens {
  let kept: KeptToken | undefined

  function exchange(credential: string): KeptToken {
    const started = clock.now()
    const entry: KeptToken = {
      credential,
      until: started + USUAL_LIFE - EARLY,
      answer: api({ method: 'POST', path: '/st/v1/token', bearer: credential }).then((answer) => {
        const storageToken = readToken(answer)
        entry.until = started + lifeOf(storageToken.token) - EARLY
        return storageToken
      }),
    }
    entry.answer.catch(() => {
      if (kept === entry) kept = undefined
    })
    return entry
  }

  return {
    current: () =>
      acting((session) => {
        const credential = session?.data_plane_token ?? key
        if (kept?.credential !== credential || clock.now() >= kept.until)
          kept = exchange(credential)
        return kept.answer
      }),
    forget: async (token) => {
      const entry = kept
      if ((await entry?.answer) === token && kept === entry) kept = undefined
    },
  }
}

function readToken(answer: unknown): StorageToken {
  if (isRecord(answer) && typeof answer['token'] === 'string' && typeof answer['url'] === 'string')
    return { token: answer['token'], url: answer['url'].replace(/\/+$/, '') }
  throw localError('unexpected_answer', 'The response of the platform contains no storage token.')
}

// Subtracts the token's `iat` from its `exp`, because the platform's clock may differ from this device's.
function lifeOf(token: string): number {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const claims: unknown = JSON.parse(atob(payload))
    if (!isRecord(claims)) return USUAL_LIFE
    const { exp, iat } = claims
    return typeof exp === 'number' && typeof iat === 'number' ? (exp - iat) * 1000 : USUAL_LIFE
  } catch {
    return USUAL_LIFE
  }
}
