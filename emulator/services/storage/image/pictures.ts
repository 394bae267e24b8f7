// Serves objects as transformed pictures, from the cache or freshly rendered. Simultaneous requests for the same picture share
// one rendering. Few renderings run in parallel, which leaves threads for other work and limits memory.
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
  /** Hash of the transformation and the format. Together with the version it identifies the rendered picture. */
  readonly variant: string
}

export interface PicturesOptions {
  readonly blobs: Pick<BlobStore, 'open'>
  readonly cache: PictureCache
}

/** Maximum number of parallel renderings: half of libuv's 4 threads, which also read and write files. */
const AT_ONCE = 2
const MAX_WAITING = 200
const VARIANT_LENGTH = 20

export class Pictures {
  readonly #blobs: PicturesOptions['blobs']
  readonly #cache: PicturesOptions['cache']
  readonly #turns = createTurns()
  readonly #underway = new Map<string, Promise<CachedPicture>>()

  constructor({ blobs, cache }: PicturesOptions) {
    this.#blobs = blobs
    this.#cache = cache
  }

  /**
   * @param accept the header Accept, which counts when the transformation names no format
   * @throws {StorageError} `invalidImage`, `bytesMissing`, `overloaded`
   */
  async picture(
    stored: StoredObject,
    transformation: Transformation,
    accept: string | null,
  ): Promise<Picture> {
    const wanted = wantedFormat(transformation.format, accept)
    const variant = digest(`${transformationClaim(transformation)};${wanted}`)
    const cached = this.#cache.find(stored.version, variant)
    if (cached !== undefined) return { ...cached, variant }
    const key = `${stored.version}.${variant}`
    const rendering =
      this.#underway.get(key) ??
      this.#render(stored, variant, transformation, wanted).finally(() =>
        this.#underway.delete(key),
      )
    this.#underway.set(key, rendering)
    return { ...(await rendering), variant }
  }

  /** Drops the pictures of a version whose object was removed. */
  forget(version: string): Promise<void> {
    return this.#cache.forget(version)
  }

  async #render(
    stored: StoredObject,
    variant: string,
    transformation: Transformation,
    wanted: WantedFormat,
  ): Promise<CachedPicture> {
    const { renderPicture } = await import('./render-picture.ts')
    const { format, bytes } = await this.#turns(async () =>
      renderPicture(await readSource(this.#blobs, stored), transformation, wanted),
    )
    await this.#cache.keep(stored.version, variant, format, bytes)
    // The object was replaced or removed during the rendering. The picture is dropped now, because no later step would drop it.
    if (!isThere(this.#blobs, stored.version)) await this.#cache.forget(stored.version)
    return { format, sizeBytes: bytes.byteLength, open: () => holdInMemory(bytes) }
  }
}

/** Wraps a blob store so that removing a blob also drops its pictures. */
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

/** Runs at most `AT_ONCE` jobs in parallel and queues the rest in order of arrival. @throws {StorageError} `overloaded` */
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
