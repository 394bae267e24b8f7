// A small S3 client over fetch. Signs requests (AWS Signature Version 4) with its own code, independently of the emulator's code.
import { createHash, createHmac } from 'node:crypto'

export interface S3Credentials {
  readonly access_key_id: string
  readonly secret_access_key: string
  readonly region: string
  readonly endpoint: string
}

export interface S3Ask {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Sent as `x-amz-content-sha256` instead of the body's hash. */
  readonly payload?: string
  /** Signs the body in chunks of this many bytes. */
  readonly chunkBytes?: number
  /** Trailing headers, sent after the signed chunks with a signature of their own. */
  readonly trailer?: Readonly<Record<string, string>>
  /** Gives the trailer a wrong signature. */
  readonly forgesTrailer?: boolean
}

export interface S3Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
}

type Signer = (lines: readonly string[]) => string

const sha256 = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
const queryOf = (query: Readonly<Record<string, string>>): string =>
  Object.keys(query)
    .sort()
    .map((name) => `${encode(name)}=${encode(query[name] ?? '')}`)
    .join('&')

function signerOf({ secret_access_key, region }: S3Credentials, date: string) {
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret_access_key}`)
  const sign: Signer = (lines) => hmac(key, lines.join('\n')).toString('hex')
  return { scope, sign }
}

const timestamp = (): string => new Date().toISOString().replace(/[-:]|\.\d+/g, '')

function addressOf({ endpoint }: S3Credentials, path: string): { base: URL; uri: string } {
  const base = new URL(endpoint)
  return { base, uri: base.pathname + path.split('/').map(encode).join('/') }
}

/** Sends one signed request. `path` is `/bucket/key`, not encoded. */
export async function askS3(
  credentials: S3Credentials,
  method: string,
  path: string,
  options: S3Ask = {},
): Promise<S3Answer> {
  const { query = {}, headers = {}, body = '', payload, chunkBytes, trailer } = options
  const { base, uri } = addressOf(credentials, path)
  const date = timestamp()
  const { scope, sign } = signerOf(credentials, date)
  const bytes = Buffer.from(body)
  const chunked = `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${trailer === undefined ? '' : '-TRAILER'}`
  const hash = payload ?? (chunkBytes === undefined ? sha256(bytes) : chunked)
  const signed: Record<string, string> = {
    ...headers,
    host: base.host,
    'x-amz-date': date,
    'x-amz-content-sha256': hash,
    ...(chunkBytes === undefined ? {} : { 'x-amz-decoded-content-length': String(bytes.length) }),
    ...(trailer === undefined ? {} : { 'x-amz-trailer': Object.keys(trailer).join(',') }),
  }
  const names = Object.keys(signed).sort()
  const canonical = [
    method,
    uri,
    queryOf(query),
    ...names.map((name) => `${name}:${signed[name]}`),
    '',
    names.join(';'),
    hash,
  ].join('\n')
  const signature = sign(['AWS4-HMAC-SHA256', date, scope, sha256(canonical)])
  const { host: _host, ...sent } = signed
  const sentBytes =
    chunkBytes === undefined ? bytes : inChunks(options, { seed: signature, date, scope, sign })
  const hasBody = method === 'PUT' || method === 'POST'
  const question = Object.keys(query).length === 0 ? '' : `?${queryOf(query)}`
  const response = await fetch(base.origin + uri + question, {
    method,
    headers: {
      ...sent,
      authorization: `AWS4-HMAC-SHA256 Credential=${credentials.access_key_id}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
    },
    ...(hasBody ? { body: new Uint8Array(sentBytes) } : {}),
  })
  const answer = Buffer.from(await response.arrayBuffer())
  return {
    status: response.status,
    headers: response.headers,
    bytes: answer,
    text: answer.toString(),
  }
}

/** Returns a presigned address, which works without a signature in the headers. */
export function presign(
  credentials: S3Credentials,
  method: string,
  path: string,
  seconds: number,
  more: Readonly<Record<string, string>> = {},
): string {
  const { base, uri } = addressOf(credentials, path)
  const date = timestamp()
  const { scope, sign } = signerOf(credentials, date)
  const query = queryOf({
    ...more,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${credentials.access_key_id}/${scope}`,
    'X-Amz-Date': date,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': 'host',
  })
  const canonical = [method, uri, query, `host:${base.host}`, '', 'host', 'UNSIGNED-PAYLOAD']
  const signature = sign(['AWS4-HMAC-SHA256', date, scope, sha256(canonical.join('\n'))])
  return `${base.origin}${uri}?${query}&X-Amz-Signature=${signature}`
}

export interface PostForm {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

/**
 * Returns an upload form with a signed policy. The upload itself needs no signature.
 * @param expiration ISO 8601; `document` replaces the whole policy
 */
export function presignForm(
  credentials: S3Credentials,
  bucket: string,
  fields: Readonly<Record<string, string>>,
  policy: {
    readonly expiration?: string
    readonly conditions?: readonly unknown[]
    readonly document?: string
  } = {},
): PostForm {
  const date = timestamp()
  const { scope, sign } = signerOf(credentials, date)
  const signed = {
    ...fields,
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': `${credentials.access_key_id}/${scope}`,
    'x-amz-date': date,
  }
  const exact = Object.entries(signed)
    .filter(([name]) => !(policy.conditions ?? []).some((rule) => isAbout(rule, name)))
    .map(([name, value]) => ({ [name]: value }))
  const document =
    policy.document ??
    JSON.stringify({
      expiration: policy.expiration ?? '2999-01-01T00:00:00.000Z',
      conditions: [{ bucket }, ...exact, ...(policy.conditions ?? [])],
    })
  const encoded = Buffer.from(document).toString('base64')
  return {
    url: `${credentials.endpoint}/${bucket}`,
    fields: { ...signed, policy: encoded, 'x-amz-signature': sign([encoded]) },
  }
}

const isAbout = (rule: unknown, name: string): boolean =>
  Array.isArray(rule) && rule[1] === `$${name}`

interface ChunkSigning {
  readonly seed: string
  readonly date: string
  readonly scope: string
  readonly sign: Signer
}

function inChunks(
  { body = '', chunkBytes = 1, trailer, forgesTrailer = false }: S3Ask,
  { seed, date, scope, sign }: ChunkSigning,
): Buffer {
  const bytes = Buffer.from(body)
  const pieces: (Buffer | string)[] = []
  let previous = seed
  for (let at = 0; at === 0 || at < bytes.length + chunkBytes; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes)
    previous = sign(['AWS4-HMAC-SHA256-PAYLOAD', date, scope, previous, sha256(''), sha256(chunk)])
    pieces.push(`${chunk.length.toString(16)};chunk-signature=${previous}\r\n`)
    if (chunk.length === 0) break
    pieces.push(chunk, '\r\n')
  }
  if (trailer !== undefined) {
    const lines = Object.entries(trailer).map(([name, value]) => `${name}:${value}`)
    const hash = sha256(lines.map((line) => `${line}\n`).join(''))
    const signature = sign(['AWS4-HMAC-SHA256-TRAILER', date, scope, previous, hash])
    const sent = forgesTrailer ? '0'.repeat(64) : signature
    pieces.push(...lines.map((line) => `${line}\r\n`), `x-amz-trailer-signature:${sent}\r\n`)
  }
  pieces.push('\r\n')
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
}
