import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SeededIdSource } from '../../../emulator/core/id-source.ts'
import type { BlobStore } from '../../../emulator/services/storage/blobs/blob-store.ts'
import { openDiskBlobStore } from '../../../emulator/services/storage/blobs/disk-blob-store.ts'

const HELLO_MD5 = '5d41402abc4b2a76b9719d911017c592'

async function* from(...pieces: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}

async function* broken(...pieces: string[]): AsyncGenerator<Uint8Array> {
  yield* from(...pieces)
  throw new Error('the line went dead')
}

describe.each([
  ['flushing', true],
  ['non-flushing', false],
])('a %s blob store on disk', (_name, isDurable) => {
  let root: string
  let store: BlobStore
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tenantry-blobs-'))
    store = openDiskBlobStore({ root, ids: new SeededIdSource('blobs'), isDurable })
  })
  afterEach(() => {
    rmSync(root, { recursive: true, force: true })
  })

  const filesOf = (): string[] =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  const keep = async (blobId: string, ...pieces: (string | Uint8Array)[]): Promise<void> =>
    store.keep(await store.stage(from(...pieces)), blobId)
  const textOf = (blobId: string): string | undefined => {
    const blob = store.open(blobId)
    return blob && Buffer.from(blob.read({ first: 0, last: blob.sizeBytes - 1 })).toString()
  }

  it('returns size and MD5 of the staged bytes', async () => {
    expect(await store.stage(from('he', 'll', 'o'))).toMatchObject({
      sizeBytes: 5,
      md5: HELLO_MD5,
    })
  })

  it('stores bytes in a folder named by the id’s first two characters', async () => {
    await keep('abc', 'he', 'llo')
    expect(textOf('abc')).toBe('hello')
    expect(existsSync(join(root, 'ab', 'abc'))).toBe(true)
    expect(filesOf()).toEqual(['abc'])
  })

  it('refuses an id that leads outside the store’s folder', async () => {
    const outside = join(root, '..', 'outside')
    await expect(keep('../outside', 'x')).rejects.toThrow('is stored as a name and is none')
    expect(() => store.open('../../etc/hostname')).toThrow('is stored as a name and is none')
    expect(existsSync(outside)).toBe(false)
  })

  it('stores an empty upload as an empty blob', async () => {
    await keep('abc')
    expect(store.open('abc')?.sizeBytes).toBe(0)
  })

  it('writes pieces larger than a batch in order', async () => {
    const pieces = Array.from({ length: 9 }, (_, index) => Buffer.alloc(700_001, index))
    await keep('abc', ...pieces)
    const blob = store.open('abc')
    const whole = blob?.read({ first: 0, last: blob.sizeBytes - 1 }) ?? new Uint8Array()
    expect(Buffer.concat(pieces).equals(whole)).toBe(true)
  })

  it('frees the memory of written pieces that nothing else uses', async () => {
    const pieces = Array.from({ length: 9 }, (_, index) => Buffer.alloc(700_001, index))
    const whole = Buffer.concat(pieces)
    const part = Buffer.from(new ArrayBuffer(16), 4, 8)
    const staged = await store.stage(from(part, ...pieces), { ownsPieces: true })
    expect(pieces.map(({ length }) => length)).toEqual(pieces.map(() => 0))
    expect(part.length).toBe(8)
    await store.keep(staged, 'abc')
    const bytes = store.open('abc')?.read({ first: 8, last: whole.length + 7 })
    expect(whole.equals(bytes ?? new Uint8Array())).toBe(true)
  })

  it('reads a span', async () => {
    await keep('abc', 'hello')
    expect(Buffer.from(store.open('abc')?.read({ first: 1, last: 3 }) ?? []).toString()).toBe('ell')
  })

  it('streams a span piece by piece', async () => {
    const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251))
    await keep('abc', bytes)
    const pieces: Uint8Array[] = []
    for await (const piece of store.open('abc')?.stream({ first: 3, last: 699_000 }) ?? [])
      pieces.push(piece)
    expect(pieces.length).toBeGreaterThan(1)
    expect(Buffer.concat(pieces).equals(bytes.subarray(3, 699_001))).toBe(true)
  })

  it('fails a stream whose file was cut short', async () => {
    await keep('abc', 'hello')
    const stream = store.open('abc')?.stream({ first: 0, last: 9 })
    await expect(async () => {
      for await (const _piece of stream ?? []);
    }).rejects.toThrow(/shorter/)
  })

  it('closes the file of a stream that is cancelled', async () => {
    await keep('abc', Buffer.alloc(700_000))
    const reader = store.open('abc')?.stream({ first: 0, last: 699_999 }).getReader()
    await reader?.read()
    const next = reader?.read()
    await expect(reader?.cancel()).resolves.toBeUndefined()
    expect(await next).toMatchObject({ done: true })
  })

  it('refuses bytes beyond the limit, stops reading and leaves no file', async () => {
    let asked = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        asked += 1
        yield Buffer.alloc(10)
      }
    }
    await expect(store.stage(endless(), { limitBytes: 25 })).rejects.toMatchObject({
      code: 'tooLarge',
    })
    expect(asked).toBe(3)
    expect(filesOf()).toEqual([])
  })

  it('accepts exactly as many bytes as the limit', async () => {
    expect(await store.stage(from('hello'), { limitBytes: 5 })).toMatchObject({ sizeBytes: 5 })
  })

  it('leaves no file when the source fails', async () => {
    await expect(store.stage(broken('hel'))).rejects.toThrow('the line went dead')
    expect(filesOf()).toEqual([])
  })

  it('leaves no file of a discarded blob', async () => {
    await store.discard(await store.stage(from('hello')))
    expect(filesOf()).toEqual([])
  })

  it('copies a blob', async () => {
    await keep('abc', 'hello')
    expect(await store.copy('abc', 'def')).toBe(true)
    await store.remove('abc')
    expect([textOf('abc'), textOf('def')]).toEqual([undefined, 'hello'])
  })

  it('finds no file to copy, open or remove under an unknown id', async () => {
    expect(await store.copy('abc', 'def')).toBe(false)
    expect(store.open('abc')).toBeUndefined()
    await expect(store.remove('abc')).resolves.toBeUndefined()
    expect(filesOf()).toEqual([])
  })

  it('deletes unfinished and unknown files in a sweep', async () => {
    await keep('abc', 'known')
    await keep('abd', 'unknown')
    writeFileSync(join(root, 'incoming', 'torn'), 'half')
    expect(store.sweep((blobId) => blobId === 'abc')).toBe(2)
    expect(filesOf()).toEqual(['abc'])
  })
})
