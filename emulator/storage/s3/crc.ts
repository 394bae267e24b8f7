// The cyclic redundancy checks of S3 that Node has no function for, by table: CRC-32C (RFC 3720 appendix B.4) and CRC-64/NVME
// (NVM Command Set specification §5.2.1.3.4). Both are reflected and begin and end with all bits inverted.

/** A hash that takes bytes as they come. */
export interface RunningHash {
  update(piece: Uint8Array): void
  digest(): Buffer
}

const CRC32C_POLYNOMIAL = 0x82f63b78
/** 0x9a6c9329ac4bc9b5 in two halves. */
const CRC64_HIGH = 0x9a6c9329
const CRC64_LOW = 0xac4bc9b5

let crc32cTable: Int32Array | undefined
let crc64Tables: { readonly high: Int32Array; readonly low: Int32Array } | undefined

export function createCrc32c(): RunningHash {
  crc32cTable ??= makeTables(0, CRC32C_POLYNOMIAL).low
  const table = crc32cTable
  let crc = -1
  return {
    update: (piece) => {
      for (const byte of piece) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0)
    },
    digest: () => inBytes(~crc),
  }
}

export function createCrc64Nvme(): RunningHash {
  crc64Tables ??= makeTables(CRC64_HIGH, CRC64_LOW)
  const tables = crc64Tables
  let high = -1
  let low = -1
  return {
    update: (piece) => {
      for (const byte of piece) {
        const index = (low ^ byte) & 0xff
        low = ((low >>> 8) | (high << 24)) ^ (tables.low[index] ?? 0)
        high = (high >>> 8) ^ (tables.high[index] ?? 0)
      }
    },
    digest: () => inBytes(~high, ~low),
  }
}

function makeTables(polynomialHigh: number, polynomialLow: number) {
  const high = new Int32Array(256)
  const low = new Int32Array(256)
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
    high[index] = above
    low[index] = below
  }
  return { high, low }
}

function inBytes(...words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(words.length * 4)
  for (const [index, word] of words.entries()) bytes.writeInt32BE(word, index * 4)
  return bytes
}
