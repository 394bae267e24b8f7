// Finds the object that a request names, for each kind of caller (docs/wire/storage.md). Callers get "not found" for an object
// that they may not read.

import type { StorageDeps } from '../deps.ts'
import { refuse } from '../errors.ts'
import type { StoredObject } from '../objects/object-store.ts'
import type { StorageCall } from '../storage-call.ts'
import type { ActorReader, StorageActor } from './actor.ts'
import { findOnlineBucket } from './find-bucket.ts'
import { mayRead, ownsBucket } from './permissions.ts'

/** Finds the object that a request names. @throws {StorageError} `objectNotFound`, `bucketNotFound`, `badBearer`, `directKey` */
export type ObjectReader = (call: StorageCall) => Promise<StoredObject>

export interface ObjectReaders {
  /** Requires a bearer token. */
  readonly byBearer: ObjectReader
  /** Uses the bearer token when the token is valid. Otherwise reads public buckets only. */
  readonly byAnyone: ObjectReader
  /** Reads public buckets only and ignores any bearer token. */
  readonly publicly: ObjectReader
}

export function createObjectReaders(deps: StorageDeps, actors: ActorReader): ObjectReaders {
  const { buckets, objects } = deps

  function find(call: StorageCall, actor: StorageActor | undefined): StoredObject {
    const bucket = buckets.findBucket(call.bucket)
    if (bucket === undefined || (actor !== undefined && !ownsBucket(actor, bucket)))
      throw refuse.bucketNotFound()
    const stored = mayRead(actor, bucket)
      ? objects.findObject(bucket.fullName, call.objectKey)
      : undefined
    if (stored === undefined) throw refuse.objectNotFound()
    return stored
  }
  const publicly: ObjectReader = async (call) => {
    if (findOnlineBucket(deps, call)?.isPublic !== true) throw refuse.bucketNotFound()
    return find(call, undefined)
  }
  return {
    publicly,
    byBearer: async (call) =>
      find(call, await actors.requireActor(authorizationOf(call), call.env.facts)),
    byAnyone: async (call) => {
      const actor = await actors.findActor(authorizationOf(call), call.env.facts)
      return actor === undefined ? publicly(call) : find(call, actor)
    },
  }
}

function authorizationOf({ request }: StorageCall): string | null {
  return request.headers.get('authorization')
}
