// The type of one S3 request, and the helpers that all S3 operations use.
import type { JsonObject } from '../../../core/json.ts'
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
import { element, type XmlElement } from './xml.ts'

/** One S3 request. `bucket` and `objectKey` come from the path below /s3, and both are empty at the root. */
export interface S3Call extends StorageCall {
  readonly caller: S3Caller
}

export type S3Operation = (deps: StorageDeps, call: S3Call) => Promise<Response>

const METADATA_PREFIX = 'x-amz-meta-'

/** Returns the bucket with this name in the key's project. @throws {StorageError} `bucketNotFound` */
export function requireBucket(
  { buckets }: Pick<StorageDeps, 'buckets'>,
  { schemaName }: Pick<S3Key, 'schemaName'>,
  name: string,
): Bucket {
  const bucket = buckets.findBucket(name)
  if (bucket === undefined || bucket.schemaName !== schemaName) throw refuse.bucketNotFound()
  return bucket
}

/** Describes the object to store, from headers or from the fields of a form. */
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

/** Returns the headers that carry an object's user metadata. Omits entries that a header cannot carry. */
export function metadataHeaders(metadata: JsonObject | undefined): readonly [string, string][] {
  return Object.entries(metadata ?? {}).flatMap(([name, value]) =>
    /^[\w-]+$/.test(name) && typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)
      ? [[METADATA_PREFIX + name, value] as [string, string]]
      : [],
  )
}

/** Parses the XML body of a request. The root element must have this name. @throws {S3Error} `MalformedXML` */
export async function readXml({ caller }: S3Call, rootName: string): Promise<XmlElement> {
  const { createXmlReader } = await import('./xml-reader.ts')
  const reader = createXmlReader(rootName)
  for await (const piece of caller.bytes()) reader.write(piece)
  return reader.end()
}

/**
 * Returns a numeric query parameter, or `fallback` when the parameter is absent or empty.
 * @throws {S3Error} `InvalidArgument` when the parameter is not an integer of at least 0
 */
export function countIn(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name)
  if (text === null || text === '') return fallback
  if (!/^\d{1,9}$/.test(text))
    throw new S3Error('InvalidArgument', `${name} must be an integer of at least 0, got '${text}'`)
  return Number(text)
}

/**
 * Returns the function that writes keys in lists. The function percent-encodes keys when the request has `encoding-type=url`.
 */
export function keyWriter(query: URLSearchParams): (text: string) => string {
  return query.get('encoding-type') === 'url'
    ? (text) => encodeURIComponent(text).replaceAll('%2F', '/')
    : (text) => text
}

/** Writes the element EncodingType of a list, when the request has `encoding-type=url`. */
export function encodingType(query: URLSearchParams): string {
  return element('EncodingType', query.get('encoding-type') === 'url' ? 'url' : undefined)
}

/** Refuses every version id except `null`, because objects have no versions. @throws {S3Error} `NoSuchVersion` */
export function refuseVersion(versionId: string | null | undefined): void {
  if (versionId === null || versionId === undefined || versionId === 'null') return
  throw new S3Error(
    'NoSuchVersion',
    `The version '${versionId}' does not exist, because buckets have no versions.`,
  )
}
