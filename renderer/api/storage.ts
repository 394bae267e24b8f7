// Reads and writes buckets and objects over the storage service's own routes, as the chosen identity.
import {
  keepPreviousData,
  type QueryClient,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import type { IdentityReference } from '../../emulator/contract/identities.ts'
import type { StorageUsage } from '../../emulator/contract/storage.ts'
import { ApiError } from './client.ts'
import { openStorage, STORAGE_OWNER, storageFetch } from './storage-door.ts'
import { useOperation } from './use-operation.ts'

export interface Bucket {
  /** The bucket's full name: `proj_<slug>_<name>`. */
  readonly id: string
  readonly public: boolean
  /** The largest allowed object, in bytes. */
  readonly file_size_limit: number | null
  readonly allowed_mime_types: readonly string[] | null
  readonly created_at: string
  readonly updated_at: string
}

/** An object, or a folder when `id` is null. */
export interface Entry {
  /** The entry's name relative to the listed folder. */
  readonly name: string
  readonly id: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly metadata: {
    readonly eTag: string
    readonly size: number
    readonly mimetype: string
    readonly cacheControl: string
  } | null
}

export interface ObjectInfo {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly size: number
  readonly content_type: string
  readonly cache_control: string
  readonly etag: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly last_modified: string
  readonly created_at: string
}

/** Identifies an object, and the identity that reads it. */
export interface ObjectPlace {
  readonly project: string
  readonly identity: IdentityReference
  /** The bucket's full name. */
  readonly bucket: string
  readonly key: string
}

export interface BucketSettings {
  readonly public: boolean
  readonly file_size_limit: number | null
  readonly allowed_mime_types: readonly string[] | null
}

/** The most entries of a folder that one request returns. */
export const FOLDER_PAGE = 1_000

/** Loads what every project and bucket stores, for the inspector. */
export function useStorageUsage(): UseQueryResult<StorageUsage> {
  return useOperation('GET /storage', ['storage-usage'], {})
}

/** Loads all buckets of the project as the service role. */
export function useBuckets(project: string): UseQueryResult<readonly Bucket[]> {
  return useQuery({
    queryKey: ['storage', project, 'buckets'],
    queryFn: async ({ signal }) =>
      asJson<readonly Bucket[]>(
        await storageFetch(project, STORAGE_OWNER, '/bucket?sortColumn=name', { signal }),
      ),
  })
}

/** Loads the entries of a folder that `identity` can list. The query loads nothing while `bucket` is undefined. */
export function useFolder(
  project: string,
  identity: IdentityReference,
  bucket: string | undefined,
  prefix: string,
): UseQueryResult<readonly Entry[]> {
  return useQuery({
    queryKey: ['storage', project, 'folder', bucket, prefix, identity],
    enabled: bucket !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      asJson<readonly Entry[]>(
        await storageFetch(project, identity, `/object/list/${encodeURIComponent(bucket ?? '')}`, {
          method: 'POST',
          body: { prefix, limit: FOLDER_PAGE },
          signal,
        }),
      ),
  })
}

/** Reloads a project's lists. Details and contents of objects reload when the list contains a new version. */
export function renewLists(client: QueryClient, project: string): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: ['storage', project, 'folder'] }),
    client.invalidateQueries({ queryKey: ['storage', project, 'buckets'] }),
    client.invalidateQueries({ queryKey: ['overview'] }),
    client.invalidateQueries({ queryKey: ['storage-usage'] }),
  ])
}

/**
 * Loads the object's details as the identity of `place`. The query loads nothing while `version` is undefined. The
 * error is a StorageRefusal.
 */
export function useObjectInfo(
  place: ObjectPlace,
  version: string | undefined,
): UseQueryResult<ObjectInfo> {
  return useQuery({
    queryKey: ['storage', place.project, 'info', place, version],
    enabled: version !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async ({ signal }) =>
      asJson<ObjectInfo>(
        await storageFetch(place.project, place.identity, `/object/info/${pathOf(place)}`, {
          signal,
        }),
      ),
  })
}

/** Loads the object's content as the identity of `place`. */
export function useObjectBytes(
  place: ObjectPlace,
  version: string,
  isWanted: boolean,
): UseQueryResult<Blob> {
  return useQuery({
    queryKey: ['storage', place.project, 'bytes', place, version],
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    retry: false,
    queryFn: ({ signal }) => downloadObject(place, signal),
  })
}

