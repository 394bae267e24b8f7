import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDiskPartStore } from '../../../emulator/services/storage/blobs/part-store.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'parts-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const open = () => openDiskPartStore({ root, isDurable: true })
async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}
async function* breaking(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
  throw new Error('gone')
}
const contentOf = (id: string): string => readFileSync(join(root, id), 'utf8')
async function collect(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const piece of bytes) all.push(piece)
  return Buffer.concat(all).toString()
}

describe('a part file', () => {
  it('grows from request to request', async () => {
    const parts = open()
    await parts.append('a', 0, pieces('one ', 'two '))
    expect(await parts.append('a', 8, pieces('three'))).toEqual({ writtenBytes: 5 })
    expect(await collect(parts.read('a', 13))).toBe('one two three')
  })

  it('keeps the bytes before a failure and returns the failure', async () => {
    const appended = await open().append('a', 0, breaking('half'))
    expect(appended).toEqual({ writtenBytes: 4, failure: new Error('gone') })
    expect(contentOf('a')).toBe('half')
  })

  it('is overwritten from the offset that its record states', async () => {
    const parts = open()
    await parts.append('a', 0, pieces('abcdef'))
    await parts.append('a', 3, pieces('XY'))
    expect(await collect(parts.read('a', 5))).toBe('abcXY')
  })

  it('that is shorter than its record is refused', async () => {
    const parts = open()
    await parts.append('a', 0, pieces('abcdef'))
    truncateSync(join(root, 'a'), 2)
    await expect(parts.append('a', 6, pieces('g'))).rejects.toMatchObject({ code: 'bytesMissing' })
    await expect(collect(parts.read('a', 6))).rejects.toMatchObject({ code: 'bytesMissing' })
  })

  it('is refused when it is missing, unless its record states no bytes', async () => {
    const parts = open()
    await expect(parts.append('a', 3, pieces('x'))).rejects.toMatchObject({ code: 'bytesMissing' })
    await expect(collect(parts.read('a', 3))).rejects.toMatchObject({ code: 'bytesMissing' })
    expect(await collect(parts.read('a', 0))).toBe('')
  })

  it('is deleted when its upload is removed or unknown', async () => {
    const parts = open()
    for (const id of ['a', 'b', 'c']) await parts.append(id, 0, pieces('x'))
    await parts.remove('a')
    await parts.remove('a')
    expect(parts.sweep((id) => id === 'c')).toBe(1)
    expect(readdirSync(root)).toEqual(['c'])
  })
})
