// The store the TUS library writes to, over our resumable uploads. Ids are base64url of `bucket/key/version`, as upstream
// makes them; only the version is read back.
import type { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload } from '@tus/server'
import type { ResumableUpload } from './resumable-store.ts'
import type { Resumables } from './resumables.ts'

/** The last segment of an upload's address. */
export function uploadIdOf({
  bucket,
  objectKey,
  version,
}: Pick<ResumableUpload, 'bucket' | 'objectKey' | 'version'>): string {
  return Buffer.from(`${bucket}/${objectKey}/${version}`).toString('base64url')
}

/** The version in an id. Its other parts come from the caller and are ignored. */
export function versionOf(uploadId: string): string {
  const text = Buffer.from(uploadId, 'base64url').toString()
  return text.slice(text.lastIndexOf('/') + 1)
}

export class TusStore extends DataStore {
  readonly #uploads: Resumables

  constructor(uploads: Resumables) {
    super()
    this.#uploads = uploads
    this.extensions = [
      'creation',
      'creation-with-upload',
      'creation-defer-length',
      'termination',
      'expiration',
    ]
  }

  // The library would use the machine's time for expiry; uploads expire by the platform clock, and we write the header.
  override hasExtension(extension: string): boolean {
    return extension !== 'expiration' && super.hasExtension(extension)
  }

  override async getUpload(id: string): Promise<Upload> {
    const { lengthBytes, offsetBytes, metadata } = this.#require(id)
    return new Upload({
      id,
      offset: offsetBytes,
      ...(lengthBytes === undefined ? {} : { size: lengthBytes }),
      ...(isStringRecord(metadata) ? { metadata } : {}),
    })
  }

  override async write(bytes: Readable, id: string): Promise<number> {
    return this.#uploads.append(this.#require(id), bytes)
  }

  override async declareUploadLength(id: string, lengthBytes: number): Promise<void> {
    this.#uploads.declareLength(versionOf(id), lengthBytes)
  }

  override async remove(id: string): Promise<void> {
    await this.#uploads.abandon(this.#require(id).version)
  }

  #require(id: string): ResumableUpload {
    const upload = this.#uploads.find(versionOf(id))
    // The library has no class for refusals; it recognises them by their members.
    if (upload === undefined) throw ERRORS.FILE_NOT_FOUND
    return upload
  }
}

/** The header Upload-Metadata as the library reads it: keys with text or with nothing. */
export type UploadMetadata = Record<string, string | null>

export function isStringRecord(value: object): value is UploadMetadata {
  return Object.values(value).every((member) => member === null || typeof member === 'string')
}
