import { describe, expect, it } from 'vitest'
import { SeededIdSource, SystemIdSource } from '../../../emulator/core/id-source.ts'

describe('the system’s id source', () => {
  it('does not change returned bytes when its pool is cleared', () => {
    const ids = new SystemIdSource()
    const drawn = Array.from({ length: 200 }, () => ids.bytes(32))
    expect(drawn.filter((bytes) => bytes.every((byte) => byte === 0))).toEqual([])
  })

  it('never repeats a secret, also when its pool is refilled', () => {
    const ids = new SystemIdSource()
    const secrets = Array.from({ length: 500 }, () => ids.secret('sdb_gk_'))
    expect(new Set(secrets).size).toBe(500)
  })

  it('returns the requested number of bytes', () => {
    const ids = new SystemIdSource()
    expect([0, 1, 32, 4_096, 10_000].map((count) => ids.bytes(count).length)).toEqual([
      0, 1, 32, 4_096, 10_000,
    ])
  })
})

describe('a seeded id source', () => {
  it('returns the same secret for the same seed, and another secret for another seed', () => {
    const first = new SeededIdSource('a').secret('k')
    expect(new SeededIdSource('a').secret('k')).toBe(first)
    expect(new SeededIdSource('b').secret('k')).not.toBe(first)
  })
})
