import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { epochMillis } from '../../../../emulator/core/time.ts'
import type { BlobStore } from '../../../../emulator/services/storage/blobs/blob-store.ts'
import {
  holdInMemory,
  openPictureCache,
} from '../../../../emulator/services/storage/image/picture-cache.ts'
import { Pictures } from '../../../../emulator/services/storage/image/pictures.ts'
import type { StoredObject } from '../../../../emulator/services/storage/objects/object-store.ts'

const VERSION = '00000000-0000-4000-8000-000000000001'
const now = epochMillis(0)

let root: string
let source: Buffer
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'pictures-'))
  source = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
})
afterEach(() => rmSync(root, { recursive: true }))

const stored = (sizeBytes = source.length): StoredObject => ({
  id: VERSION,
  bucket: 'proj_acme_b',
  objectKey: 'red.png',
  version: VERSION,
  ownerId: undefined,
  sizeBytes,
  etag: 'e',
  mimeType: 'image/png',
  cacheControl: 'no-cache',
  userMetadata: undefined,
  createdAt: now,
  updatedAt: now,
  lastAccessedAt: now,
})

/** Counts how often the source was read as a stream, as a rendering does. */
function countingBlobs() {
  const reads = { count: 0 }
  const blobs: Pick<BlobStore, 'open'> = {
    open: () => {
      const blob = holdInMemory(source)
      return {
        ...blob,
        stream: (span) => {
          reads.count += 1
          return blob.stream(span)
        },
      }
    },
  }
  return { reads, blobs }
}

const openCache = () => openPictureCache({ root, capacityBytes: 1_000_000 })

describe('a transformed picture', () => {
  it('is rendered once for simultaneous requests, and read from disk later', async () => {
    const { reads, blobs } = countingBlobs()
    const pictures = new Pictures({ blobs, cache: openCache() })
    const ask = () => pictures.picture(stored(), { width: 10 }, null)
    await Promise.all([ask(), ask(), ask()])
    await ask()
    expect(reads.count).toBe(1)
  })

  it('of another format or size is rendered separately', async () => {
    const { reads, blobs } = countingBlobs()
    const pictures = new Pictures({ blobs, cache: openCache() })
    await pictures.picture(stored(), { width: 10 }, null)
    await pictures.picture(stored(), { width: 11 }, null)
    await pictures.picture(stored(), { width: 10 }, 'image/webp')
    expect(reads.count).toBe(3)
  })

  it('is not cached when its object was deleted during rendering', async () => {
    let asked = 0
    const blobs = { open: () => (++asked === 1 ? holdInMemory(source) : undefined) }
    const pictures = new Pictures({ blobs, cache: openCache() })
    const { sizeBytes } = await pictures.picture(stored(), { width: 10 }, null)
    expect(sizeBytes).toBeGreaterThan(0)
    expect(readdirSync(root)).toEqual([])
  })

  it('is refused before its object is read when the object has too many bytes', async () => {
    const { reads, blobs } = countingBlobs()
    const pictures = new Pictures({ blobs, cache: openCache() })
    await expect(pictures.picture(stored(30_000_000), {}, null)).rejects.toMatchObject({
      code: 'invalidImage',
    })
    expect(reads.count).toBe(0)
  })

  it('is refused when too many requests wait', async () => {
    const { blobs } = countingBlobs()
    const pictures = new Pictures({ blobs, cache: openCache() })
    const asked = Array.from({ length: 203 }, (_, index) =>
      pictures.picture(stored(), { width: index + 1 }, null),
    )
    const codes = (await Promise.allSettled(asked)).map((result) =>
      result.status === 'fulfilled' ? 'rendered' : result.reason.code,
    )
    expect(codes.filter((code) => code === 'overloaded')).toHaveLength(1)
  })
})
