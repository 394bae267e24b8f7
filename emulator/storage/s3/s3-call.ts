// One S3 request: who asks, which of the project's buckets and keys it names, and the order all operations begin with.

import type { JsonObject } from '../../core/json.ts'
import type { Bucket } from '../bucket-store.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse } from '../errors.ts'
import type { StorageCall } from '../routes/route-table.ts'
import { DEFAULT_CACHE_CONTROL, DEFAULT_TYPE } from '../upload-body.ts'
import type { S3Caller } from './authenticate.ts'
import { S3Error } from './s3-error.ts'

/** Its `bucket` and `objectKey` are those of the path; both empty at the root. */
export interface S3Call extends StorageCall {
  readonly caller: S3Caller
}

export type S3Operation = (deps: StorageDeps, call: S3Call) => Promise<Response>

const MAX_BODY_BYTES = 2 * 1024 * 1024
const METADATA_PREFIX = 'x-amz-meta-'

/** The project's bucket of this name. @throws {StorageError} `bucketNotFound` */
export function requireBucket({ buckets }: StorageDeps, { caller }: S3Call, name: string): Bucket {
  const bucket = buckets.findBucket(name)
  if (bucket === undefined || bucket.schemaName !== caller.key.schemaName)
    throw refuse.bucketNotFound()
  return bucket
}

/** What the headers say of an object to be. */
export function describe({ headers }: Request) {
  const metadata: Record<string, string> = {}
  for (const [name, value] of headers)
    if (name.startsWith(METADATA_PREFIX)) metadata[name.slice(METADATA_PREFIX.length)] = value
  return {
    mimeType: headers.get('content-type') ?? DEFAULT_TYPE,
    cacheControl: headers.get('cache-control') ?? DEFAULT_CACHE_CONTROL,
    userMetadata: Object.keys(metadata).length === 0 ? undefined : metadata,
  }
}

/** The headers that tell an object's metadata. */
export function metadataHeaders(metadata: JsonObject | undefined): readonly [string, string][] {
  return Object.entries(metadata ?? {}).flatMap(([name, value]) =>
    /^[\w-]+$/.test(name) && typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)
      ? [[METADATA_PREFIX + name, value] as [string, string]]
      : [],
  )
}

/** A small XML body. @throws {S3Error} `MalformedXML` */
export async function readXml({ caller }: S3Call): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of caller.bytes()) {
    size += piece.byteLength
    if (size > MAX_BODY_BYTES) throw new S3Error('MalformedXML', 'The body is too long.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
