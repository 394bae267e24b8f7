// AWS Signature Version 4: the texts that are signed and the signature (SigV4 "Create a signed request"). Pure.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The content of `Authorization`, or of a presigned URL's query. */
export interface SignatureClaim {
  readonly accessKeyId: string
  /** `<date>/<region>/<service>/aws4_request`. */
  readonly scope: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
  /** `20261121T160102Z`. */
  readonly timestamp: string
  /** Hash of the body or one of the words that stand for it. */
  readonly payload: string
}

export interface SignedParts {
  readonly method: string
  /** As it was sent. */
  readonly path: string
  /** As it was sent, without the question mark. */
  readonly query: string
  readonly headers: Headers
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const EMPTY_HASH = sha256('')

/** Signature of a request by the secret of the claim's key. */
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

/** Signature of one chunk of an aws-chunked body; `previous` is that of the chunk before, of the request at first. */
export function signChunk(
  { scope, timestamp }: Pick<SignatureClaim, 'scope' | 'timestamp'>,
  previous: string,
  chunkHash: string,
  secret: string,
): string {
  return sign(
    [`${ALGORITHM}-PAYLOAD`, timestamp, scope, previous, EMPTY_HASH, chunkHash],
    scope,
    secret,
  )
}

/** Signature of the trailer of an aws-chunked body; `previous` is that of the last chunk. */
export function signTrailer(
  { scope, timestamp }: Pick<SignatureClaim, 'scope' | 'timestamp'>,
  previous: string,
  trailerHash: string,
  secret: string,
): string {
  return sign([`${ALGORITHM}-TRAILER`, timestamp, scope, previous, trailerHash], scope, secret)
}

/** Signature of a text that is signed as it is: the policy of a form. */
export function signText(text: string, scope: string, secret: string): string {
  return sign([text], scope, secret)
}

/** Compares in constant time. */
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

// Clients differ in which characters they encode; decoding and encoding again gives one form.
function canonicalPath(path: string): string {
  return path
    .split('/')
    .map((segment) => encode(decode(segment)))
    .join('/')
}

function canonicalQuery(query: string): string {
  if (query === '') return ''
  return query
    .split('&')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [encode(decode(name)), encode(decode(value.join('=')))] as const
    })
    .filter(([name]) => name !== 'X-Amz-Signature')
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
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
