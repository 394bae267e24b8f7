// POST /object/list/:bucket and /object/list-v2/:bucket (docs/wire/storage.md#lists). A bucket that does not exist, or that the
// caller may not read, is listed as empty.
import { z } from 'zod'
import type { JsonObject } from '../../../core/json.ts'
import { type EpochMillis, toIso } from '../../../core/time.ts'
import { mayRead } from '../access/permissions.ts'
import { decodeBody } from '../bodies/json-body.ts'
import {
  decodeCursor,
  encodeCursor,
  type ListCursor,
  SORT_COLUMNS,
} from '../listing/list-cursor.ts'
import type { ListScope } from '../listing/list-scope.ts'
import type { ListEntry, ListWindow, ObjectListing } from '../listing/object-listing.ts'
import { metadataToWire } from '../objects/wire.ts'
import type { StorageCall } from '../storage-call.ts'
import { actorOf, BODY_CODE, type StorageRouteDeps, type StorageRoutes } from './route-table.ts'

/** fact: upstream reduces larger limits to this maximum instead of refusing them. */
const MAX_ENTRIES = 1_500
const MAX_ENTRIES_V2 = 1_000
const DEFAULT_ENTRIES = 100

const OrderShape = z.enum(['asc', 'desc']).default('asc')

const ListShape = z.object({
  prefix: z.string(),
  limit: z.int().min(1).default(DEFAULT_ENTRIES),
  offset: z.int().min(0).default(0),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at']).default('name'),
      order: OrderShape,
    })
    .default({ column: 'name', order: 'asc' }),
  search: z.string().nullish(),
})

const ListV2Shape = z.object({
  prefix: z.string().default(''),
  limit: z.int().min(1).default(MAX_ENTRIES_V2),
  cursor: z.string().nullish(),
  with_delimiter: z.boolean().default(false),
  sortBy: z
    .object({ column: z.enum(SORT_COLUMNS).default('name'), order: OrderShape })
    .default({ column: 'name', order: 'asc' }),
})

type List = z.output<typeof ListShape>
type ListV2 = z.output<typeof ListV2Shape>

const LISTING = {
  operation: 'object.list',
  title: 'Lists files',
  codes: ['bucketNotFound', 'invalidParameter', BODY_CODE],
} as const

export const LIST_ROUTES: StorageRoutes = {
  'POST /object/list/:bucket': {
    ...LISTING,
    body: ListShape,
    handler: (deps) => async (call) => {
      const bucket = await findReadable(deps, call)
      const asked = await decodeBody(call, ListShape)
      return Response.json(bucket === undefined ? [] : list(deps.listing, bucket, asked))
    },
  },
  'POST /object/list-v2/:bucket': {
    ...LISTING,
    body: ListV2Shape,
    handler: (deps) => async (call) => {
      const bucket = await findReadable(deps, call)
      const asked = await decodeBody(call, ListV2Shape)
      orderOf(asked)
      return Response.json(
        bucket === undefined
          ? { hasNext: false, ...partsToWire([], asked) }
          : listV2(deps.listing, bucket, asked),
      )
    },
  },
}

/** Returns the full name of the bucket. Returns `undefined` when the bucket does not exist or the caller may not read it. */
async function findReadable(
  deps: StorageRouteDeps,
  call: StorageCall,
): Promise<string | undefined> {
  const actor = await actorOf(deps, call)
  const bucket = deps.buckets.findBucket(call.bucket)
  return bucket !== undefined && mayRead(actor, bucket) ? bucket.fullName : undefined
}

function list(
  listing: ObjectListing,
  bucket: string,
  { sortBy, ...asked }: List,
): readonly JsonObject[] {
  const prefix =
    asked.prefix === '' || asked.prefix.endsWith('/') ? asked.prefix : `${asked.prefix}/`
  const isDescending = sortBy.order === 'desc'
  const search = asked.search ?? ''
  const scope = { bucket, prefix, search, hasFolders: true, isDescending }
  const window = { offset: asked.offset, limit: Math.min(asked.limit, MAX_ENTRIES) }
  const entries =
    sortBy.column === 'name'
      ? listing.byFoldedKey(scope, window)
      : listing.byTime(sortBy.column, scope, window)
  return entries.map((entry) => entryToWire(entry, prefix.length))
}

