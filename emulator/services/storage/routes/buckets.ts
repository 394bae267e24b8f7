// /bucket: creates, reads, changes, empties and deletes buckets (docs/wire/storage.md#buckets).
import { z } from 'zod'
import type { StorageActor } from '../access/actor.ts'
import { mayAdminister, mayRead, ownsBucket } from '../access/permissions.ts'
import { decodeBody, decodeQuery } from '../bodies/json-body.ts'
import { isAllowedEntry, parseFileSize } from '../buckets/bucket-limits.ts'
import { requireBucketName } from '../buckets/bucket-name.ts'
import type { Bucket } from '../buckets/bucket-store.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse, StorageError } from '../errors.ts'
import { bucketToWire } from '../objects/wire.ts'
import type { StorageCall } from '../storage-call.ts'
import { actorOf, BODY_CODE, type StorageRouteDeps, type StorageRoutes } from './route-table.ts'

/** Maximum number of objects in a bucket that can be emptied (docs/wire/storage.md#buckets). */
const MAX_EMPTIED = 200_000

const limitShape = z.union([z.int().min(0), z.string()], 'must be integer,string,null').nullish()
const typesShape = z.array(z.string()).nullish()

const CreationShape = z.object({
  name: z.string(),
  id: z.string().nullish(),
  public: z.boolean().nullish(),
  type: z.enum(['STANDARD', 'ANALYTICS']).nullish(),
  file_size_limit: limitShape,
  allowed_mime_types: typesShape,
})

const ChangeShape = z.object({
  public: z.boolean().optional(),
  file_size_limit: limitShape,
  allowed_mime_types: typesShape,
})
const CHANGEABLE = Object.keys(ChangeShape.shape)

const ListShape = z.object({
  limit: z.coerce.number().int().min(1).optional(),
  offset: z.coerce.number().int().min(0).default(0),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).optional(),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
  search: z.string().optional(),
})

export const BUCKET_ROUTES: StorageRoutes = {
  'POST /bucket': {
    operation: 'storage_bucket.create',
    title: 'Creates a bucket',
    codes: [
      'bucketExists',
      'invalidBucketName',
      'invalidMimeType',
      'invalidSizeText',
      'tooLarge',
      'rowRefused',
      BODY_CODE,
    ],
    body: CreationShape,
    handler: (deps) => (call) => createBucket(deps, call),
  },
  'GET /bucket': {
    operation: 'storage_bucket.list',
    title: 'Lists buckets',
    codes: [],
    query: ListShape,
    handler: (deps) => (call) => listBuckets(deps, call),
  },
  'GET /bucket/:bucket': {
    operation: 'storage_bucket.read',
    title: 'Reads a bucket',
    codes: ['bucketNotFound'],
    handler: (deps) => async (call) => {
      const actor = await actorOf(deps, call)
      const bucket = requireBucket(deps, call.bucket, (found) => mayRead(actor, found))
      return Response.json(bucketToWire(bucket))
    },
  },
  'PUT /bucket/:bucket': {
    operation: 'storage_bucket.update',
    title: 'Changes a bucket',
    codes: ['bucketNotFound', 'invalidMimeType', 'invalidSizeText', 'accessDenied', BODY_CODE],
    body: ChangeShape,
    handler: (deps) => (call) => changeBucket(deps, call),
  },
  'DELETE /bucket/:bucket': {
    operation: 'storage_bucket.delete',
    title: 'Deletes a bucket',
    codes: ['bucketNotFound', 'bucketNotEmpty', 'accessDenied'],
    handler: (deps) => async (call) => {
      const actor = await actorOf(deps, call)
      const bucket = requireBucket(deps, call.bucket, administeredBy(actor))
      if (!deps.buckets.removeBucket(bucket)) throw new StorageError('bucketNotEmpty')
      return Response.json({ message: 'Successfully deleted' })
    },
  },
  'POST /bucket/:bucket/empty': {
    operation: 'storage_bucket.empty',
    title: 'Empties a bucket',
    codes: ['bucketNotFound', 'roleRefused', 'tooManyObjects'],
    handler: (deps) => (call) => emptyBucket(deps, call),
  },
}

