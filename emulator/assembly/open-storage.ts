// Opens the stores of object storage: records in the platform's database, blobs and transformed images in folders.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import type { IdSource } from '../core/id-source.ts'
import type { SchemaName } from '../core/names.ts'
import type { Observer } from '../core/observation.ts'
import type { PlayedSituations } from '../core/situations.ts'
import { openTemporaryDir } from '../database/data-dir/temporary-dir.ts'
import type { SystemDb } from '../database/system-db/system-db.ts'
import type { Erased } from '../platform/projects/lifecycle.ts'
import { openDiskBlobStore } from '../services/storage/blobs/disk-blob-store.ts'
import { type KeptBlobs, keepBlobs } from '../services/storage/blobs/kept-blobs.ts'
import { openDiskPartStore } from '../services/storage/blobs/part-store.ts'
import { createBucketStore } from '../services/storage/buckets/bucket-store.ts'
import type { StorageRecords } from '../services/storage/deps.ts'
import { openPictureCache } from '../services/storage/image/picture-cache.ts'
import { forgettingPictures, Pictures } from '../services/storage/image/pictures.ts'
import { createObjectListing } from '../services/storage/listing/object-listing.ts'
import { eraseProjectStorage } from '../services/storage/objects/erase-project.ts'
import { createObjectStore } from '../services/storage/objects/object-store.ts'
import { createResumableStore } from '../services/storage/resumable/resumable-store.ts'
import { openResumables } from '../services/storage/resumable/resumables.ts'
import { createMultipartStore } from '../services/storage/s3/multipart/multipart-store.ts'
import { createS3KeyStore } from '../services/storage/s3/signing/s3-key-store.ts'

export interface StorageStores extends StorageRecords {
  /** Blobs that saved states need. */
  readonly kept: KeptBlobs
  /** The blobs that records refer to. */
  blobIds(): ReadonlySet<string>
  eraseProject(schemaName: SchemaName): Promise<Erased>
  close(): void
}

interface StorageOptions {
  /** Without a data directory, blobs are in a temporary folder. */
  readonly dataDir: string | undefined
  readonly clock: Clock
  readonly ids: IdSource
  /** Situations of single requests, such as a full disk. */
  readonly situations: PlayedSituations
  readonly observe: Observer
}

/** Maximum bytes of transformed images on disk. */
const PICTURE_BYTES = 256 * 1024 ** 2
/** Maximum bytes of transformed images without a data directory. The temporary folder may be in memory. */
const PASSING_PICTURE_BYTES = 32 * 1024 ** 2

/**
 * An empty file in the data directory after an orderly stop. Without it, the next start compares all files with the records: a
 * second for 200,000 files (docs/how-far-it-goes.md).
 */
const ORDERLY_STOP = 'storage-in-order'

/** Opens records and folders. Removes blobs and uploads that a killed process left. */
export function openStorageStores(
  db: SystemDb,
  { dataDir, clock, ids, situations, observe }: StorageOptions,
): StorageStores {
  const buckets = createBucketStore(db, { clock })
  const objects = createObjectStore(db, { clock, ids })
  const passing = dataDir === undefined ? openTemporaryDir() : undefined
  const folder = passing?.path ?? dataDir ?? ''
  const medium = { isDurable: !passing, situations }
  const files = openDiskBlobStore({ root: join(folder, 'blobs'), ids, ...medium })
  const cache = openPictureCache({
    root: join(folder, 'pictures'),
    capacityBytes: passing === undefined ? PICTURE_BYTES : PASSING_PICTURE_BYTES,
  })
  const kept = keepBlobs(files, join(folder, 'blobs'))
  const pictures = new Pictures({ blobs: kept.blobs, cache })
  const blobs = forgettingPictures(kept.blobs, pictures)
  const mark = dataDir === undefined ? undefined : join(dataDir, ORDERLY_STOP)
  const s3 = {
    keys: createS3KeyStore(db, { clock, ids }),
    multipart: createMultipartStore(db, { clock }),
  }
  if (mark === undefined || !takeFile(mark)) {
    const known = objects.versions()
    const parts = s3.multipart.fileIds()
    blobs.sweep((blobId) => known.has(blobId) || parts.has(blobId))
    cache.sweep((version) => known.has(version))
  }
  const uploads = openResumables({
    records: createResumableStore(db),
    parts: openDiskPartStore({ root: join(folder, 'uploads'), ...medium }),
    buckets,
    objects,
    blobs,
    clock,
    observe,
  })
  return {
    buckets,
    objects,
    listing: createObjectListing(db),
    blobs,
    pictures,
    uploads,
    s3,
    kept,
    blobIds: () => new Set([...objects.versions(), ...s3.multipart.fileIds()]),
    eraseProject: async (schemaName) => {
      await uploads.eraseProject(schemaName)
      s3.keys.eraseProject(schemaName)
      const partFiles = s3.multipart.fileIdsOf(schemaName)
      for (const fileId of partFiles) await blobs.remove(fileId)
      return eraseProjectStorage({ objects, blobs }, schemaName)
    },
    close: () => {
      uploads.close()
      passing?.remove()
      if (mark !== undefined) tryToWrite(mark)
    },
  }
}

// The folder may be gone or the disk full. Without the mark, the next start looks for files that nothing refers to.
function tryToWrite(mark: string): void {
  try {
    writeFileSync(mark, '')
  } catch {}
}

/** Removes a file. Returns whether the file existed. */
function takeFile(path: string): boolean {
  if (!existsSync(path)) return false
  rmSync(path)
  return true
}