function listV2(listing: ObjectListing, bucket: string, asked: ListV2): JsonObject {
  const { column, isDescending, after } = orderOf(asked)
  const limit = Math.min(asked.limit, MAX_ENTRIES_V2)
  const scope = { bucket, prefix: asked.prefix, hasFolders: asked.with_delimiter, isDescending }
  const found = pageOf(listing, scope, column, { limit: limit + 1, after })
  const entries = found.slice(0, limit)
  const last = found.length > limit ? entries.at(-1) : undefined
  return {
    hasNext: last !== undefined,
    ...(last === undefined ? {} : nextOf(last, column, isDescending)),
    ...partsToWire(entries, asked),
  }
}

function pageOf(
  listing: ObjectListing,
  scope: ListScope,
  column: ListCursor['column'],
  window: Omit<ListWindow, 'offset'>,
): readonly ListEntry[] {
  if (column === 'name') return listing.byKey(scope, window)
  return scope.hasFolders
    ? listing.byAge(column, scope, window)
    : listing.byTime(column, scope, window)
}

function orderOf({ cursor, sortBy }: ListV2): Omit<ListCursor, 'after'> & Partial<ListCursor> {
  if (cursor) return decodeCursor(cursor)
  return { column: sortBy.column, isDescending: sortBy.order === 'desc' }
}

function nextOf(last: ListEntry, column: ListCursor['column'], isDescending: boolean): JsonObject {
  const after = { key: last.key, instant: instantOf(last, column) }
  return {
    nextCursor: encodeCursor({ column, isDescending, after }),
    nextCursorKey: withoutSlash(last),
  }
}

function instantOf(entry: ListEntry, column: ListCursor['column']): EpochMillis | undefined {
  if (column === 'name') return undefined
  if (entry.kind === 'folder') return entry.madeAt
  return column === 'created_at' ? entry.stored.createdAt : entry.stored.updatedAt
}

// fact: upstream sends `key` only in lists with a delimiter. `key` is the path segment at the listed level.
function partsToWire(
  entries: readonly ListEntry[],
  { prefix, with_delimiter: hasLevels }: Pick<ListV2, 'prefix' | 'with_delimiter'>,
): JsonObject {
  const level = prefix.split('/').length - 1
  const wire = (kind: ListEntry['kind']): JsonObject[] =>
    entries
      .filter((entry) => entry.kind === kind)
      .map((entry) => ({
        ...(hasLevels ? { key: entry.key.split('/')[level] ?? '' } : {}),
        ...columnsToWire(entry, entry.key),
      }))
  return { folders: wire('folder'), objects: wire('object') }
}

function withoutSlash({ kind, key }: ListEntry): string {
  return kind === 'folder' ? key.slice(0, -1) : key
}

// Names in a list omit the prefix. Names of folders also omit the slash at the end.
function entryToWire(entry: ListEntry, prefixLength: number): JsonObject {
  return columnsToWire(entry, withoutSlash(entry).slice(prefixLength))
}

function columnsToWire(entry: ListEntry, name: string): JsonObject {
  const stored = entry.kind === 'object' ? entry.stored : undefined
  const madeAt = entry.kind === 'folder' ? entry.madeAt : entry.stored.createdAt
  const changedAt = stored?.updatedAt ?? madeAt
  return {
    name,
    id: stored?.id ?? null,
    updated_at: changedAt === undefined ? null : toIso(changedAt),
    created_at: madeAt === undefined ? null : toIso(madeAt),
    last_accessed_at: stored === undefined ? null : toIso(stored.lastAccessedAt),
    metadata: stored === undefined ? null : metadataToWire(stored),
  }
}
