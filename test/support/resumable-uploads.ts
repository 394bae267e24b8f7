// Sends plain requests of the protocol for resumable uploads (docs/wire/storage.md#tus). The requests use a user's token by
// default.

import type { StorageRoleName, StorageWorld } from './storage-world.ts'
import type { Answer, Json } from './test-emulator.ts'

/** The header with the length of an upload of `abcdef`. */
export const LENGTH = { 'upload-length': '6' }

interface RawOptions {
  readonly role?: StorageRoleName | null
  readonly body?: string
}

interface CreateOptions {
  readonly role?: StorageRoleName | null
  readonly to?: string
  readonly type?: string
}

export interface ResumableUploads {
  /** Sends one request. `path` is below `/upload/resumable`, or a complete URL. */
  raw(
    method: string,
    path: string,
    headers?: Record<string, string>,
    options?: RawOptions,
  ): Promise<Answer<Json>>
  /** Begins an upload of six bytes. */
  create(
    objectName: string,
    headers?: Record<string, string>,
    options?: CreateOptions,
  ): Promise<Answer<Json>>
  /** Sends a part of the upload. */
  patch(
    url: string,
    offset: number,
    body: string,
    headers?: Record<string, string>,
    role?: 'anon' | 'user',
  ): Promise<Answer<Json>>
}

/** @param bucket the default bucket of uploads */
export function resumableUploads(world: StorageWorld, bucket: string): ResumableUploads {
  const raw: ResumableUploads['raw'] = (
    method,
    path,
    headers = {},
    { role = 'user', body } = {},
  ) => {
    const below = path.startsWith('http')
      ? path.slice(world.url.length)
      : `/upload/resumable${path}`
    return world.ask(method, below, {
      role,
      headers: { 'tus-resumable': '1.0.0', ...headers },
      ...(body === undefined ? {} : { body }),
    })
  }
  return {
    raw,
    create: (
      objectName,
      headers = {},
      { role = 'user', to = bucket, type = 'text/plain' } = {},
    ) => {
      const metadata = metadataOf({ bucketName: to, objectName, contentType: type })
      return raw('POST', '', { ...LENGTH, 'upload-metadata': metadata, ...headers }, { role })
    },
    patch: (url, offset, body, headers = {}, role) => {
      const piece = {
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        ...headers,
      }
      return raw('PATCH', url, piece, { body, ...(role === undefined ? {} : { role }) })
    },
  }
}

/** Returns the value of the header `upload-metadata`. */
export function metadataOf(entries: Record<string, string>): string {
  return Object.entries(entries)
    .map(([name, value]) => `${name} ${b64(value)}`)
    .join(',')
}

function b64(text: string): string {
  return Buffer.from(text).toString('base64')
}

export function locationOf({ headers }: { readonly headers: Headers }): string {
  return headers.get('location') ?? ''
}