/** @throws {StorageRefusal} */
export async function downloadObject(place: ObjectPlace, signal?: AbortSignal): Promise<Blob> {
  const path = `/object/authenticated/${pathOf(place)}`
  const options = signal === undefined ? {} : { signal }
  return (await storageFetch(place.project, place.identity, path, options)).blob()
}

/** @param name the bucket's full name @throws {StorageRefusal} */
export async function createBucket(
  project: string,
  name: string,
  settings: BucketSettings,
): Promise<void> {
  const body = { id: name, name, ...settings }
  await storageFetch(project, STORAGE_OWNER, '/bucket', { method: 'POST', body })
}

/** @throws {StorageRefusal} */
export async function changeBucket(
  project: string,
  name: string,
  settings: BucketSettings,
): Promise<void> {
  const path = `/bucket/${encodeURIComponent(name)}`
  await storageFetch(project, STORAGE_OWNER, path, { method: 'PUT', body: settings })
}

/** Deletes every object of the bucket. @throws {StorageRefusal} */
export async function emptyBucket(project: string, name: string): Promise<void> {
  const path = `/bucket/${encodeURIComponent(name)}/empty`
  await storageFetch(project, STORAGE_OWNER, path, { method: 'POST', body: {} })
}

/** Deletes a bucket, which must be empty. @throws {StorageRefusal} */
export async function deleteBucket(project: string, name: string): Promise<void> {
  const path = `/bucket/${encodeURIComponent(name)}`
  await storageFetch(project, STORAGE_OWNER, path, { method: 'DELETE', body: {} })
}

/** Deletes objects of one bucket and returns the number of deleted objects. @throws {StorageRefusal} */
export async function deleteObjects(
  project: string,
  identity: IdentityReference,
  bucket: string,
  keys: readonly string[],
): Promise<number> {
  const path = `/object/${encodeURIComponent(bucket)}`
  const call = { method: 'DELETE', body: { prefixes: keys } }
  const gone = await asJson<readonly unknown[]>(await storageFetch(project, identity, path, call))
  return gone.length
}

/** @throws {StorageRefusal} */
export async function moveOrCopy(
  action: 'move' | 'copy',
  place: ObjectPlace,
  destination: { readonly bucket: string; readonly key: string },
): Promise<void> {
  await storageFetch(place.project, place.identity, `/object/${action}`, {
    method: 'POST',
    body: {
      bucketId: place.bucket,
      sourceKey: place.key,
      destinationBucket: destination.bucket,
      destinationKey: destination.key,
    },
  })
}

/** Returns a signed URL that works without a credential for `seconds`. @throws {StorageRefusal} */
export async function signUrl(place: ObjectPlace, seconds: number): Promise<string> {
  const { url } = await openStorage(place.project, place.identity)
  const response = await storageFetch(
    place.project,
    place.identity,
    `/object/sign/${pathOf(place)}`,
    { method: 'POST', body: { expiresIn: seconds } },
  )
  return url + (await asJson<{ readonly signedURL: string }>(response)).signedURL
}

/** Returns the URL of an object in a public bucket. @throws {ApiError} */
export async function publicUrl(place: ObjectPlace): Promise<string> {
  const { url } = await openStorage(place.project, place.identity)
  return `${url}/object/public/${pathOf(place)}`
}

/** Returns the keys of all objects in a folder and its subfolders, at most 1000. @throws {StorageRefusal} */
export async function keysBelow(
  project: string,
  identity: IdentityReference,
  bucket: string,
  prefix: string,
): Promise<readonly string[]> {
  const path = `/object/list-v2/${encodeURIComponent(bucket)}`
  const response = await storageFetch(project, identity, path, {
    method: 'POST',
    body: { prefix, limit: FOLDER_PAGE },
  })
  const { objects } = await asJson<{ readonly objects: readonly { readonly name: string }[] }>(
    response,
  )
  return objects.map(({ name }) => name)
}

/** Returns the path `bucket/key` with each segment URL-encoded. */
export function pathOf({ bucket, key }: Pick<ObjectPlace, 'bucket' | 'key'>): string {
  return [bucket, ...key.split('/')].map(encodeURIComponent).join('/')
}

async function asJson<Body>(response: Response): Promise<Body> {
  const text = await response.text()
  if (text === '')
    throw new ApiError(
      response.status,
      'empty',
      'The storage service sent an answer without a body.',
    )
  return JSON.parse(text) as Body
}