async function createBucket(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const actor = await actorOf(deps, call)
  const body = await decodeBody(call, CreationShape)
  refuseName(deps, actor, body.name, body.id)
  if (!mayAdminister(actor)) throw refuse.row()
  const bucket = deps.buckets.addBucket({
    fullName: body.name,
    schemaName: actor.schemaName,
    isPublic: body.public ?? false,
    fileSizeLimit: parseFileSize(body.file_size_limit) ?? undefined,
    allowedMimeTypes: requireTypes(body.allowed_mime_types) ?? undefined,
    ownerId: actor.subject,
  })
  if (bucket === undefined) throw refuse.bucketExists()
  return Response.json({ name: bucket.fullName })
}

async function listBuckets(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const actor = await actorOf(deps, call)
  const seen = deps.buckets.listBuckets(actor.schemaName).filter((bucket) => mayRead(actor, bucket))
  return Response.json(
    page(seen, decodeQuery(call.query, ListShape)).map((bucket) => ({
      ...bucketToWire(bucket),
      type: 'STANDARD',
    })),
  )
}

async function changeBucket(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const actor = await actorOf(deps, call)
  const body = await decodeBody(call, ChangeShape)
  if (Object.keys(body).length === 0)
    throw refuse.request(`body must have at least one of ${CHANGEABLE.join(', ')}`)
  const bucket = requireBucket(deps, call.bucket, administeredBy(actor))
  deps.buckets.changeBucket(bucket, {
    isPublic: body.public,
    fileSizeLimit: parseFileSize(body.file_size_limit),
    allowedMimeTypes: requireTypes(body.allowed_mime_types),
  })
  return Response.json({ message: 'Successfully updated' })
}

async function emptyBucket(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const actor = await actorOf(deps, call)
  if (!mayAdminister(actor)) throw refuse.role()
  const bucket = requireBucket(deps, call.bucket, (found) => ownsBucket(actor, found))
  if (deps.objects.holdsMoreThan(bucket.fullName, MAX_EMPTIED))
    throw new StorageError('tooManyObjects')
  for (const version of deps.objects.emptyBucket(bucket.fullName)) await deps.blobs.remove(version)
  return Response.json({
    message: 'Empty bucket has been queued. Completion may take up to an hour.',
  })
}

function requireBucket(
  { buckets }: StorageDeps,
  fullName: string,
  may: (bucket: Bucket) => boolean,
): Bucket {
  const bucket = buckets.findBucket(fullName)
  if (bucket === undefined || !may(bucket)) throw refuse.bucketNotFound()
  return bucket
}

function administeredBy(actor: StorageActor): (bucket: Bucket) => boolean {
  return (bucket) => ownsBucket(actor, bucket) && mayAdminister(actor)
}

function refuseName(
  deps: StorageDeps,
  actor: StorageActor,
  name: string,
  id: string | null | undefined,
): void {
  requireBucketName(deps, actor.schemaName, name)
  if (id !== undefined && id !== null && id !== name)
    throw new StorageError('invalidBucketName', 'Bucket name invalid: id and name must be the same')
}

function requireTypes(
  types: readonly string[] | null | undefined,
): readonly string[] | null | undefined {
  for (const entry of types ?? []) if (!isAllowedEntry(entry)) throw refuse.mimeType(entry)
  return types
}

const COLUMNS = {
  id: (bucket: Bucket) => bucket.fullName,
  name: (bucket: Bucket) => bucket.fullName,
  created_at: (bucket: Bucket) => bucket.createdAt,
  updated_at: (bucket: Bucket) => bucket.updatedAt,
} as const

function page(
  seen: readonly Bucket[],
  { search, sortColumn, sortOrder, offset, limit }: z.output<typeof ListShape>,
): readonly Bucket[] {
  const wanted = search?.toLowerCase() ?? ''
  const found = seen.filter((bucket) => bucket.fullName.toLowerCase().includes(wanted))
  if (sortColumn !== undefined) {
    const columnOf = COLUMNS[sortColumn]
    const sign = sortOrder === 'desc' ? -1 : 1
    found.sort((a, b) => (columnOf(a) < columnOf(b) ? -sign : columnOf(a) > columnOf(b) ? sign : 0))
  }
  return found.slice(offset, limit === undefined ? undefined : offset + limit)
}
