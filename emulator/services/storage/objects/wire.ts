// Converts records of buckets and objects to the JSON that clients receive (docs/wire/storage.md#records).
import type { JsonObject } from '../../../core/json.ts'
import { toIso } from '../../../core/time.ts'
import type { Bucket } from '../buckets/bucket-store.ts'
import type { StoredObject } from './object-store.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Body of GET /bucket/:id. Lists of buckets add `type`. */
export function bucketToWire(bucket: Bucket): JsonObject {
  return {
    id: bucket.fullName,
    name: bucket.fullName,
    owner: ownerOf(bucket.ownerId) ?? '',
    public: bucket.isPublic,
    file_size_limit: bucket.fileSizeLimit ?? null,
    allowed_mime_types: bucket.allowedMimeTypes ?? null,
    created_at: toIso(bucket.createdAt),
    updated_at: toIso(bucket.updatedAt),
  }
}

/** All columns of an object's record. Deletions and copies return this JSON. */
export function objectToWire(stored: StoredObject): JsonObject {
  return {
    name: stored.objectKey,
    bucket_id: stored.bucket,
    owner: ownerOf(stored.ownerId) ?? null,
    owner_id: stored.ownerId ?? null,
    version: stored.version,
    id: stored.id,
    updated_at: toIso(stored.updatedAt),
    created_at: toIso(stored.createdAt),
    last_accessed_at: toIso(stored.lastAccessedAt),
    metadata: metadataToWire(stored),
    user_metadata: stored.userMetadata ?? null,
  }
}

/** The member `metadata` of listed objects. Upstream's `metadata` holds what the file backend reported. */
export function metadataToWire(stored: StoredObject): JsonObject {
  return {
    eTag: quotedEtag(stored),
    size: stored.sizeBytes,
    mimetype: stored.mimeType,
    cacheControl: stored.cacheControl,
    lastModified: toIso(stored.updatedAt),
    contentLength: stored.sizeBytes,
    httpStatusCode: 200,
    ...(stored.robotsTag === undefined ? {} : { xRobotsTag: stored.robotsTag }),
  }
}

/** Body of GET /object/info/… */
export function objectInfoToWire(stored: StoredObject): JsonObject {
  return {
    id: stored.id,
    name: stored.objectKey,
    version: stored.version,
    bucket_id: stored.bucket,
    size: stored.sizeBytes,
    content_type: stored.mimeType,
    cache_control: stored.cacheControl,
    etag: quotedEtag(stored),
    metadata: stored.userMetadata ?? {},
    last_modified: toIso(stored.updatedAt),
    created_at: toIso(stored.createdAt),
  }
}

/** ETag in quotes, as the header `ETag` and the clients expect it. */
export function quotedEtag(stored: StoredObject): string {
  return `"${stored.etag}"`
}

// `owner` is a UUID. The subjects of keys are not UUIDs, so their objects have no `owner`.
function ownerOf(subject: string | undefined): string | undefined {
  return subject !== undefined && UUID.test(subject) ? subject : undefined
}
