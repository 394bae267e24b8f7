// Cache of rendered pictures on disk, with a maximum size. The cache drops the least recently used pictures first. A file's
// name contains the object's version, so that a replaced object never shows an old picture. The name also contains the file's
// length, so that incomplete files are not served.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { plainPath } from '../../../core/plain-paths.ts'
import { makePrivateFolder } from '../../../core/private-files.ts'
import { openBlobFile } from '../blobs/blob-reader.ts'
import type { OpenBlob } from '../blobs/blob-store.ts'
import { isPictureFormat, type PictureFormat } from './picture-format.ts'

export interface CachedPicture {
  readonly format: PictureFormat
  readonly sizeBytes: number
  /** Returns `undefined` when the file was removed in the meantime. */
  open(): OpenBlob | undefined
}

export interface PictureCache {
  /** @param variant hash of the transformation, letters and digits */
  find(version: string, variant: string): CachedPicture | undefined
  keep(version: string, variant: string, format: PictureFormat, bytes: Uint8Array): Promise<void>
  /** Drops all pictures of one version. */
  forget(version: string): Promise<void>
  /** Drops the pictures of versions for which `isKnown` returns false. Returns the number of dropped pictures. */
  sweep(isKnown: (version: string) => boolean): number
}

export interface PictureCacheOptions {
  /**
   * Folder used only for rendered pictures. The cache creates the folder when absent, and removes incomplete files at the
   * start.
   */
  readonly root: string
  readonly capacityBytes: number
}

interface Entry {
  readonly version: string
  readonly variant: string
  readonly format: PictureFormat
  readonly sizeBytes: number
}

const FILE_NAME = /^([0-9a-f-]{36})\.([0-9a-z]+)\.(\d+)\.([a-z]+)$/

export function openPictureCache({ root, capacityBytes }: PictureCacheOptions): PictureCache {
  makePrivateFolder(root)
  const pathOf = (entry: Entry): string => plainPath(root, fileName(entry))
  const index = createIndex()
  for (const name of readdirSync(root)) {
    const entry = entryOf(name)
    const path = join(root, name)
    if (entry !== undefined && statSync(path).size === entry.sizeBytes) index.add(entry)
    else rmSync(path, { force: true, recursive: true })
  }
  let counter = 0

  async function drop(entry: Entry): Promise<void> {
    index.remove(entry)
    await rm(pathOf(entry), { force: true })
  }

  return {
    find: (version, variant) => {
      const entry = index.use(version, variant)
      if (entry === undefined) return undefined
      const path = pathOf(entry)
      // A user may have deleted the files to free disk space.
      if (!existsSync(path)) {
        index.remove(entry)
        return undefined
      }
      return { ...entry, open: () => openBlobFile(path) }
    },
    keep: async (version, variant, format, bytes) => {
      const entry: Entry = { version, variant, format, sizeBytes: bytes.byteLength }
      if (entry.sizeBytes > capacityBytes) return
      const passing = join(root, `incoming-${++counter}`)
      await writeFile(passing, bytes)
      await rename(passing, pathOf(entry))
      index.add(entry)
      for (let last = index.excess(capacityBytes); last; last = index.excess(capacityBytes))
        await drop(last)
    },
    forget: async (version) => {
      for (const entry of index.ofVersion(version)) await drop(entry)
    },
    sweep: (isKnown) => {
      const unknown = index.versions().filter((version) => !isKnown(version))
      const entries = unknown.flatMap((version) => index.ofVersion(version))
      for (const entry of entries) {
        index.remove(entry)
        rmSync(pathOf(entry), { force: true })
      }
      return entries.length
    },
  }
}

/** Index of the pictures in order of last use. Using a picture moves it to the end. */
function createIndex() {
  const entries = new Map<string, Entry>()
  const byVersion = new Map<string, Set<string>>()
  let storedBytes = 0

  function remove(entry: Entry): void {
    const key = keyOf(entry.version, entry.variant)
    if (!entries.delete(key)) return
    storedBytes -= entry.sizeBytes
    const keys = byVersion.get(entry.version)
    keys?.delete(key)
    if (keys?.size === 0) byVersion.delete(entry.version)
  }
  function add(entry: Entry): void {
    remove(entries.get(keyOf(entry.version, entry.variant)) ?? entry)
    const key = keyOf(entry.version, entry.variant)
    entries.set(key, entry)
    byVersion.set(entry.version, (byVersion.get(entry.version) ?? new Set()).add(key))
    storedBytes += entry.sizeBytes
  }
  return {
    add,
    remove,
    use: (version: string, variant: string): Entry | undefined => {
      const entry = entries.get(keyOf(version, variant))
      if (entry !== undefined) add(entry)
      return entry
    },
    /** Returns the least recently used picture when the total size exceeds `capacityBytes`. */
    excess: (capacityBytes: number): Entry | undefined =>
      storedBytes > capacityBytes ? entries.values().next().value : undefined,
    versions: (): readonly string[] => [...byVersion.keys()],
    ofVersion: (version: string): readonly Entry[] =>
      [...(byVersion.get(version) ?? [])].flatMap((key) => entries.get(key) ?? []),
  }
}

function keyOf(version: string, variant: string): string {
  return `${version}.${variant}`
}

function fileName({ version, variant, sizeBytes, format }: Entry): string {
  return `${version}.${variant}.${sizeBytes}.${format}`
}

function entryOf(name: string): Entry | undefined {
  const [, version = '', variant = '', size, format = ''] = FILE_NAME.exec(name) ?? []
  return isPictureFormat(format) ? { version, variant, sizeBytes: Number(size), format } : undefined
}

/** Wraps a picture that was just rendered as an opened blob. The bytes must not change afterwards. */
export function holdInMemory(bytes: Uint8Array): OpenBlob {
  return {
    sizeBytes: bytes.byteLength,
    read: ({ first, last }) => new Uint8Array(bytes.subarray(first, last + 1)),
    stream: ({ first, last }) =>
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(bytes.subarray(first, last + 1))
          controller.close()
        },
      }),
    close: () => undefined,
  }
}
