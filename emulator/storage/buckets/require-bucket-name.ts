// The name a project may give a bucket of its own (docs/wire/storage.md#bucket-names), for every route that makes one.
import type { SchemaName } from '../../core/names.ts'
import type { StorageDeps } from '../deps.ts'
import { StorageError } from '../errors.ts'
import { isBucketName, isOwnBucketName, problemOfOwner } from './bucket-name.ts'

/** @throws {StorageError} `invalidBucketName` */
export function requireBucketName(
  { projects }: Pick<StorageDeps, 'projects'>,
  schemaName: SchemaName,
  name: string,
): void {
  if (!isBucketName(name)) throw invalid()
  if (!isOwnBucketName(schemaName, name)) throw invalid(`it must begin with ${schemaName}_`)
  const problem = problemOfOwner(projects, schemaName, name)
  if (problem !== undefined) throw invalid(problem)
}

function invalid(reason?: string): StorageError {
  const message = 'Bucket name invalid'
  return new StorageError(
    'invalidBucketName',
    reason === undefined ? message : `${message}: ${reason}`,
  )
}
