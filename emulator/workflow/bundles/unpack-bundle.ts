// Reads a bundle into an empty folder. Bundles are untrusted. The reader accepts only files with known names that the manifest
// lists. It compares their sizes and hashes, and stops at the announced number of bytes. None of the files is a database.
import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { whyUnreadable } from '../../core/named-files.ts'
import { blobPath } from '../../services/storage/blobs/blob-folders.ts'
import { BundleError, damaged } from './bundle-error.ts'
import { type BundledFile, MANIFEST, type Manifest, parseManifest, REQUESTS } from './manifest.ts'

const MEBIBYTE = 1 << 20
const MAX_MANIFEST_BYTES = 32 * MEBIBYTE
/** Maximum bytes of the recorded requests, which are read into memory. */
const MAX_REQUESTS_BYTES = 128 * MEBIBYTE
export const MAX_UNPACKED_BYTES: number = 4_096 * MEBIBYTE
/** What a tar adds to the contents, in bytes: a header and padding for each file, and an end mark. */
const TAR_BYTES_PER_FILE = 2_048
const TAR_END_BYTES = 1 * MEBIBYTE

/** Folders of an unpacked bundle: the state to load, and a data directory that already contains the files of buckets. */
export const UNPACKED_STATE = 'state'
export const UNPACKED_DATA = 'data'

export interface UnpackedBundle {
  readonly manifest: Manifest
  /** JSON. */
  readonly requests: string
}

/** @param folder a new folder, which gets the sub-folders `UNPACKED_STATE` and `UNPACKED_DATA` @throws {BundleError} */
export async function unpackBundle(path: string, folder: string): Promise<UnpackedBundle> {
  const file = basename(path)
  const entries = openEntries(path)
  try {
    const manifest = parseManifest(file, await readManifest(file, entries))
    entries.allow(requireRoom(file, manifest, folder))
    return { manifest, requests: await readFiles(file, manifest, entries, folder) }
  } catch (error) {
    throw error instanceof BundleError ? error : unreadable(file, error)
  } finally {
    await entries.close()
  }
}

/** Reads only the manifest. @throws {BundleError} */
export async function readBundleManifest(path: string): Promise<Manifest> {
  const file = basename(path)
  const entries = openEntries(path)
  try {
    return parseManifest(file, await readManifest(file, entries))
  } catch (error) {
    throw error instanceof BundleError ? error : unreadable(file, error)
  } finally {
    await entries.close()
  }
}

interface Entries {
  /** Returns the next entry; `undefined` at the end of the archive. */
  next(): Promise<ParsedTarEntry | undefined>
  /** Raises the limit of unpacked bytes by this number. */
  allow(bytes: number): void
  close(): Promise<void>
}

function openEntries(path: string): Entries {
  let left = MAX_MANIFEST_BYTES + TAR_END_BYTES
  const gunzip = createGunzip({ chunkSize: CHUNK })
  // The callback ignores an error, because the reader of `gunzip` gets the same error.
  pipeline(createReadStream(path), gunzip, () => {})
  const pieces = gunzip[Symbol.asyncIterator]()
  const archive = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done === true) return controller.close()
      left -= value.length
      if (left < 0) throw damaged(basename(path), 'contains more than it announces')
      controller.enqueue(value)
    },
    cancel: () => void gunzip.destroy(),
  })
  const reader = archive.pipeThrough(createTarDecoder({ strict: true })).getReader()
  return {
    next: async () => (await reader.read()).value,
    allow: (bytes) => {
      left += bytes
    },
    close: () => reader.cancel().catch(() => undefined),
  }
}

const CHUNK = 256 << 10

const GIVE_BUNDLE = 'Give the path of a file that "tenantry bundle" made.'

async function readManifest(file: string, entries: Entries): Promise<string> {
  const first = await entries.next()
  const { name, size, type } = first?.header ?? {}
  if (first === undefined || name !== MANIFEST || type !== 'file' || size === undefined)
    throw new BundleError(
      'damaged_bundle',
      `${file} is not a bundle: it does not begin with ${MANIFEST}.`,
      { hint: GIVE_BUNDLE },
    )
  if (size > MAX_MANIFEST_BYTES) throw damaged(file, `has a ${MANIFEST} that is too large`)
  return new Response(first.body).text()
}

