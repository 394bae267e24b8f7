// Checks permission for uploads, by a storage token or by the token of a signed upload URL (docs/wire/storage.md#upload). Every
// request of a resumable upload that writes is checked again (docs/wire/storage.md#tus).
import { CREDENTIAL_HEADERS } from '../../../platform/secrets/secret-names.ts'
import type { Bucket } from '../buckets/bucket-store.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse } from '../errors.ts'
import type { StorageCall } from '../storage-call.ts'
import type { ActorReader } from './actor.ts'
import { findOnlineBucket, requireNamedBucket } from './find-bucket.ts'
import { mayWrite } from './permissions.ts'
import { openUrl } from './url-token.ts'

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
  return async ({ request: { method, headers }, env, bucket: name }) => {
    const actor = await actors.requireActor(headers.get('authorization'), env.facts)
    const bucket = requireNamedBucket(deps, name, actor)
    const mayReplace = method === 'PUT' || headers.get('x-upsert') === 'true'
    return { bucket, ownerId: actor.subject, mayReplace, mayWrite: mayWrite(actor, bucket) }
  }
}

/**
 * Admits an upload by the token in the query of a signed upload URL. The owner and the permission to replace come from the
 * token. Headers of the upload cannot change them.
 */
export function admitByUrlToken(deps: StorageDeps): Admit {
  return async (call) => {
    const { claims } = await openUrl(deps, 'upload', call)
    const bucket = findOnlineBucket(deps, call)
    if (bucket === undefined) throw refuse.bucketNotFound()
    const { owner, upsert } = claims
    const ownerId = typeof owner === 'string' ? owner : undefined
    return { bucket, ownerId, mayReplace: upsert === true, mayWrite: true }
  }
}

/** Admits a resumable upload by the same token in the header X-Signature. */
export function admitBySignature(deps: StorageDeps): Admit {
  const admit = admitByUrlToken(deps)
  return async (call) => {
    const token = call.request.headers.get(CREDENTIAL_HEADERS.uploadToken)
    if (token === null) throw refuse.request("headers must have required property 'x-signature'")
    return admit({ ...call, query: new URLSearchParams({ token }) })
  }
}
