// Handles S3 sub-resources that the emulator does not implement, such as tags, access lists and locks. Reads of a sub-resource
// answer as S3 does when nothing is configured. Writes to a sub-resource are refused before they can reach the object itself.

import { requireBucket, type S3Call, type S3Operation } from '../s3-call.ts'
import { S3Error } from '../s3-error.ts'
import { element, group } from '../xml.ts'
import { xml } from './bucket-operations.ts'
import { requireObject } from './object-operations.ts'

const SCHEMA_INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance'

/** Query parameters that name sub-resources in S3. */
const NAMES = `
  abac accelerate acl analytics attributes cors encryption intelligent-tiering inventory
  legal-hold lifecycle logging metadataConfiguration metadataInventoryTable metadataJournalTable
  metadataTable metrics notification object-lock ownershipControls policy policyStatus
  publicAccessBlock renameObject replication requestPayment restore retention select session
  tagging torrent versions website
`
  .trim()
  .split(/\s+/)

/** Returns the sub-resource that a read request names, or `undefined` without one. */
export function subResourceIn(query: URLSearchParams): string | undefined {
  return NAMES.find((name) => query.has(name))
}

/** Returns an access list that gives the owning project full control. */
export const bucketAcl: S3Operation = async (deps, call) => {
  requireBucket(deps, call.caller.key, call.bucket)
  return accessList(call)
}

type Reader = (call: S3Call) => Response

const READERS: Readonly<Record<string, Reader | undefined>> = {
  acl: accessList,
  tagging: () => xml('Tagging', [group('TagSet', [])]),
  retention: noLocks,
  'legal-hold': noLocks,
}

/**
 * Returns the handler that reads a sub-resource of an object. Returns `undefined` when the emulator does not implement this
 * read.
 */
export function readerOf(subResource: string): S3Operation | undefined {
  const read = READERS[subResource]
  if (read === undefined) return undefined
  return async (deps, call) => {
    requireObject(deps, call)
    return read(call)
  }
}

function noLocks(): never {
  throw new S3Error('InvalidRequest', 'Bucket is missing Object Lock Configuration')
}

function accessList({ caller }: S3Call): Response {
  const { accessKeyId, schemaName } = caller.key
  const owner = [element('ID', accessKeyId), element('DisplayName', schemaName)]
  const grantee = `<Grantee xmlns:xsi="${SCHEMA_INSTANCE}" xsi:type="CanonicalUser">${owner.join('')}</Grantee>`
  return xml('AccessControlPolicy', [
    group('Owner', owner),
    group('AccessControlList', [group('Grant', [grantee, element('Permission', 'FULL_CONTROL')])]),
  ])
}
