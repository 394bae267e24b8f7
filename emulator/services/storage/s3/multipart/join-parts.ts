// Joins the parts that the client lists into one object. The checksums of each part and of the whole object are verified while
// the bytes are read.
import type { BlobStore, ByteSpan, OpenBlob } from '../../blobs/blob-store.ts'
import { refuse } from '../../errors.ts'
import {
  type ChecksumAlgorithm,
  checksumIn,
  createHashOf,
  type Expectation,
  expectChecksum,
  matching,
  requireMet,
} from '../body/checksum.ts'
import { S3Error } from '../s3-error.ts'
import { childrenOf, textOf, type XmlElement } from '../xml.ts'
import type { UploadedPart } from './multipart-store.ts'

export interface ChosenPart extends UploadedPart {
  /** Checksums of this part that the client sent with the completion. */
  readonly expectations: readonly Expectation[]
}

/** XML elements that contain a part's checksum, with their algorithms. */
const CHECKSUM_ELEMENTS: Readonly<Record<string, ChecksumAlgorithm>> = {
  ChecksumCRC32: 'crc32',
  ChecksumCRC32C: 'crc32c',
  ChecksumCRC64NVME: 'crc64nvme',
  ChecksumSHA1: 'sha1',
  ChecksumSHA256: 'sha256',
}

/**
 * Returns the parts that the body of the request lists, in the order of the body.
 * @throws {S3Error} `InvalidPart`, `InvalidPartOrder`, `InvalidRequest`, `MalformedXML`
 */
export function chosenParts(
  present: readonly UploadedPart[],
  body: XmlElement,
): readonly ChosenPart[] {
  const byNumber = new Map(present.map((part) => [part.partNumber, part]))
  let last = 0
  const chosen = childrenOf(body, 'Part').map((named) => {
    const partNumber = Number(textOf(named, 'PartNumber'))
    const part = byNumber.get(partNumber)
    const etag = textOf(named, 'ETag')?.trim().replaceAll('"', '')
    if (part === undefined || (etag !== undefined && etag !== part.md5))
      throw new S3Error('InvalidPart', `Part ${partNumber} was not uploaded with this ETag.`)
    if (partNumber <= last)
      throw new S3Error('InvalidPartOrder', 'The parts must be listed in ascending order.')
    last = partNumber
    return { ...part, expectations: expectationsOf(named) }
  })
  if (chosen.length === 0)
    throw new S3Error('MalformedXML', 'The body must list at least one part.')
  return chosen
}

/**
 * Reads the bytes of all parts and verifies the checksum in `headers`, if present. The checksum covers all bytes, or is
 * composite. A composite checksum is computed from the checksums of the parts, and may end in `-` and the number of parts.
 * @throws {S3Error} `BadDigest`, `InvalidRequest`
 */
export function joinedParts(
  blobs: Pick<BlobStore, 'open'>,
  parts: readonly ChosenPart[],
  headers: Headers,
): AsyncIterable<Uint8Array> {
  const checksum = checksumIn(headers)
  if (checksum === undefined) return inARow(blobs, parts)
  const place = `x-amz-checksum-${checksum.algorithm}`
  const [, value, count] = /^(.*)-(\d+)$/.exec(checksum.value) ?? []
  const isComposite = value !== undefined || headers.get('x-amz-checksum-type') === 'COMPOSITE'
  const expectation = expectChecksum({ ...checksum, value: value ?? checksum.value }, place)
  if (!isComposite) return matching(inARow(blobs, parts), [expectation])
  if (count !== undefined && Number(count) !== parts.length) throw expectation.refuse()
  return withComposite(blobs, parts, checksum.algorithm, expectation)
}

async function* withComposite(
  blobs: Pick<BlobStore, 'open'>,
  parts: readonly ChosenPart[],
  algorithm: ChecksumAlgorithm,
  expectation: Expectation,
): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const hash = createHashOf(algorithm)
    for await (const piece of inARow(blobs, [part])) {
      hash.update(piece)
      yield piece
    }
    expectation.hash.update(hash.digest())
  }
  requireMet([expectation])
}

async function* inARow(
  blobs: Pick<BlobStore, 'open'>,
  parts: readonly ChosenPart[],
): AsyncGenerator<Uint8Array> {
  for (const { fileId, sizeBytes, expectations } of parts) {
    const blob = blobs.open(fileId)
    if (blob === undefined) throw refuse.bytesMissing()
    yield* matching(bytesIn(blob, { first: 0, last: sizeBytes - 1 }), expectations)
  }
}

/** Streams the bytes of a span, which may be empty. */
export async function* bytesIn(blob: OpenBlob, span: ByteSpan): AsyncGenerator<Uint8Array> {
  if (span.last < span.first) blob.close()
  else yield* blob.stream(span)
}

function expectationsOf(part: XmlElement): readonly Expectation[] {
  return part.children.flatMap(({ name, text }) => {
    const algorithm = Object.hasOwn(CHECKSUM_ELEMENTS, name) ? CHECKSUM_ELEMENTS[name] : undefined
    return algorithm === undefined ? [] : expectChecksum({ algorithm, value: text.trim() }, name)
  })
}
