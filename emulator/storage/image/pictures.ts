// Objects as transformed pictures: from the cache, or rendered once however many ask at the same time. Few are rendered at
// once, so that a page of thumbnails leaves threads for everything else and memory stays level.
import { createHash } from 'node:crypto'
import type { BlobStore, OpenBlob } from '../blobs/blob-store.ts'
import { refuse, StorageError } from '../errors.ts'
import type { StoredObject } from '../objects/object-store.ts'
import { imageTooLarge, invalidImage, MAX_SOURCE_BYTES } from './invalid-image.ts'
import type { CachedPicture, PictureCache } from './picture-cache.ts'
import { holdInMemory } from './picture-cache.ts'
import { type WantedFormat, wantedFormat } from './picture-format.ts'
import { type Transformation, transformationClaim } from './transformation.ts'

export interface Picture extends CachedPicture {
  /** Distinguishes this rendering of the object from others. */
  readonly variant: string
}

export interface Pictures {
  /**
   * @param accept the header Accept, which decides where the transformation names no format
   * @throws {StorageError} `invalidImage`, `bytesMissing`, `overloaded`
   */
  picture(
    stored: StoredObject,
    transformation: Transformation,
    accept: string | null,
  ): Promise<Picture>
  /** Drops the pictures of a version without a record. */
  forget(version: string): Promise<void>
}

export interface PicturesOptions {
  readonly blobs: Pick<BlobStore, 'open'>
  readonly cache: PictureCache
}

/** Half of the threads that also read and write files. */
const AT_ONCE = 2
const MAX_WAITING = 200
const VARIANT_LENGTH = 20

export function createPictures({ blobs, cache }: PicturesOptions): Pictures {
  const turns = createTurns()
  const underway = new Map<string, Promise<CachedPicture>>()

  async function render(
    stored: StoredObject,
    variant: string,
    transformation: Transformation,
    wanted: WantedFormat,
  ): Promise<CachedPicture> {
    const { renderPicture } = await import('./render-picture.ts')
    const { format, bytes } = await turns(async () =>
      renderPicture(await readSource(blobs, stored), transformation, wanted),
    )
    await cache.keep(stored.version, variant, format, bytes)
    // The object was replaced or removed meanwhile: nothing else would drop its picture later.
    if (!isThere(blobs, stored.version)) await cache.forget(stored.version)
    return { format, sizeBytes: bytes.byteLength, open: () => holdInMemory(bytes) }
  }

  return {
    picture: async (stored, transformation, accept) => {
      const wanted = wantedFormat(transformation.format, accept)
      const variant = digest(`${transformationClaim(transformation)};${wanted}`)
      const cached = cache.find(stored.version, variant)
      if (cached !== undefined) return { ...cached, variant }
      const key = `${stored.version}.${variant}`
      const rendering =
        underway.get(key) ??
        render(stored, variant, transformation, wanted).finally(() => underway.delete(key))
      underway.set(key, rendering)
      return { ...(await rendering), variant }
    },
    forget: (version) => cache.forget(version),
  }
}

/** The same store; it also drops the pictures of removed objects. */
export function forgettingPictures(blobs: BlobStore, pictures: Pictures): BlobStore {
  return {
    ...blobs,
    remove: async (blobId) => {
      await blobs.remove(blobId)
      await pictures.forget(blobId)
    },
  }
}

async function readSource(
  blobs: Pick<BlobStore, 'open'>,
  { version, sizeBytes }: StoredObject,
): Promise<Uint8Array> {
  if (sizeBytes === 0) throw invalidImage('the object is empty')
  if (sizeBytes > MAX_SOURCE_BYTES) throw imageTooLarge()
  const blob = blobs.open(version)
  if (blob === undefined) throw refuse.bytesMissing()
  return collect(blob)
}

async function collect(blob: OpenBlob): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of blob.stream({ first: 0, last: blob.sizeBytes - 1 })) pieces.push(piece)
  return Buffer.concat(pieces)
}

function isThere(blobs: Pick<BlobStore, 'open'>, version: string): boolean {
  const blob = blobs.open(version)
  blob?.close()
  return blob !== undefined
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, VARIANT_LENGTH)
}

/** Runs a few at once, the others in the order in which they came. @throws {StorageError} `overloaded` */
function createTurns() {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (waiting.length >= MAX_WAITING)
      throw new StorageError('overloaded', 'Too many pictures are waiting to be transformed.', {
        hint: 'Repeat the request in a moment.',
      })
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
