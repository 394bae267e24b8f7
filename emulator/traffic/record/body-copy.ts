// Copies the start of a body that passes through the proxy, counts all its bytes and computes their hash.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import type { HarBody } from '../har/har.ts'

export interface BodyMask {
  text(text: string): string
  bytes(bytes: Buffer): Buffer
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

  /** @param mask masks a body that is complete or cut off */
  toHar(mimeType: string, coding: string | undefined, mask: BodyMask): HarBody {
    const raw = Buffer.concat(this.#chunks)
    const isWhole = this.#keptBytes === this.#sizeBytes
    const bytes = decoded(raw, coding)
    const text = textOf(bytes, isWhole)
    const shown = text === undefined ? mask.bytes(bytes).toString('base64') : mask.text(text)
    const body: HarBody = {
      mimeType,
      text: shown,
      ...(text === undefined ? { encoding: 'base64' } : {}),
      size: isWhole ? bytes.length : this.#sizeBytes,
    }
    if (isWhole) return body
    return {
      ...body,
      _kept: bytes.length,
      _sha256: this.#hash.digest('hex'),
      comment: `The recording has the first ${bytes.length} of ${this.#sizeBytes} bytes.`,
    }
  }
}

/** A body that decodes to more stays encoded: a few kilobytes can decode to gigabytes. */
const MAX_DECODED_BYTES = 64 << 20

// A body that was cut off is decoded as far as it goes.
function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  const { constants } = zlib
  const maxOutputLength = MAX_DECODED_BYTES
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength }
  try {
    switch (coding?.trim().toLowerCase()) {
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
        return zlib.zstdDecompressSync?.(bytes, { maxOutputLength }) ?? bytes
      default:
        return bytes
    }
  } catch {
    return bytes
  }
}

/** The most bytes of one character in UTF-8. */
const CHARACTER_BYTES = 4

// The cut may be inside a character.
function textOf(bytes: Buffer, isWhole: boolean): string | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const cuts = isWhole ? 1 : CHARACTER_BYTES
  for (let cut = 0; cut < cuts; cut += 1)
    try {
      const text = decoder.decode(bytes.subarray(0, bytes.length - cut))
      return text.includes('\0') ? undefined : text
    } catch {
      // Tries without the last byte.
    }
  return undefined
}
