// Verifies the signature of an S3 request, in the header Authorization or in a presigned URL. Keys act as the project's
// service_role. A presigned URL expires by the platform clock. The time of other requests is not checked, so that moving the
// clock does not lock clients out.
import { parseHttpDate } from '../../../../core/time.ts'
import type { StorageDeps } from '../../deps.ts'
import type { StorageCall } from '../../storage-call.ts'
import { checkedBytes, UNSIGNED } from '../body/body-bytes.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Key } from './s3-key-store.ts'
import { isSameSignature, type SignatureClaim, type SignedParts, signRequest } from './sigv4.ts'

export interface S3Caller {
  readonly key: S3Key
  /** Returns the decoded body. Reading the body checks the bytes against the signature. */
  readonly bytes: () => AsyncIterable<Uint8Array>
  /** Size of the body that the client announced, in bytes; `undefined` when unknown. */
  readonly declaredBytes: number | undefined
  /** The request's headers, plus the parameters of a presigned URL that replace headers. */
  readonly headers: Headers
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const CREDENTIAL = /^([^/]+)\/(\d{8}\/[\w-]+\/s3\/aws4_request)$/
/** Maximum lifetime of a presigned URL: 7 days. */
const MAX_EXPIRES_SECONDS = 604_800

/**
 * Authenticates the request and returns its caller.
 * @throws {S3Error} `AccessDenied`, `InvalidAccessKeyId`, `InvalidArgument`, `SignatureDoesNotMatch`,
 * `AuthorizationQueryParametersError`
 */
export function authenticate(deps: StorageDeps, call: StorageCall): S3Caller {
  const { request } = call
  const isPresigned = call.query.has('X-Amz-Signature')
  const claim = isPresigned ? presignedClaim(deps, call) : headerClaim(call)
  const key = admitKey(deps, call, claim.accessKeyId)
  if (isPresigned) refuseUnsigned(request.headers, claim)
  if (!isSameSignature(signRequest(partsOf(request), claim, key.secret), claim.signature))
    throw wrongSignature('address')
  return {
    key,
    declaredBytes: numberOf(
      request.headers.get('x-amz-decoded-content-length') ?? request.headers.get('content-length'),
    ),
    bytes: () => checkedBytes(call, claim, key.secret),
    headers: isPresigned ? withParameters(call) : request.headers,
  }
}

/** Finds the key with this id. Records the key's project for the journal. @throws {S3Error} `InvalidAccessKeyId` */
export function admitKey(
  { s3, projects }: StorageDeps,
  { env }: StorageCall,
  accessKeyId: string,
): S3Key {
  const key = s3.keys.find(accessKeyId)
  if (key === undefined || projects.findProjectBySchema(key.schemaName)?.state !== 'active')
    throw new S3Error(
      'InvalidAccessKeyId',
      'The access key does not exist. Create a key at POST /_emulator/v1/projects/<ref>/s3-keys.',
    )
  env.facts.schemaName = key.schemaName
  env.facts.role = 'service_role'
  env.facts.subject = key.accessKeyId
  env.facts.credentialKind = 's3Key'
  return key
}

/** Splits `<access key>/<date>/<region>/s3/aws4_request`. @throws {S3Error} `AccessDenied` */
export function parseCredential(text: string): Pick<SignatureClaim, 'accessKeyId' | 'scope'> {
  const [, accessKeyId, scope] = CREDENTIAL.exec(text) ?? []
  if (accessKeyId === undefined || scope === undefined)
    throw new S3Error(
      'AccessDenied',
      'The request is not signed with AWS Signature Version 4. Sign it with an S3 key of the project.',
    )
  return { accessKeyId, scope }
}

/** @param what the text that was signed */
export function wrongSignature(what: 'address' | 'policy'): S3Error {
  return new S3Error(
    'SignatureDoesNotMatch',
    `The request signature does not match. Check the secret key and the ${what} it was signed for.`,
  )
}

function headerClaim({ request: { headers } }: StorageCall): SignatureClaim {
  const authorization = headers.get('authorization') ?? ''
  const field = (name: string): string =>
    new RegExp(`${name}=([^,\\s]+)`).exec(authorization)?.[1] ?? ''
  return {
    ...parseCredential(authorization.startsWith(`${ALGORITHM} `) ? field('Credential') : ''),
    signedHeaders: field('SignedHeaders').split(';'),
    signature: field('Signature'),
    timestamp: headers.get('x-amz-date') ?? '',
    payload: headers.get('x-amz-content-sha256') ?? UNSIGNED,
  }
}

function presignedClaim(
  { clock }: StorageDeps,
  { query, request: { headers } }: StorageCall,
): SignatureClaim {
  if (headers.get('authorization')?.startsWith(ALGORITHM) === true)
    throw new S3Error(
      'InvalidArgument',
      'The request is signed twice. Send either the Authorization header or a presigned URL.',
    )
  const field = (name: string): string => query.get(`X-Amz-${name}`) ?? ''
  const parts = parseCredential(field('Credential'))
  const seconds = Number(field('Expires'))
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_EXPIRES_SECONDS)
    throw new S3Error(
      'AuthorizationQueryParametersError',
      `X-Amz-Expires must be from 1 to ${MAX_EXPIRES_SECONDS} seconds, got '${field('Expires')}'.`,
    )
  const timestamp = field('Date')
  const signedAt = instantOf(timestamp)
  if (signedAt === undefined || clock.now() > signedAt + seconds * 1_000)
    throw new S3Error('AccessDenied', 'Request has expired')
  return {
    ...parts,
    signedHeaders: field('SignedHeaders').split(';'),
    signature: field('Signature'),
    timestamp,
    payload: query.get('X-Amz-Content-Sha256') ?? UNSIGNED,
  }
}

// The signature must cover every x-amz- header. Otherwise the holder of a URL for one upload could copy any object of the
// project.
function refuseUnsigned(headers: Headers, { signedHeaders }: SignatureClaim): void {
  for (const name of headers.keys())
    if (
      name.startsWith('x-amz-') &&
      name !== 'x-amz-content-sha256' &&
      !signedHeaders.includes(name)
    )
      throw new S3Error('AccessDenied', `The header ${name} was sent but not signed.`)
}

// SDKs move x-amz- headers into the query of presigned URLs. A checksum there may cover the body known at signing time, usually
// an empty one. Body verification therefore uses only the original headers.
function withParameters({ request, query }: StorageCall): Headers {
  const headers = new Headers(request.headers)
  for (const [name, value] of query)
    if (name.startsWith('x-amz-') && !headers.has(name) && isHeaderText(value))
      headers.set(name, value)
  return headers
}

/** Whether the text is valid in a header (RFC 9110 §5.5, in ISO 8859-1). */
export function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
}

// The signature is computed over the raw URL, because parsing can change the text that was signed.
function partsOf({ url, method, headers }: Request): SignedParts {
  const target = url.slice(url.indexOf('/', url.indexOf('://') + 3))
  const question = target.indexOf('?')
  if (question < 0) return { method, path: target, query: '', headers }
  return { method, path: target.slice(0, question), query: target.slice(question + 1), headers }
}

function instantOf(timestamp: string) {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(timestamp)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second] = match
  return parseHttpDate(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

function numberOf(text: string | null): number | undefined {
  return text === null ? undefined : Number(text)
}
