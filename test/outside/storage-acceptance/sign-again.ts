// Signs a request of an S3 client again after its bucket was renamed (AWS Signature Version 4). A wrong signature stays
// unchanged, so that the platform refuses it.
import { createHash, createHmac } from 'node:crypto'
import type { BucketNames } from './bucket-names.ts'

export interface SignedRequest {
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

export interface SignedAgain {
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** Signs a body again that has signed chunks or is a form with a signed policy. Returns other bodies unchanged. */
  renewBody(body: Buffer): Buffer
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=(\w+)$/
const POLICY_FIELD = /(name="policy"\r\n(?:[^\r\n]+\r\n)*\r\n)([^\r\n]+)/i
const SIGNATURE_FIELD = /(name="x-amz-signature"\r\n(?:[^\r\n]+\r\n)*\r\n)(\w+)/i
const CREDENTIAL_FIELD = /name="x-amz-credential"\r\n(?:[^\r\n]+\r\n)*\r\n[^/\r\n]+\/([^\r\n]+)/i

/** @param secret the secret access key of the request's key */
export function signAgain(request: SignedRequest, names: BucketNames, secret: string): SignedAgain {
  const target = names.toPlatform(request.target)
  const headers = mapCopySource(request.headers, names)
  const [path = '', query = ''] = target.split('?')
  if (query.includes('X-Amz-Signature='))
    return { target: presignAgain(request, path, query, secret), headers, renewBody: asIs }
  const [whole = '', scope = '', signedHeaders = '', given = ''] =
    AUTHORIZATION.exec(headers['authorization'] ?? '') ?? []
  if (whole === '')
    return { target, headers, renewBody: (body) => signPolicyAgain(body, names, secret) }
  const signature = (of: SignedRequest): string =>
    signatureOf(of, { scope, signedHeaders, secret, payload: of.headers['x-amz-content-sha256'] })
  if (signature(request) !== given) return { target, headers, renewBody: asIs }
  const renewed = signature({ ...request, target, headers })
  const chain = { key: signingKey(secret, scope), scope, date: headers['x-amz-date'] ?? '' }
  return {
    target,
    headers: { ...headers, authorization: whole.replace(given, renewed) },
    renewBody: headers['x-amz-content-sha256']?.startsWith('STREAMING-AWS4')
      ? (body) => signChunksAgain(body, chain, { given, renewed })
      : asIs,
  }
}

function asIs(body: Buffer): Buffer {
  return body
}

function mapCopySource(
  headers: Readonly<Record<string, string>>,
  names: BucketNames,
): Readonly<Record<string, string>> {
  const source = headers['x-amz-copy-source']
  if (source === undefined) return headers
  return { ...headers, 'x-amz-copy-source': names.toPlatform(source) }
}

function presignAgain(request: SignedRequest, path: string, query: string, secret: string): string {
  const parameters = new URLSearchParams(query)
  const given = parameters.get('X-Amz-Signature') ?? ''
  const signing = {
    scope: (parameters.get('X-Amz-Credential') ?? '').split('/').slice(1).join('/'),
    signedHeaders: parameters.get('X-Amz-SignedHeaders') ?? '',
    secret,
    payload: 'UNSIGNED-PAYLOAD',
    date: parameters.get('X-Amz-Date') ?? '',
  }
  const target = `${path}?${query}`
  const isSound = signatureOf(request, signing) === given
  return isSound ? target.replace(given, signatureOf({ ...request, target }, signing)) : target
}

interface Signing {
  readonly scope: string
  readonly signedHeaders: string
  readonly secret: string
  readonly payload: string | undefined
  readonly date?: string
}

function signatureOf(
  { method, target, headers }: SignedRequest,
  { scope, signedHeaders, secret, payload = 'UNSIGNED-PAYLOAD', date }: Signing,
): string {
  const [path = '', query = ''] = target.split('?')
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
  const lines = signedHeaders
    .split(';')
    .map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`)
  const canonical = [method, path, pairs.join('&'), ...lines, '', signedHeaders, payload]
  return hmac(
    signingKey(secret, scope),
    ['AWS4-HMAC-SHA256', date ?? headers['x-amz-date'], scope, sha256(canonical.join('\n'))].join(
      '\n',
    ),
  ).toString('hex')
}

interface Chain {
  readonly key: Buffer
  readonly scope: string
  readonly date: string
}

// Each chunk's signature covers the signature of the previous chunk. The first chunk's covers the signature of the headers.
function signChunksAgain(
  body: Buffer,
  { key, scope, date }: Chain,
  seed: { readonly given: string; readonly renewed: string },
): Buffer {
  const sign = (previous: string, data: Buffer): string =>
    hmac(
      key,
      ['AWS4-HMAC-SHA256-PAYLOAD', date, scope, previous, sha256(''), sha256(data)].join('\n'),
    ).toString('hex')
  const pieces: Buffer[] = []
  let { given, renewed } = seed
  let offset = 0
  while (offset < body.length) {
    const end = body.indexOf('\r\n', offset)
    const [line = '', length = '', signature = ''] =
      /^([0-9a-f]+);chunk-signature=(\w+)$/i.exec(body.subarray(offset, end).toString()) ?? []
    if (end < 0 || line === '') break
    const data = body.subarray(end + 2, end + 2 + Number.parseInt(length, 16))
    const isSound = sign(given, data) === signature
    renewed = isSound ? sign(renewed, data) : signature
    given = signature
    pieces.push(Buffer.from(`${length};chunk-signature=${renewed}\r\n`), data)
    offset = end + 2 + data.length
    if (data.length === 0) break
    pieces.push(body.subarray(offset, offset + 2))
    offset += 2
  }
  return Buffer.concat([...pieces, body.subarray(offset)])
}

// A browser's upload form names its bucket in a field and in the signed policy.
function signPolicyAgain(body: Buffer, names: BucketNames, secret: string): Buffer {
  const text = body.toString('latin1')
  const [, , policy = ''] = POLICY_FIELD.exec(text) ?? []
  const [, scope = ''] = CREDENTIAL_FIELD.exec(text) ?? []
  const [, , given = ''] = SIGNATURE_FIELD.exec(text) ?? []
  if (policy === '' || scope === '') return body
  const sign = (encoded: string): string => hmac(signingKey(secret, scope), encoded).toString('hex')
  const mapped = names.toPlatform(Buffer.from(policy, 'base64').toString())
  const renewed = Buffer.from(mapped).toString('base64')
  const signature = sign(policy) === given ? sign(renewed) : given
  return Buffer.from(
    names
      .toPlatform(text)
      .replace(POLICY_FIELD, `$1${renewed}`)
      .replace(SIGNATURE_FIELD, `$1${signature}`),
    'latin1',
  )
}

function signingKey(secret: string, scope: string): Buffer {
  return scope.split('/').reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`))
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
