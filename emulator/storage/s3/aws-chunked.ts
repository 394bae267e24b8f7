// Bodies in chunks with their own signatures, and bodies with a hash to match (SigV4 "Transferring payload in multiple
// chunks"). The bytes come out as they are checked; a wrong one fails the whole upload before it is kept.
import { createHash, type Hash } from 'node:crypto'
import { S3Error } from './s3-error.ts'
import { isSameSignature } from './sigv4.ts'

/** What the signature of a chunk must be, given the one before and the hash of its bytes. */
export type ChunkSigner = (previous: string, chunkHash: string) => string

export interface ChunkSignatures {
  /** Signature of the request itself. */
  readonly seed: string
  readonly sign: ChunkSigner
}

const MAX_LINE_BYTES = 8 * 1024

/** @param signatures absent where chunks are not signed. @throws {S3Error} `SignatureDoesNotMatch`, `InvalidRequest` */
export async function* decodeChunks(
  bytes: AsyncIterable<Uint8Array>,
  signatures: ChunkSignatures | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = createReader(bytes)
  let previous = signatures?.seed ?? ''
  try {
    for (;;) {
      const { size, signature } = parseChunkHead(await reader.line())
      const hash = signatures === undefined ? undefined : createHash('sha256')
      yield* reader.take(size, hash)
      if (signatures !== undefined && hash !== undefined) {
        const expected = signatures.sign(previous, hash.digest('hex'))
        if (!isSameSignature(expected, signature))
          throw new S3Error('SignatureDoesNotMatch', 'The signature of a chunk does not match.')
        previous = signature
      }
      if (size === 0) break
      if ((await reader.line()) !== '') throw malformed()
    }
    // Trailers repeat as checksums what was received; their end is the end of the body.
    await reader.drain()
  } finally {
    await reader.close()
  }
}

/** Passes bytes on and fails at the end when they are not those that were announced. */
export async function* matchingHash(
  bytes: AsyncIterable<Uint8Array>,
  algorithm: 'sha256' | 'md5',
  expectedHex: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash(algorithm)
  for await (const piece of bytes) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('hex') === expectedHex) return
  throw algorithm === 'md5'
    ? new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.')
    : new S3Error(
        'XAmzContentSHA256Mismatch',
        'The provided x-amz-content-sha256 header does not match what was computed.',
      )
}

function createReader(bytes: AsyncIterable<Uint8Array>) {
  const source = bytes[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function more(): Promise<boolean> {
    const { done, value } = await source.next()
    if (done === true) return false
    const piece = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    return true
  }
  return {
    line: async (): Promise<string> => {
      for (let end = rest.indexOf('\r\n'); ; end = rest.indexOf('\r\n')) {
        if (end >= 0) {
          const text = rest.subarray(0, end).toString('latin1')
          rest = rest.subarray(end + 2)
          return text
        }
        if (rest.length > MAX_LINE_BYTES || !(await more())) throw malformed()
      }
    },
    async *take(size: number, hash: Hash | undefined): AsyncGenerator<Uint8Array> {
      for (let left = size; left > 0; ) {
        if (rest.length === 0 && !(await more())) throw malformed()
        const piece = rest.subarray(0, left)
        rest = rest.subarray(piece.length)
        left -= piece.length
        hash?.update(piece)
        yield piece
      }
    },
    /** Leaves the source; harmless at its end. */
    close: async (): Promise<void> => {
      await source.return?.()
    },
    drain: async (): Promise<void> => {
      while (await more()) rest = Buffer.alloc(0)
    },
  }
}

function parseChunkHead(line: string): { size: number; signature: string } {
  const [, digits, signature = ''] =
    /^([\da-f]{1,12})(?:;chunk-signature=(\w+))?$/i.exec(line) ?? []
  if (digits === undefined) throw malformed()
  return { size: Number.parseInt(digits, 16), signature }
}

function malformed(): S3Error {
  return new S3Error('InvalidRequest', 'The aws-chunked body is not well-formed.')
}
