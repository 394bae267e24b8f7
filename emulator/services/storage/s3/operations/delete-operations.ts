// S3 DeleteObject and DeleteObjects. Deleting an object that does not exist succeeds, as in S3.
import type { StorageDeps } from '../../deps.ts'
import { StorageError } from '../../errors.ts'
import { readXml, refuseVersion, requireBucket, type S3Operation } from '../s3-call.ts'
import { codeOf, S3Error } from '../s3-error.ts'
import { childrenOf, element, group, textOf, type XmlElement } from '../xml.ts'
import { xml } from './bucket-operations.ts'
import { etagGuard, writeGuard } from './conditions.ts'

const MAX_DELETIONS = 1_000

export const deleteObject: S3Operation = async (deps, call) => {
  const bucket = requireBucket(deps, call.caller.key, call.bucket)
  const { headers } = call.caller
  refuseVersion(call.query.get('versionId'))
  const guard = headers.has('if-match') ? writeGuard(headers) : undefined
  const removed = await deps.objects.removeObject(bucket.fullName, call.objectKey, guard)
  if (removed !== undefined) await deps.blobs.remove(removed.version)
  return new Response(null, { status: 204 })
}

interface Deletion {
  readonly key: string
  readonly versionId: string | undefined
  /** The object is deleted only when it has this ETag. */
  readonly etag: string | undefined
}

export const deleteObjects: S3Operation = async (deps, call) => {
  const { fullName } = requireBucket(deps, call.caller.key, call.bucket)
  const body = await readXml(call, 'Delete')
  const deletions = childrenOf(body, 'Object').map(deletionOf)
  if (deletions.length === 0 || deletions.length > MAX_DELETIONS)
    throw new S3Error('MalformedXML', `The body must list 1 to ${MAX_DELETIONS} objects to delete.`)
  const plain = deletions.filter(isPlain)
  const removed = await deps.objects.removeObjects(
    fullName,
    plain.map(({ key }) => key),
  )
  for (const { version } of removed) await deps.blobs.remove(version)
  const refused = new Map<Deletion, string>()
  for (const deletion of deletions) {
    const refusal = isPlain(deletion) ? undefined : await removeOne(deps, fullName, deletion)
    if (refusal !== undefined) refused.set(deletion, refusal)
  }
  const isQuiet = textOf(body, 'Quiet')?.trim() === 'true'
  return xml(
    'DeleteResult',
    deletions.flatMap((deletion) => {
      const refusal = refused.get(deletion)
      if (refusal !== undefined) return refusal
      return isQuiet ? [] : group('Deleted', [element('Key', deletion.key)])
    }),
  )
}

// Deletions without version and ETag need no check of their own, so all these deletions share one commit.
function isPlain({ versionId, etag }: Deletion): boolean {
  return versionId === undefined && etag === undefined
}

/** Deletes one object. Returns the error as XML, or `undefined` when the object was deleted or did not exist. */
async function removeOne(
  { objects, blobs }: StorageDeps,
  bucket: string,
  { key, versionId, etag }: Deletion,
): Promise<string | undefined> {
  try {
    refuseVersion(versionId)
    const guard = etag === undefined ? undefined : etagGuard(etag)
    const removed = await objects.removeObject(bucket, key, guard)
    if (removed !== undefined) await blobs.remove(removed.version)
    return undefined
  } catch (error) {
    if (!(error instanceof S3Error || error instanceof StorageError)) throw error
    return group('Error', [
      element('Key', key),
      element('VersionId', versionId),
      element('Code', codeOf(error)),
      element('Message', error.message),
    ])
  }
}

function deletionOf(object: XmlElement): Deletion {
  const key = textOf(object, 'Key')
  if (key === undefined)
    throw new S3Error('MalformedXML', 'An object in the list to delete has no key.')
  return { key, versionId: textOf(object, 'VersionId'), etag: textOf(object, 'ETag')?.trim() }
}
