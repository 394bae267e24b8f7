// Reads the body of a signed request. Decodes chunks, and verifies hashes and checksums while the bytes are read.
import { bytesOf } from '../../bodies/request-bytes.ts'
import type { StorageCall } from '../../storage-call.ts'
import { S3Error } from '../s3-error.ts'
import { chunkSignatures, type SignatureClaim } from '../signing/sigv4.ts'
import { decodeChunks, trailersIn } from './aws-chunked.ts'
import { expectationsIn, expectPayloadHash, matching } from './checksum.ts'

/** Value of `x-amz-content-sha256` when the signature does not cover the body. */
export const UNSIGNED = 'UNSIGNED-PAYLOAD'
const TRAILER = '-TRAILER'

/**
 * Returns the decoded, verified body.
 * @throws {S3Error} `InvalidDigest`, `InvalidRequest`, `MalformedTrailerError`, `NotImplemented` at once; `BadDigest`,
 * `XAmzContentSHA256Mismatch`, `SignatureDoesNotMatch`, `IncompleteBody` at the end of the bytes
 */
export function checkedBytes(
  call: StorageCall,
  claim: SignatureClaim,
  secret: string,
): AsyncIterable<Uint8Array> {
  const { headers } = call.request
  const { payload } = claim
  const raw = bytesOf(call.request, call.env)
  const isChunked = payload.startsWith('STREAMING-')
  const bytes = isChunked ? chunkedBytes(raw, headers, claim, secret) : raw
  const isHashed = !isChunked && payload !== UNSIGNED
  return matching(bytes, [
    ...(isHashed ? [expectPayloadHash(payload)] : []),
    // The checksum header of CompleteMultipartUpload covers the whole object, not the body of the request.
    ...(isCompletion(call) ? [] : expectationsIn(headers)),
  ])
}

function chunkedBytes(
  raw: AsyncIterable<Uint8Array>,
  headers: Headers,
  claim: SignatureClaim,
  secret: string,
): AsyncIterable<Uint8Array> {
  const { payload } = claim
  const trailers = trailersIn(headers.get('x-amz-trailer'))
  if (payload.endsWith(TRAILER) !== trailers.length > 0)
    throw new S3Error(
      'MalformedTrailerError',
      'x-amz-content-sha256 and x-amz-trailer must both announce a trailer, or neither.',
    )
  const length = headers.get('x-amz-decoded-content-length')
  const isSigned = payload.startsWith('STREAMING-AWS4-HMAC-SHA256-PAYLOAD')
  const signatures = isSigned ? chunkSignatures(claim, secret) : undefined
  const decodedBytes = length === null ? undefined : Number(length)
  return decodeChunks(raw, { signatures, trailers, decodedBytes })
}

function isCompletion({ request, query }: StorageCall): boolean {
  return request.method === 'POST' && query.has('uploadId')
}
