// One S3 request: its key, the bucket and object it names, and what all operations read from it.
import type { JsonObject } from '../../core/json.ts'
import { DEFAULT_CACHE_CONTROL, DEFAULT_TYPE } from '../bodies/upload-body.ts'
import type { Bucket } from '../buckets/bucket-store.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse } from '../errors.ts'
import type { StoredObject } from '../objects/object-store.ts'
import type { StorageCall } from '../storage-call.ts'
import type { NamedValues } from './body/checksum.ts'
import { S3Error } from './s3-error.ts'
import type { S3Caller } from './signing/authenticate.ts'
import type { S3Key } from './signing/s3-key-store.ts'
import type { XmlElement } from './xml.ts'

/** Its `bucket` and `objectKey` are those of the path; both empty at the root. */
export interface S3Call extends StorageCall {
  readonly caller: S3Caller
}

export type S3Operation = (deps: StorageDeps, call: S3Call) => Promise<Response>

const METADATA_PREFIX = 'x-amz-meta-'

/** The bucket of this name in the key's project. @throws {StorageError} `bucketNotFound` */
export function requireBucket(
  { buckets }: Pick<StorageDeps, 'buckets'>,
  { schemaName }: Pick<S3Key, 'schemaName'>,
  name: string,
): Bucket {
  const bucket = buckets.findBucket(name)
  if (bucket === undefined || bucket.schemaName !== schemaName) throw refuse.bucketNotFound()
  return bucket
}

/** Describes an object to be stored, by headers or by the fields of a form. */
export function describe(
  values: NamedValues,
): Pick<StoredObject, 'mimeType' | 'cacheControl' | 'userMetadata'> {
  const metadata: Record<string, string> = {}
  for (const [name, value] of values)
    if (name.startsWith(METADATA_PREFIX)) metadata[name.slice(METADATA_PREFIX.length)] = value
  return {
    mimeType: values.get('content-type') ?? DEFAULT_TYPE,
    cacheControl: values.get('cache-control') ?? DEFAULT_CACHE_CONTROL,
    userMetadata: Object.keys(metadata).length === 0 ? undefined : metadata,
  }
}

/** The headers with an object's metadata. */
export function metadataHeaders(metadata: JsonObject | undefined): readonly [string, string][] {
  return Object.entries(metadata ?? {}).flatMap(([name, value]) =>
    /^[\w-]+$/.test(name) && typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)
      ? [[METADATA_PREFIX + name, value] as [string, string]]
      : [],
  )
}

/** The XML body, whose root has this name. @throws {S3Error} `MalformedXML` */
export async function readXml({ caller }: S3Call, rootName: string): Promise<XmlElement> {
  const { createXmlReader } = await import('./xml-reader.ts')
  const reader = createXmlReader(rootName)
  for await (const piece of caller.bytes()) reader.write(piece)
  return reader.end()
}

/** A parameter that counts. @throws {S3Error} `InvalidArgument` when it is no integer of at least 0 */
export function countIn(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name)
  if (text === null || text === '') return fallback
  if (!/^\d{1,9}$/.test(text))
    throw new S3Error('InvalidArgument', `${name} must be an integer of at least 0, got '${text}'`)
  return Number(text)
}

/** How lists write keys: as they are, or percent-encoded where `encoding-type=url` asks for it. */
export function keyWriter(query: URLSearchParams): (text: string) => string {
  return query.get('encoding-type') === 'url'
    ? (text) => encodeURIComponent(text).replaceAll('%2F', '/')
    : (text) => text
}

/** Versions are not kept: all objects have the version `null`. @throws {S3Error} `NoSuchVersion` */
export function refuseVersion(versionId: string | null | undefined): void {
  if (versionId === null || versionId === undefined || versionId === 'null') return
  throw new S3Error('NoSuchVersion', `The bucket has no versions, so '${versionId}' is none.`)
}
