// Computes signatures of AWS Signature Version 4 (SigV4 "Create a signed request").
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { percentDecoded } from '../../../../core/percent-decoded.ts'

/** The signature and its parameters, from `Authorization` or from the query of a presigned URL. */
export interface SignatureClaim {
  readonly accessKeyId: string
  /** Format: `<date>/<region>/<service>/aws4_request`. */
  readonly scope: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
  /** Format: `20261121T160102Z`. */
  readonly timestamp: string
  /** Hash of the body, or a constant such as `UNSIGNED-PAYLOAD`. */
  readonly payload: string
}

export interface SignedParts {
  readonly method: string
  /** Raw path, exactly as the client sent it. */
  readonly path: string
  /** Raw query without the question mark, exactly as the client sent it. */
  readonly query: string
  readonly headers: Headers
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const EMPTY_HASH = sha256('')

/** Computes the signature of a request. `secret` belongs to the claim's access key. */
export function signRequest(
  parts: SignedParts,
  { scope, signedHeaders, timestamp, payload }: Omit<SignatureClaim, 'accessKeyId' | 'signature'>,
  secret: string,
): string {
  const canonical = [
    parts.method,
    canonicalPath(parts.path),
    canonicalQuery(parts.query),
    ...signedHeaders.map((name) => `${name}:${tidy(parts.headers.get(name) ?? '')}`),
    '',
    signedHeaders.join(';'),
    payload,
  ].join('\n')
  return sign([ALGORITHM, timestamp, scope, sha256(canonical)], scope, secret)
}

/**
 * Computes the signatures of an aws-chunked body. Each signature covers the previous signature and the hash of the signed bytes.
 */
export interface ChunkSignatures {
  /** Signature of the request itself. The first chunk's signature covers the request's signature. */
  readonly seed: string
  chunk(previous: string, chunkHash: string): string
  trailer(previous: string, trailerHash: string): string
}

export function chunkSignatures(
  { scope, timestamp, signature }: Pick<SignatureClaim, 'scope' | 'timestamp' | 'signature'>,
  secret: string,
): ChunkSignatures {
  const signAs = (kind: string, ...lines: string[]): string =>
    sign([`${ALGORITHM}-${kind}`, timestamp, scope, ...lines], scope, secret)
  return {
    seed: signature,
    chunk: (previous, chunkHash) => signAs('PAYLOAD', previous, EMPTY_HASH, chunkHash),
    trailer: (previous, trailerHash) => signAs('TRAILER', previous, trailerHash),
  }
}

/** Computes the signature of a plain text, such as the policy of a form. */
export function signText(text: string, scope: string, secret: string): string {
  return sign([text], scope, secret)
}

/** Compares two signatures in constant time, so that timing reveals nothing about the expected signature. */
export function isSameSignature(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function sign(lines: readonly string[], scope: string, secret: string): string {
  const key = scope
    .split('/')
    .reduce<Buffer | string>((previous, part) => hmac(previous, part), `AWS4${secret}`)
  return hmac(key, lines.join('\n')).toString('hex')
}

// Clients percent-encode different sets of characters. Decoding and encoding again gives one canonical form.
function canonicalPath(path: string): string {
  return path
    .split('/')
    .map((segment) => encode(percentDecoded(segment)))
    .join('/')
}

function canonicalQuery(query: string): string {
  if (query === '') return ''
  return query
    .split('&')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [encode(percentDecoded(name)), encode(percentDecoded(value.join('=')))] as const
    })
    .filter(([name]) => name !== 'X-Amz-Signature')
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function tidy(value: string): string {
  return value.trim().replace(/\s+/g, ' ')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
