// Verifies the checksums of a body (`Content-MD5`, `x-amz-checksum-*`) while the bytes are read. The reader of the bytes gets
// an error at their end when a checksum does not match.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { S3Error } from '../s3-error.ts'
import { createCrc32c, createCrc64Nvme, type RunningHash } from './crc.ts'

/** A digest that the bytes must have, with the hash that computes the digest. */
export interface Expectation {
  readonly hash: RunningHash
  readonly digest: Buffer
  readonly refuse: () => S3Error
}

/** Headers of a request, or fields of a form. Names are in lower case. */
export interface NamedValues extends Iterable<[string, string]> {
  get(name: string): string | null | undefined
}

export interface NamedChecksum {
  readonly algorithm: ChecksumAlgorithm
  /** Base64, exactly as sent. */
  readonly value: string
}

export type ChecksumAlgorithm = 'crc32' | 'crc32c' | 'crc64nvme' | 'sha1' | 'sha256'

interface Algorithm {
  readonly digestBytes: number
  readonly create: () => RunningHash
}

const ALGORITHMS: Readonly<Record<ChecksumAlgorithm, Algorithm>> = {
  crc32: { digestBytes: 4, create: createCrc32 },
  crc32c: { digestBytes: 4, create: createCrc32c },
  crc64nvme: { digestBytes: 8, create: createCrc64Nvme },
  sha1: { digestBytes: 20, create: () => createHash('sha1') },
  sha256: { digestBytes: 32, create: () => createHash('sha256') },
}

const PREFIX = 'x-amz-checksum-'
/** Suffixes of `x-amz-checksum-*` headers that contain no checksum. */
const SETTINGS: ReadonlySet<string> = new Set(['algorithm', 'mode', 'type'])

/** Yields the bytes unchanged. Throws at the end of the bytes when a digest does not match. */
export function matching(
  bytes: AsyncIterable<Uint8Array>,
  expectations: readonly Expectation[],
): AsyncIterable<Uint8Array> {
  return expectations.length === 0 ? bytes : verified(bytes, expectations)
}

async function* verified(
  bytes: AsyncIterable<Uint8Array>,
  expectations: readonly Expectation[],
): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    for (const { hash } of expectations) hash.update(piece)
    yield piece
  }
  requireMet(expectations)
}

/** @throws {S3Error} the error of the first digest that does not match */
export function requireMet(expectations: readonly Expectation[]): void {
  for (const { hash, digest, refuse } of expectations)
    if (!hash.digest().equals(digest)) throw refuse()
}

/**
 * Reads the expected digests from `Content-MD5` and from one `x-amz-checksum-*`.
 * @throws {S3Error} `InvalidDigest`, `InvalidRequest`, `NotImplemented`
 */
export function expectationsIn(values: NamedValues): readonly Expectation[] {
  const md5 = values.get('content-md5')
  const checksum = checksumIn(values)
  return [
    ...(typeof md5 === 'string' ? [expectMd5(md5)] : []),
    ...(checksum === undefined ? [] : [expectChecksum(checksum, PREFIX + checksum.algorithm)]),
  ]
}

/**
 * Returns the checksum among the headers. At most one checksum is allowed. @throws {S3Error} `InvalidRequest`, `NotImplemented`
 */
export function checksumIn(values: NamedValues): NamedChecksum | undefined {
  const named: NamedChecksum[] = []
  for (const [name, value] of values)
    if (isChecksumName(name)) named.push({ algorithm: requireAlgorithm(name), value })
  if (named.length > 1)
    throw new S3Error(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum types are not allowed.',
    )
  return named[0]
}

/** Whether the header or trailer with this name contains a checksum. */
export function isChecksumName(name: string): boolean {
  return name.startsWith(PREFIX) && !SETTINGS.has(name.slice(PREFIX.length))
}

/** Returns the algorithm in the name of a header or trailer. @throws {S3Error} `NotImplemented` */
export function requireAlgorithm(name: string): ChecksumAlgorithm {
  const algorithm = Object.keys(ALGORITHMS).find((known) => PREFIX + known === name)
  if (algorithm === undefined)
    throw new S3Error(
      'NotImplemented',
      `The platform cannot verify the checksum ${name}. Use CRC32, CRC32C, CRC64NVME, SHA1 or SHA256.`,
    )
  return algorithm as ChecksumAlgorithm
}

export function createHashOf(algorithm: ChecksumAlgorithm): RunningHash {
  return ALGORITHMS[algorithm].create()
}

/**
 * Expects a checksum that the client sent.
 * @param place header, trailer or element that contained the value; used in error messages
 * @throws {S3Error} `InvalidRequest` when the value is not a digest of this algorithm
 */
export function expectChecksum(
  { algorithm, value }: NamedChecksum,
  place: string,
  hash: RunningHash = createHashOf(algorithm),
): Expectation {
  const digest = decodeDigest(value, ALGORITHMS[algorithm].digestBytes)
  if (digest === undefined)
    throw new S3Error('InvalidRequest', `Value for ${place} is invalid: '${value}'.`)
  return { hash, digest, refuse: () => badDigest(algorithm.toUpperCase()) }
}

/** Expects the SHA-256 from the header `x-amz-content-sha256`, in hexadecimal. */
export function expectPayloadHash(hex: string): Expectation {
  return {
    hash: createHash('sha256'),
    digest: Buffer.from(hex, 'hex'),
    refuse: () =>
      new S3Error(
        'XAmzContentSHA256Mismatch',
        'The provided x-amz-content-sha256 header does not match what was computed.',
      ),
  }
}

function expectMd5(value: string): Expectation {
  const digest = decodeDigest(value, 16)
  if (digest === undefined)
    throw new S3Error('InvalidDigest', `The Content-MD5 you specified is not valid: '${value}'.`)
  return { hash: createHash('md5'), digest, refuse: () => badDigest('Content-MD5') }
}

function badDigest(label: string): S3Error {
  return new S3Error(
    'BadDigest',
    `The ${label} you specified did not match the calculated checksum.`,
  )
}

function decodeDigest(value: string, digestBytes: number): Buffer | undefined {
  const digest = Buffer.from(value, 'base64')
  return digest.length === digestBytes && digest.toString('base64') === value ? digest : undefined
}

function createCrc32(): RunningHash {
  let crc = 0
  return {
    update: (piece) => {
      crc = crc32(piece, crc)
    },
    digest: () => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(crc)
      return bytes
    },
  }
}
