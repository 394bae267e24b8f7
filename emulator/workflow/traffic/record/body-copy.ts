// Copies the start of a body that passes through the proxy, counts all its bytes and computes their hash.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import { textOf } from '../../../platform/secrets/bodies/mask-body.ts'
import type { HarBody } from '../har/har.ts'

/** Masks a body before it is written to the recording. */
export interface BodyMask {
  /** Returns the masked body; `undefined` when the secrets in the body cannot be found. */
  body(bytes: Buffer, isWhole: boolean): Buffer | undefined
  /** Returns what is written in place of a body whose secrets cannot be found. `undefined` leaves out the body. */
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

  /** Number of bytes that passed, before the content coding was removed. */
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

  /** Copies the data of a stream. Does not change the stream's pace, because another listener controls the pace. */
  listenTo(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => this.add(chunk))
  }

  /** Returns the body in the format of the recording: masked, or left out with its size and hash. */
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

/** Maximum size of a decoded body. A larger body is left out, because a few kilobytes can decode to gigabytes. */
const MAX_DECODED_BYTES = 64 << 20

/** Maximum number of codings of a body. Servers apply fewer. */
const MAX_CODINGS = 4

// Returns `undefined` when a coding is unknown or its data is damaged. Decodes as much as possible of a body that was cut off.
function decoded(bytes: Buffer, codings = ''): Buffer | undefined {
  const names = codings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > MAX_CODINGS) return undefined
  try {
    // Removes the codings from right to left, because the header lists them in the order in which they were applied (RFC 9110
    // §8.4).
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
      // Node 22 supports zstd only from version 22.15.
      return zlib.zstdDecompressSync?.(bytes, { maxOutputLength })
    default:
      return undefined
  }
}
