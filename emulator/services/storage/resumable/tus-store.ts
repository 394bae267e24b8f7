// Implements the data store of @tus/server with the resumable uploads. Upload ids are base64url of `bucket/key/version`, as in
// upstream. Only the version is read from an id.
import type { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload } from '@tus/server'
import type { ResumableUpload } from './resumable-store.ts'
import type { Resumables } from './resumables.ts'

/** Id of an upload: the last segment of its URL. */
export function uploadIdOf({
  bucket,
  objectKey,
  version,
}: Pick<ResumableUpload, 'bucket' | 'objectKey' | 'version'>): string {
  return Buffer.from(`${bucket}/${objectKey}/${version}`).toString('base64url')
}

/** The version in an upload id. The other parts of the id come from the caller and are ignored. */
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

  // Turns off the expiry of @tus/server, which uses machine time. Uploads expire by the platform clock, and tus-server.ts
  // writes the header Upload-Expires.
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
    // @tus/server has no error class, but recognises its errors by their members.
    if (upload === undefined) throw ERRORS.FILE_NOT_FOUND
    return upload
  }
}

/** The header Upload-Metadata as @tus/server parses it. A key without a value maps to null. */
export type UploadMetadata = Record<string, string | null>

export function isStringRecord(value: object): value is UploadMetadata {
  return Object.values(value).every((member) => member === null || typeof member === 'string')
}
