import { describe, expect, it } from 'vitest'
import { isSpareSegment } from '../../../../emulator/database/embedded/cluster/prepared-image.ts'

function page(address: bigint): Uint8Array {
  const bytes = Buffer.alloc(24)
  bytes.writeBigUInt64LE(address, 8)
  return bytes
}

describe('a segment of the write-ahead log', () => {
  it.each([
    ['has the address of its name', 'pg_wal/00000001000000000000000F', 0xf00000n, false],
    ['lies beyond 4 GB', 'pg_wal/000000010000000200000001', 0x2_0010_0000n, false],
    ['was recycled', 'pg_wal/000000010000000000000010', 0x900000n, true],
    ['was never written', 'pg_wal/000000010000000000000011', 0n, true],
  ])('is recognised as used or spare when it %s', (_case, path, address, isSpare) => {
    expect(isSpareSegment(path, page(address))).toBe(isSpare)
  })

  it('is only a file directly in pg_wal', () => {
    expect(isSpareSegment('pg_wal/archive_status', page(0n))).toBe(false)
    expect(isSpareSegment('base/5/1259', page(0n))).toBe(false)
  })
})
