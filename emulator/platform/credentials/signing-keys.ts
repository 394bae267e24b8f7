// The platform's own signing keys, generated once per data directory (docs/wire/credentials.md#project-keys). ES256 signs
// project keys and data-plane tokens, and the JWKS contains its public key. Ed25519 signs PASETO v4.public. Two HS256 secrets
// sign tokens of storage and realtime.
import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
} from 'node:crypto'
import { compactVerify, errors as joseErrors } from 'jose'
import { PublicProtocol } from 'paseto'
import { GetPublicKeyFactory, ImportSecretKeyFactory, VerifyFactory } from 'paseto/v4/public'
import type { IdSource } from '../../core/id-source.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts'
import { keepNewest } from '../../core/keep-newest.ts'
import {
  type EpochMillis,
  epochMillis,
  parseInstant,
  plusMillis,
  SECOND_MILLIS,
  toDate,
  toEpochSeconds,
  toIso,
} from '../../core/time.ts'
import { CredentialError } from './credential-error.ts'
import { signDeterministic } from './deterministic-signature.ts'
import { serializeJwt, signJwt, signPasetoClaims } from './sign-tokens.ts'

/** The secret halves of the keys, base64url, as stored in the data directory. */
export interface KeyMaterial {
  readonly es256: string
  readonly ed25519: string
  readonly storageSecret: string
  readonly realtimeSecret: string
  /** The secret from which local-keys.ts derives its secrets. */
  readonly localSecret: string
}

/** The service whose HS256 secret is used. */
export type ServiceSecret = 'storage' | 'realtime'

/** A verified JWT: its parsed claims, and their exact signed text. */
export interface VerifiedJwt {
  readonly claims: JsonObject
  readonly claimsText: string
}

export interface SigningKeys {
  signEs256(claims: JsonObject): Promise<string>
  /** Signs like `signEs256`, but equal claims always get the same text. Takes ten times as long as `signEs256`. */
  signEs256Stably(claims: JsonObject): Promise<string>
  /** Checks the signature and form, but not the expiry. @throws {CredentialError} `malformed` */
  verifyEs256(token: string): Promise<VerifiedJwt>
  /**
   * Signs a service's token.
   * @param keyVersion written to the header as `kv`, so that regenerating the project's keys revokes the token
   */
  signHs256(secret: ServiceSecret, claims: JsonObject, keyVersion?: number): Promise<string>
  /** Checks the signature and form, but not the expiry. @throws {CredentialError} `malformed` */
  verifyHs256(secret: ServiceSecret, token: string): Promise<VerifiedJwt>
  /** Signs the claims with `iat` and `exp` added. @param lifetimeSeconds from `now` until `exp` */
  signPaseto(claims: JsonObject, now: EpochMillis, lifetimeSeconds: number): Promise<string>
  /** @throws {CredentialError} `malformed`, `expired` */
  verifyPaseto(token: string, now: EpochMillis): Promise<JsonObject>
  /** Returns the public keys for `/.well-known/jwks.json` (RFC 7517 §5). */
  jwks(): JsonObject
}

const SECRET_BYTES = 32

/** Generates new key material. */
export function generateKeyMaterial(ids: IdSource): KeyMaterial {
  const draw = (): string => Buffer.from(ids.bytes(SECRET_BYTES)).toString('base64url')
  return {
    es256: draw(),
    ed25519: draw(),
    storageSecret: draw(),
    realtimeSecret: draw(),
    localSecret: draw(),
  }
}

/** Creates the keys from stored material. */
export async function createSigningKeys(material: KeyMaterial): Promise<SigningKeys> {
  const ec = ecKeys(material.es256)
  const es256Header = { alg: 'ES256', typ: 'JWT', kid: ec.kid } as const
  const es256Scalar = Buffer.from(material.es256, 'base64url')
  const paseto = await pasetoKeys(material.ed25519)
  const secrets: Readonly<Record<ServiceSecret, Uint8Array>> = {
    storage: Buffer.from(material.storageSecret, 'base64url'),
    realtime: Buffer.from(material.realtimeSecret, 'base64url'),
  }
  const verifierOf = (secret: ServiceSecret) =>
    rememberingValid((token) => verifyJwt(token, secrets[secret], 'HS256'))
  const ofService = { storage: verifierOf('storage'), realtime: verifierOf('realtime') }
  return {
    signEs256: async (claims) => signJwt(claims, es256Header, ec.privateKey),
    signEs256Stably: async (claims) =>
      serializeJwt(claims, es256Header, (signed) => signDeterministic(signed, es256Scalar)),
    verifyEs256: (token) => verifyJwt(token, ec.publicKey, 'ES256'),
    signHs256: async (secret, claims, keyVersion) =>
      signJwt(
        claims,
        { alg: 'HS256', typ: 'JWT', ...(keyVersion === undefined ? {} : { kv: keyVersion }) },
        secrets[secret],
      ),
    verifyHs256: (secret, token) => ofService[secret](token),
    signPaseto: paseto.sign,
    verifyPaseto: paseto.verify,
    jwks: () => ({
      keys: [{ ...ec.publicJwk, kid: ec.kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] }],
    }),
  }
}