/** Returns the number of bytes that the rest of the archive may have. @throws {BundleError} */
function requireRoom(file: string, { files }: Manifest, folder: string): number {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const { bavail, bsize } = statfsSync(dirname(folder))
  const isTooLarge = bytes > MAX_UNPACKED_BYTES
  if (isTooLarge || bytes > bavail * bsize)
    throw new BundleError(
      'bundle_too_large',
      `${file} needs ${Math.ceil(bytes / MEBIBYTE)} MB when unpacked.`,
      {
        hint: isTooLarge
          ? `Bundles can have ${MAX_UNPACKED_BYTES / MEBIBYTE} MB.`
          : `The folder ${dirname(folder)} has too little space. Set TMPDIR to a folder with more space.`,
      },
    )
  return bytes + files.length * TAR_BYTES_PER_FILE
}

/** Writes the files of the state into the folder, and returns the text of the recorded requests. */
async function readFiles(
  file: string,
  { files, state }: Manifest,
  entries: Entries,
  folder: string,
): Promise<string> {
  const placeOfFile = (name: string): string => {
    const place = state === null ? undefined : placeOf(name)
    if (place !== undefined) return join(folder, place)
    throw damaged(file, `contains a file with the unknown name ${JSON.stringify(name)}`)
  }
  const missing = new Map(files.map((listed) => [listed.path, listed]))
  let requests: string | undefined
  for (let entry = await entries.next(); entry !== undefined; entry = await entries.next()) {
    const { name, size, type } = entry.header
    const listed = missing.get(name)
    if (listed === undefined || type !== 'file' || size !== listed.size)
      throw damaged(file, `contains ${JSON.stringify(name)}, which its ${MANIFEST} does not list`)
    missing.delete(name)
    if (name === REQUESTS) requests = await readText(file, entry, listed)
    else await write(file, entry, listed, placeOfFile(name))
  }
  const [first] = missing.keys()
  if (first !== undefined || requests === undefined)
    throw damaged(file, `was cut off: it lacks ${first ?? REQUESTS}`)
  return requests
}

const BLOB = /^state\/blobs\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/
const DATA = /^state\/((?:records\.json)|(?:projects|history)\/[a-z\d_]{1,44}\.jsonl)$/

/** Returns the path in the folder for a file of the archive; `undefined` for a name that no saved state contains. */
function placeOf(name: string): string | undefined {
  const blob = BLOB.exec(name)?.[1]
  if (blob !== undefined) return blobPath(join(UNPACKED_DATA, 'blobs'), blob)
  const place = DATA.exec(name)?.[1]
  return place === undefined ? undefined : join(UNPACKED_STATE, place)
}

async function readText(
  file: string,
  { body }: ParsedTarEntry,
  listed: BundledFile,
): Promise<string> {
  if (listed.size > MAX_REQUESTS_BYTES) throw damaged(file, `has a ${REQUESTS} that is too large`)
  const bytes = new Uint8Array(await new Response(body).arrayBuffer())
  requireHash(file, listed, createHash('sha256').update(bytes).digest('hex'))
  return new TextDecoder().decode(bytes)
}

async function write(
  file: string,
  { body }: ParsedTarEntry,
  listed: BundledFile,
  target: string,
): Promise<void> {
  const hash = createHash('sha256')
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const descriptor = openSync(target, 'wx', 0o600)
  try {
    for await (const piece of body) {
      hash.update(piece)
      writeFileSync(descriptor, piece)
    }
  } finally {
    closeSync(descriptor)
  }
  requireHash(file, listed, hash.digest('hex'))
}

function requireHash(file: string, { path, sha256 }: BundledFile, actual: string): void {
  if (actual !== sha256)
    throw damaged(file, `was changed: ${path} does not have the hash that its ${MANIFEST} lists`)
}

function unreadable(file: string, error: unknown): BundleError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^E[A-Z]+$/.test(code))
    return new BundleError('unreadable_bundle', whyUnreadable(file, error), {
      hint: GIVE_BUNDLE,
      cause: error,
    })
  if (code === 'Z_BUF_ERROR') return damaged(file, 'was cut off', error)
  const reason = error instanceof Error ? error.message : String(error)
  return damaged(file, `is damaged or not a bundle: ${reason}`, error)
}
