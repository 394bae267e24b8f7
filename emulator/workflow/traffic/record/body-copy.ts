// Copies the start of a body that passes through the proxy, counts all its bytes and computes their hash.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import { textOf } from '../../../platform/secrets/bodies/mask-body.ts'
import type { HarBody } from '../har/har.ts'

/** What happens to a body before it is written. */
export interface BodyMask {
  /** Returns `undefined` for a body whose secrets cannot be found. */
  body(bytes: Buffer, isWhole: boolean): Buffer | undefined
  /** Returns what is written of such a body. `undefined` leaves it out. */
  opaque(bytes: Buffer): Buffer | undefined
}

export class BodyCopy {
  readonly #maxBytes: number
  readonly #hash = createHash('sha256')
  readonly #chunks: Buffer[] = []
  #keptBytes = 0
  #sizeBytes = 0

  /** @param maxBytes the number of bytes to keep; the rest is only counted */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Number of bytes that passed, with their content coding. */
  get sizeBytes(): number {
    return this.#sizeBytes
  }

  add(chunk: Buffer): void {
    this.#sizeBytes += chunk.length
    this.#hash.update(chunk)
    const room = this.#maxBytes - this.#keptBytes
    if (room <= 0) return
    // Copies the bytes, because a slice would keep the socket's whole buffer in memory.
    const kept = Buffer.from(chunk.subarray(0, room))
    this.#chunks.push(kept)
    this.#keptBytes += kept.length
  }

  /** Copies what a stream emits. Does not change the stream's pace, because another listener controls it. */
  listenTo(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => this.add(chunk))
  }

  /** Returns the body as the recording has it: masked, or with its size and hash when it is left out. */
  toHar(mimeType: string, coding: string | undefined, mask: BodyMask): HarBody {
    const raw = Buffer.concat(this.#chunks)
    const isCut = this.#keptBytes < this.#sizeBytes
    const plain = decoded(raw, coding)
    const bytes = plain ?? raw
    const size = isCut ? this.#sizeBytes : bytes.length
    const masked = plain === undefined ? undefined : mask.body(bytes, !isCut)
    const shown = masked ?? mask.opaque(bytes)
    // The hash of a cut body includes the bytes that were not kept.
    const sha256 = () =>
      (isCut ? this.#hash.copy() : createHash('sha256').update(bytes)).digest('hex')
    if (shown === undefined)
      return { mimeType, size, _kept: 0, _sha256: sha256(), comment: LEFT_OUT }
    const text = textOf(shown, !isCut)
    const body = {
      mimeType,
      text: text ?? shown.toString('base64'),
      ...(text === undefined ? { encoding: 'base64' as const } : {}),
      size,
    }
    if (!isCut) return body
    return {
      ...body,
      _kept: bytes.length,
      _sha256: sha256(),
      comment: `The recording has the first ${bytes.length} of ${size} bytes.`,
    }
  }

  /** Returns the body as it was received, to compare it with a recorded one. */
  received(mimeType: string, coding: string | undefined): HarBody {
    const body = this.toHar(mimeType, coding, AS_IT_IS)
    if (body._sha256 !== undefined) return body
    const bytes = Buffer.from(body.text ?? '', body.encoding ?? 'utf8')
    return { ...body, _sha256: createHash('sha256').update(bytes).digest('hex') }
  }
}

const AS_IT_IS: BodyMask = { body: (bytes) => bytes, opaque: (bytes) => bytes }
const LEFT_OUT =
  'Left out, because secrets in it cannot be found. "tenantry record --keep-opaque-bodies" keeps it.'

/** A body that decodes to more is left out: a few kilobytes can decode to gigabytes. */
const MAX_DECODED_BYTES = 64 << 20

/** More codings than a server applies to one body. */
const MAX_CODINGS = 4

// Returns `undefined` for a coding that is unknown or broken. A body that was cut off is decoded as far as it goes.
function decoded(bytes: Buffer, codings = ''): Buffer | undefined {
  const names = codings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > MAX_CODINGS) return undefined
  try {
    // The last coding was applied last (RFC 9110 §8.4).
    return names.reduceRight<Buffer | undefined>(decodedOnce, bytes)
  } catch {
    return undefined
  }
}

function decodedOnce(bytes: Buffer | undefined, name: string): Buffer | undefined {
  const { constants } = zlib
  const maxOutputLength = MAX_DECODED_BYTES
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength }
  if (bytes === undefined) return undefined
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return zlib.gunzipSync(bytes, options)
    case 'deflate':
      return zlib.inflateSync(bytes, options)
    case 'br':
      return zlib.brotliDecompressSync(bytes, {
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
        maxOutputLength,
      })
    case 'zstd':
      // Node 22 has zstd from 22.15.
      return zlib.zstdDecompressSync?.(bytes, { maxOutputLength })
    default:
      return undefined
  }
}
