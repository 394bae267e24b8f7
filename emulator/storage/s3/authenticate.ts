// Who signed an S3 request: the header Authorization or a presigned URL (storage-contract §9). Keys act as the project's
// server side. A presigned URL ends by the platform clock; the time of other requests is not judged, so that a moved clock
// locks no client out.
import { parseHttpDate } from '../../core/time.ts'
import type { StorageDeps } from '../deps.ts'
import { bytesOf } from '../request-bytes.ts'
import type { StorageCall } from '../routes/route-table.ts'
import { decodeChunks, matchingHash } from './aws-chunked.ts'
import { S3Error } from './s3-error.ts'
import type { S3Key } from './s3-key-store.ts'
import {
  isSameSignature,
  type SignatureClaim,
  type SignedParts,
  signChunk,
  signRequest,
} from './sigv4.ts'

export interface S3Caller {
  readonly key: S3Key
  /** The object's own bytes, checked against what was signed while they are read. */
  readonly bytes: () => AsyncIterable<Uint8Array>
  /** Bytes the sender says will come. */
  readonly declaredBytes: number | undefined
}

const UNSIGNED = 'UNSIGNED-PAYLOAD'
const CREDENTIAL = /^([^/]+)\/(\d{8}\/[\w-]+\/s3\/aws4_request)$/

/** @throws {S3Error} `AccessDenied`, `InvalidAccessKeyId`, `SignatureDoesNotMatch` */
export function authenticate(deps: StorageDeps, call: StorageCall): S3Caller {
  const { request, env } = call
  const parts = partsOf(request)
  const authorization = request.headers.get('authorization')
  const claim =
    authorization === null ? presignedClaim(deps, call) : headerClaim(call, authorization)
  const key = deps.s3.keys.find(claim.accessKeyId)
  if (key === undefined || deps.projects.findProjectBySchema(key.schemaName)?.state !== 'active')
    throw new S3Error(
      'InvalidAccessKeyId',
      'The access key does not exist. Mint one at POST /_emulator/v1/projects/<ref>/s3-keys.',
    )
  env.facts.schemaName = key.schemaName
  env.facts.role = 'service_role'
  env.facts.subject = key.accessKeyId
  env.facts.credentialKind = 's3Key'
  if (!isSameSignature(signRequest(parts, claim, key.secret), claim.signature))
    throw new S3Error(
      'SignatureDoesNotMatch',
      'The request signature does not match. Check the secret key and the address it was signed for.',
    )
  return {
    key,
    declaredBytes: numberOf(
      request.headers.get('x-amz-decoded-content-length') ?? request.headers.get('content-length'),
    ),
    bytes: () => checkedBytes(call, claim, key),
  }
}

function headerClaim({ request }: StorageCall, authorization: string): SignatureClaim {
  const field = (name: string): string =>
    new RegExp(`${name}=([^,\\s]+)`).exec(authorization)?.[1] ?? ''
  const [, accessKeyId, scope] = CREDENTIAL.exec(field('Credential')) ?? []
  if (!authorization.startsWith('AWS4-HMAC-SHA256 ') || !accessKeyId || !scope) throw unreadable()
  const { headers } = request
  return {
    accessKeyId,
    scope,
    signedHeaders: field('SignedHeaders').split(';'),
    signature: field('Signature'),
    timestamp: headers.get('x-amz-date') ?? '',
    payload: headers.get('x-amz-content-sha256') ?? UNSIGNED,
  }
}

function presignedClaim({ clock }: StorageDeps, { query }: StorageCall): SignatureClaim {
  const field = (name: string): string => query.get(`X-Amz-${name}`) ?? ''
  const [, accessKeyId, scope] = CREDENTIAL.exec(field('Credential')) ?? []
  if (accessKeyId === undefined || scope === undefined) throw unreadable()
  const timestamp = field('Date')
  const signedAt = instantOf(timestamp)
  if (signedAt === undefined || clock.now() > signedAt + Number(field('Expires')) * 1_000)
    throw new S3Error('AccessDenied', 'Request has expired')
  return {
    accessKeyId,
    scope,
    signedHeaders: field('SignedHeaders').split(';'),
    signature: field('Signature'),
    timestamp,
    payload: query.get('X-Amz-Content-Sha256') ?? UNSIGNED,
  }
}

function checkedBytes(call: StorageCall, claim: SignatureClaim, key: S3Key) {
  const { headers } = call.request
  const bytes = plainBytes(bytesOf(call.request, call.env), claim, key)
  const md5 = headers.get('content-md5')
  return md5 === null
    ? bytes
    : matchingHash(bytes, 'md5', Buffer.from(md5, 'base64').toString('hex'))
}

function plainBytes(
  bytes: AsyncIterable<Uint8Array>,
  claim: SignatureClaim,
  { secret }: S3Key,
): AsyncIterable<Uint8Array> {
  const { payload } = claim
  if (payload === UNSIGNED) return bytes
  if (payload === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') return decodeChunks(bytes, undefined)
  if (payload.startsWith('STREAMING-AWS4-HMAC-SHA256-PAYLOAD'))
    return decodeChunks(bytes, {
      seed: claim.signature,
      sign: (previous, hash) => signChunk(claim, previous, hash, secret),
    })
  return matchingHash(bytes, 'sha256', payload)
}

// The text as it was sent: what a parsed URL makes of it may not be what was signed.
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

function unreadable(): S3Error {
  return new S3Error('AccessDenied', 'The request is not signed with AWS Signature Version 4.')
}
