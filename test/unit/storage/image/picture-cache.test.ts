import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPictureCache } from '../../../../emulator/services/storage/image/picture-cache.ts'

const version = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`
const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(7)

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pictures-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const open = (capacityBytes = 1_000) => openPictureCache({ root, capacityBytes })

describe('the cache of rendered pictures', () => {
  it('returns a cached picture even after a restart', async () => {
    await open().keep(version(1), 'a1', 'webp', bytes(10))
    const found = open().find(version(1), 'a1')
    expect(found).toMatchObject({ format: 'webp', sizeBytes: 10 })
    expect(found?.open()?.read({ first: 0, last: 9 })).toEqual(bytes(10))
  })

  it('drops the least recently used picture when the cache is full', async () => {
    const cache = open(100)
    for (const digit of [1, 2]) await cache.keep(version(digit), 'a', 'png', bytes(50))
    cache.find(version(1), 'a')
    await cache.keep(version(3), 'a', 'png', bytes(50))
    expect([1, 2, 3].map((digit) => cache.find(version(digit), 'a') !== undefined)).toEqual([
      true,
      false,
      true,
    ])
    expect(readdirSync(root)).toHaveLength(2)
  })

  it('does not store a picture that is larger than the cache', async () => {
    const cache = open(100)
    await cache.keep(version(1), 'a', 'png', bytes(50))
    await cache.keep(version(2), 'a', 'png', bytes(101))
    expect(readdirSync(root)).toHaveLength(1)
  })

  it('removes all pictures of one object version, and no other pictures', async () => {
    const cache = open()
    await cache.keep(version(1), 'a', 'png', bytes(5))
    await cache.keep(version(1), 'b', 'gif', bytes(5))
    await cache.keep(version(2), 'a', 'png', bytes(5))
    await cache.forget(version(1))
    expect(readdirSync(root)).toEqual([`${version(2)}.a.5.png`])
    expect(cache.find(version(1), 'b')).toBeUndefined()
  })

  it('removes damaged and foreign files when it opens', async () => {
    await open().keep(version(1), 'a', 'png', bytes(50))
    truncateSync(join(root, `${version(1)}.a.50.png`), 20)
    writeFileSync(join(root, 'incoming-1'), 'half')
    open()
    expect(readdirSync(root)).toEqual([])
  })

  it('does not find a file that was removed from the folder', async () => {
    const cache = open()
    await cache.keep(version(1), 'a', 'png', bytes(5))
    rmSync(join(root, `${version(1)}.a.5.png`))
    expect(cache.find(version(1), 'a')).toBeUndefined()
  })

  it('removes pictures of versions that no longer exist', async () => {
    const cache = open()
    await cache.keep(version(1), 'a', 'png', bytes(5))
    await cache.keep(version(2), 'a', 'png', bytes(5))
    expect(cache.sweep((known) => known === version(2))).toBe(1)
    expect(readdirSync(root)).toEqual([`${version(2)}.a.5.png`])
  })
})
