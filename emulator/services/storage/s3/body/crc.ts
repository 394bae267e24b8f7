// S3 checksums that Node does not provide: CRC-32C (RFC 3720 appendix B.4) and CRC-64/NVME (NVM Command Set specification
// §5.2.1.3.4). Both checksums are reflected, and start and end with all bits inverted. Each step processes 8 bytes.

/** An incremental hash. `update` adds bytes. */
export interface RunningHash {
  update(piece: Uint8Array): void
  digest(): Buffer
}

/**
 * Eight tables of 256 entries, stored one after the other. `high` holds the upper 32 bits of each entry, `low` the lower 32
 * bits.
 */
interface Tables {
  readonly high: Int32Array
  readonly low: Int32Array
}

let crc32cTables: Tables | undefined
let crc64Tables: Tables | undefined

export function createCrc32c(): RunningHash {
  crc32cTables ??= makeTables(0, 0x82f63b78)
  // Computes the 32-bit CRC as a 64-bit CRC whose upper half stays zero.
  const crc = createCrc(crc32cTables, 0)
  return { update: crc.update, digest: () => crc.digest().subarray(4) }
}

export function createCrc64Nvme(): RunningHash {
  crc64Tables ??= makeTables(0x9a6c9329, 0xac4bc9b5)
  return createCrc(crc64Tables, -1)
}

function createCrc({ high, low }: Tables, startHigh: number): RunningHash {
  let above = startHigh
  let below = -1
  // Every index is below 2048, so `?? 0` only satisfies the compiler.
  const half = (table: Int32Array, first: number, second: number): number =>
    (table[1792 + (first & 255)] ?? 0) ^
    (table[1536 + ((first >>> 8) & 255)] ?? 0) ^
    (table[1280 + ((first >>> 16) & 255)] ?? 0) ^
    (table[1024 + (first >>> 24)] ?? 0) ^
    (table[768 + (second & 255)] ?? 0) ^
    (table[512 + ((second >>> 8) & 255)] ?? 0) ^
    (table[256 + ((second >>> 16) & 255)] ?? 0) ^
    (table[second >>> 24] ?? 0)
  return {
    update: (piece) => {
      let at = 0
      for (; at + 8 <= piece.length; at += 8) {
        const first = below ^ wordAt(piece, at)
        const second = above ^ wordAt(piece, at + 4)
        below = half(low, first, second)
        above = half(high, first, second)
      }
      for (; at < piece.length; at += 1) {
        const index = (below ^ (piece[at] ?? 0)) & 255
        below = ((below >>> 8) | (above << 24)) ^ (low[index] ?? 0)
        above = (above >>> 8) ^ (high[index] ?? 0)
      }
    },
    digest: () => {
      const bytes = Buffer.alloc(8)
      bytes.writeInt32BE(~above)
      bytes.writeInt32BE(~below, 4)
      return bytes
    },
  }
}

function wordAt(piece: Uint8Array, at: number): number {
  return (
    (piece[at] ?? 0) |
    ((piece[at + 1] ?? 0) << 8) |
    ((piece[at + 2] ?? 0) << 16) |
    ((piece[at + 3] ?? 0) << 24)
  )
}

/** @param polynomialHigh upper 32 bits of the reflected polynomial; `polynomialLow` holds the lower 32 bits */
function makeTables(polynomialHigh: number, polynomialLow: number): Tables {
  const high = new Int32Array(8 * 256)
  const low = new Int32Array(8 * 256)
  for (let index = 0; index < 256; index += 1) {
    let above = 0
    let below = index
    for (let bit = 0; bit < 8; bit += 1) {
      const isOdd = (below & 1) === 1
      below = (below >>> 1) | (above << 31)
      above >>>= 1
      if (!isOdd) continue
      below ^= polynomialLow
      above ^= polynomialHigh
    }
    low[index] = below
    high[index] = above
  }
  // Each further table contains the values of the previous table, advanced by one zero byte.
  for (let at = 256; at < low.length; at += 1) {
    const above = high[at - 256] ?? 0
    const below = low[at - 256] ?? 0
    low[at] = ((below >>> 8) | (above << 24)) ^ (low[below & 255] ?? 0)
    high[at] = (above >>> 8) ^ (high[below & 255] ?? 0)
  }
  return { high, low }
}