/** Number of tokens in each cache. A token's text is about 600 bytes. */
const REMEMBERED_TOKENS = 2_000

// Caches valid tokens. The keys never change, so a valid signature stays valid. Callers check what can change, such as the
// expiry.
function rememberingValid<Result>(
  verify: (token: string) => Promise<Result>,
): (token: string) => Promise<Result> {
  const known = new Map<string, Result>()
  return async (token) => {
    const kept = known.get(token)
    if (kept !== undefined) return kept
    const result = await verify(token)
    keepNewest(known, REMEMBERED_TOKENS, token, result)
    return result
  }
}

/** Refuses claims at or after their `exp` (RFC 7519 §4.1.4). @throws {CredentialError} `expired` */
export function refuseExpired(claims: JsonObject, now: EpochMillis): void {
  const expiry = claims['exp']
  if (typeof expiry === 'number' && toEpochSeconds(now) >= expiry)
    throw new CredentialError('expired', 'The token has expired.', {
      hint: 'Get a new token and repeat the request.',
    })
}

interface EcKeys {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly publicJwk: JsonObject
  readonly kid: string
}

function ecKeys(scalar: string): EcKeys {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(Buffer.from(scalar, 'base64url'))
  const point = curve.getPublicKey()
  const publicJwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  return {
    privateKey: createPrivateKey({ key: { ...publicJwk, d: scalar }, format: 'jwk' }),
    publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }),
    publicJwk,
    kid: thumbprint(publicJwk),
  }
}

// RFC 7638 §3: hash the required members in lexicographic order.
function thumbprint(jwk: { crv: string; kty: string; x: string; y: string }): string {
  const canonical = JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y })
  return createHash('sha256').update(canonical).digest('base64url')
}

/** Clock tolerance in seconds. The value exceeds the whole range of platform time, which disables the library's time check. */
const ANY_TIME_SECONDS = 1e12

interface PasetoKeys {
  readonly sign: SigningKeys['signPaseto']
  readonly verify: SigningKeys['verifyPaseto']
}

async function pasetoKeys(seed: string): Promise<PasetoKeys> {
  const protocol = new PublicProtocol(ImportSecretKeyFactory, GetPublicKeyFactory, VerifyFactory)
  // A PASERK k4.secret is the seed followed by the public key (paserk "secret" type, version 4). An Ed25519 JWK provides the
  // public key.
  const seedBytes = Buffer.from(seed, 'base64url')
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seedBytes])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' })
  const pair = Buffer.concat([seedBytes, Buffer.from(jwk.x ?? '', 'base64url')])
  const secretKey = await protocol.ImportSecretKey(`k4.secret.${pair.toString('base64url')}`, {
    extractable: true,
  })
  const publicKey = await protocol.GetPublicKey(secretKey)
  const verifySigned = rememberingValid(checkSignature)
  return {
    sign: async (claims, now, lifetimeSeconds) =>
      signPasetoClaims(
        {
          ...claims,
          iat: inWholeSeconds(now),
          exp: inWholeSeconds(plusMillis(now, lifetimeSeconds * SECOND_MILLIS)),
        },
        privateKey,
      ),
    verify: async (token, now) => {
      const claims = await verifySigned(token)
      const expiry = parseInstant(String(claims['exp']))
      if (expiry === undefined || now > expiry)
        throw new CredentialError('expired', 'The session token has expired.', {
          hint: 'Sign in again and repeat the request.',
        })
      return claims
    },
  }

  // The library refuses tokens that were issued in the future. After the platform clock was set back, the library would refuse
  // every token.
  async function checkSignature(token: string): Promise<JsonObject> {
    try {
      const options = { now: toDate(epochMillis(0)), clockTolerance: ANY_TIME_SECONDS }
      return (await protocol.Verify(publicKey, token, options)).claims
    } catch (error) {
      throw new CredentialError('malformed', 'This platform did not issue the session token.', {
        cause: error,
      })
    }
  }
}

function inWholeSeconds(instant: EpochMillis): string {
  return toIso(instant).replace(/\.\d{3}Z$/, 'Z')
}

const decoder = new TextDecoder()

/**
 * Returns whether each part is the only base64url form of its bytes (RFC 7515 §2, RFC 4648 §3.5). The decoder ignores padding and
 * characters outside the alphabet, so many texts would decode to the same signed token.
 */
function isCanonical(token: string): boolean {
  return token
    .split('.')
    .every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

async function verifyJwt(
  token: string,
  key: KeyObject | Uint8Array,
  algorithm: string,
): Promise<VerifiedJwt> {
  if (!isCanonical(token))
    throw new CredentialError('malformed', 'The credential is not base64url without padding.', {
      hint: 'Send the credential exactly as it was issued (RFC 7515, section 2).',
    })
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [algorithm] })
    const claimsText = decoder.decode(payload)
    const claims = parseJson(claimsText)
    if (isJsonObject(claims)) return { claims, claimsText }
  } catch (error) {
    if (!(error instanceof joseErrors.JOSEError || error instanceof TypeError)) throw error
  }
  throw new CredentialError('malformed', 'This platform did not sign the credential.', {
    hint: 'Use a key or token of this emulator. Keys of another installation are not valid here.',
  })
}
