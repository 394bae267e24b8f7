// Checks permission for resumable uploads, by a storage token or by the token of a signed upload URL
// (docs/wire/storage.md#tus). Every request that writes is checked anew.

import type { ActorReader } from '../access/actor.ts'
import { findOnlineBucket, requireNamedBucket } from '../access/find-bucket.ts'
import { mayWrite } from '../access/permissions.ts'
import { openUrl } from '../access/url-token.ts'
import type { Bucket } from '../buckets/bucket-store.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse } from '../errors.ts'
import type { StorageCall } from '../storage-call.ts'

export interface Admitted {
  readonly bucket: Bucket
  readonly ownerId: string | undefined
  readonly mayReplace: boolean
  /** False when row-level security refuses the upload. */
  readonly mayWrite: boolean
}

/**
 * @param call a call whose `bucket` and `objectKey` name the object to upload
 * @throws {StorageError} errors of bearers, upload tokens and buckets
 */
export type Admit = (call: StorageCall) => Promise<Admitted>

export function admitByBearer(deps: StorageDeps, actors: ActorReader): Admit {
  return async ({ request, env, bucket: name }) => {
    const actor = await actors.requireActor(request.headers.get('authorization'), env.facts)
    const bucket = requireNamedBucket(deps, name, actor)
    return {
      bucket,
      ownerId: actor.subject,
      mayReplace: request.headers.get('x-upsert') === 'true',
      mayWrite: mayWrite(actor, bucket),
    }
  }
}

export function admitBySignature(deps: StorageDeps): Admit {
  return async (call) => {
    const token = call.request.headers.get('x-signature')
    if (token === null) throw refuse.request("headers must have required property 'x-signature'")
    const { claims } = await openUrl(deps, 'upload', {
      ...call,
      query: new URLSearchParams({ token }),
    })
    const bucket = findOnlineBucket(deps, call)
    if (bucket === undefined) throw refuse.bucketNotFound()
    const { owner, upsert } = claims
    return {
      bucket,
      ownerId: typeof owner === 'string' ? owner : undefined,
      mayReplace: upsert === true,
      mayWrite: true,
    }
  }
}
