// Types and error codes that all route tables of storage share, and the check of a request's bearer token.
import type { RouteTable } from '../../../core/routes.ts'
import type { ActorReader, StorageActor } from '../access/actor.ts'
import type { ObjectReaders } from '../access/object-readers.ts'
import type { StorageDeps } from '../deps.ts'
import type { StorageErrorCode } from '../refusals.ts'
import type { TusServer } from '../resumable/tus-server.ts'
import type { S3ErrorCode } from '../s3/s3-refusals.ts'
import type { StorageCall, StorageHandler } from '../storage-call.ts'

export interface StorageRouteDeps extends StorageDeps {
  readonly actors: ActorReader
  readonly readers: ObjectReaders
  /** Loads the TUS library once, at the first resumable upload. */
  readonly loadTus: () => Promise<TusServer>
}

export type StorageRoutes = RouteTable<
  StorageRouteDeps,
  StorageHandler,
  StorageErrorCode | S3ErrorCode
>

/** Error code of all routes that read a JSON body. */
export const BODY_CODE = 'unreadableBody'
export const FINDING_CODES: readonly StorageErrorCode[] = ['objectNotFound', 'bucketNotFound']
export const SIGNED_CODES: readonly StorageErrorCode[] = ['invalidJwt', 'invalidSignature']
/** Error codes of routes that store an object's bytes. */
export const STORING_CODES: readonly StorageErrorCode[] = [
  'rowRefused',
  'invalidKey',
  'bucketNotFound',
  'objectExists',
  'invalidMimeType',
  'tooLarge',
  'invalidRobotsTag',
  'unreadableBody',
  'clientGone',
  'locked',
  'diskFull',
]

/**
 * Reads and verifies the bearer token of a request.
 * @throws {StorageError} `invalidRequest` without the header, `badBearer`, `revokedBearer`, `directKey`
 */
export function actorOf(
  { actors }: Pick<StorageRouteDeps, 'actors'>,
  { request, env }: StorageCall,
): Promise<StorageActor> {
  return actors.requireActor(request.headers.get('authorization'), env.facts)
}
