// Decodes aws-chunked bodies, whose chunks and trailers have their own signatures (SigV4 "Transferring payload in multiple
// chunks"). The decoder passes bytes on while it checks them. A wrong signature fails the upload before the object is stored.
import { createHash } from 'node:crypto'
import { S3Error } from '../s3-error.ts'
import { type ChunkSignatures, isSameSignature } from '../signing/sigv4.ts'
import {
  createHashOf,
  type Expectation,
  expectChecksum,
  isChecksumName,
  requireAlgorithm,
  requireMet,
} from './checksum.ts'
import type { RunningHash } from './crc.ts'

export interface ChunkedBody {
  /** Signatures of the chunks. Absent when the chunks are not signed. */
  readonly signatures?: ChunkSignatures | undefined
  /** Lower-case names of the checksums that follow the last chunk. */
  readonly trailers: readonly string[]
  /** Value of the header `x-amz-decoded-content-length`. */
  readonly decodedBytes: number | undefined
}

const MAX_LINE_BYTES = 8 * 1024
const TRAILER_SIGNATURE = 'x-amz-trailer-signature'

/** @throws {S3Error} `SignatureDoesNotMatch`, `InvalidRequest`, `MalformedTrailerError`, `IncompleteBody`, `BadDigest` */
export async function* decodeChunks(
  bytes: AsyncIterable<Uint8Array>,
  { signatures, trailers, decodedBytes }: ChunkedBody,
): AsyncGenerator<Uint8Array> {
  const hashes = new Map(trailers.map((name) => [name, createHashOf(requireAlgorithm(name))]))
  const reader = createReader(bytes)
  const link = createLink(signatures)
  let total = 0
  try {
    for (;;) {
      const { size, signature } = parseChunkHead(await reader.line())
      for await (const piece of reader.take(size)) {
        link?.update(piece)
        for (const hash of hashes.values()) hash.update(piece)
        yield piece
      }
      link?.requireChunk(signature)
      total += size
      if (size === 0) break
      if ((await reader.line()) !== '') throw malformed()
    }
    requireLength(total, decodedBytes)
    const lines = parseTrailer(await reader.rest())
    if (trailers.length > 0) link?.requireTrailer(lines)
    requireMet(expectTrailers(lines, hashes))
  } finally {
    await reader.close()
  }
}

// Verifies the chain of signatures. Each chunk's signature covers the previous signature.
function createLink(signatures: ChunkSignatures | undefined) {
  if (signatures === undefined) return undefined
  let previous = signatures.seed
  let hash = createHash('sha256')
  return {
    update: (piece: Uint8Array) => hash.update(piece),
    requireChunk: (signature: string): void => {
      const expected = signatures.chunk(previous, hash.digest('hex'))
      if (!isSameSignature(expected, signature)) throw wrongSignature('a chunk')
      previous = signature
      hash = createHash('sha256')
    },
    requireTrailer: (lines: ReadonlyMap<string, string>): void => {
      for (const [name, value] of lines)
        if (name !== TRAILER_SIGNATURE) hash.update(`${name}:${value}\n`)
      const expected = signatures.trailer(previous, hash.digest('hex'))
      if (!isSameSignature(expected, lines.get(TRAILER_SIGNATURE) ?? ''))
        throw wrongSignature('the trailer')
    },
  }
}

function requireLength(total: number, decodedBytes: number | undefined): void {
  if (decodedBytes === undefined || decodedBytes === total) return
  throw new S3Error(
    'IncompleteBody',
    `The chunks have ${total} bytes, but x-amz-decoded-content-length says ${decodedBytes}.`,
  )
}

/** Lower-case names listed in the header `x-amz-trailer`. @throws {S3Error} `InvalidRequest`, `NotImplemented` */
export function trailersIn(header: string | null): readonly string[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  const named = names.filter((name) => name !== '')
  for (const name of named) {
    if (!isChecksumName(name))
      throw new S3Error(
        'InvalidRequest',
        `x-amz-trailer names '${name}', but trailers can only be checksums.`,
      )
    requireAlgorithm(name)
  }
  return named
}

// Requires all trailers that the header `x-amz-trailer` announces, and no others.
function expectTrailers(
  lines: ReadonlyMap<string, string>,
  hashes: ReadonlyMap<string, RunningHash>,
): readonly Expectation[] {
  for (const name of lines.keys())
    if (name !== TRAILER_SIGNATURE && !hashes.has(name)) throw malformedTrailer()
  return [...hashes].map(([name, hash]) => {
    const value = lines.get(name)
    if (value === undefined) throw malformedTrailer()
    return expectChecksum({ algorithm: requireAlgorithm(name), value }, `trailer ${name}`, hash)
  })
}

// Clients send different numbers of empty lines in a trailer. Some clients end lines without a carriage return.
function parseTrailer(text: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    if (line === '') continue
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (colon < 1 || lines.has(name)) throw malformedTrailer()
    lines.set(name, line.slice(colon + 1).trim())
  }
  return lines
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
    async *take(size: number): AsyncGenerator<Uint8Array> {
      for (let left = size; left > 0; ) {
        if (rest.length === 0 && !(await more())) throw malformed()
        const piece = rest.subarray(0, left)
        rest = rest.subarray(piece.length)
        left -= piece.length
        yield piece
      }
    },
    /** Reads the rest of the body as text. */
    rest: async (): Promise<string> => {
      do if (rest.length > MAX_LINE_BYTES) throw malformedTrailer()
      while (await more())
      return rest.toString('latin1')
    },
    /** Closes the source. Does nothing when the source has already ended. */
    close: async (): Promise<void> => {
      await source.return?.()
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

function malformedTrailer(): S3Error {
  return new S3Error(
    'MalformedTrailerError',
    'The lines after the last chunk are not the checksums that x-amz-trailer announces.',
  )
}

function wrongSignature(what: string): S3Error {
  return new S3Error('SignatureDoesNotMatch', `The signature of ${what} does not match.`)
}
