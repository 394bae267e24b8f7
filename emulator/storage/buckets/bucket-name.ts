// Names of buckets: callers of the platform's routes give the short one, storage knows only the full one
// (docs/wire/storage.md#bucket-names).

import { parseSchemaName, type SchemaName } from '../../core/names.ts'
import type { ProjectLookup } from '../../projects/project.ts'
import type { StorageDeps } from '../deps.ts'
import { StorageError } from '../errors.ts'

/** The characters upstream accepts in a bucket name; a slash would make it a path. */
const BUCKET_NAME = /^[\w!.*'() &$@=;:+,?-]{1,100}$/

/** `proj_<slug>_<name>`. */
export function fullBucketName(schemaName: SchemaName, shortName: string): string {
  return `${schemaName}_${shortName}`
}

/** What is wrong with a short name; `undefined` when nothing is. */
export function problemOfShortName(shortName: string): string | undefined {
  if (shortName.trim() !== shortName) return 'must not begin or end with a space'
  if (BUCKET_NAME.test(shortName)) return undefined
  return "must have 1 to 100 letters, digits, spaces or the signs ! - . * ' ( ) & $ @ = ; : + , ? _"
}

/** Whether upstream accepts the text as a full name: 1 to 100 characters, no space at either end. */
export function isBucketName(text: string): boolean {
  return BUCKET_NAME.test(text) && text.trim() === text
}

/** Whether a full name is one of the project's: `proj_<slug>_` and at least one character. */
export function isOwnBucketName(schemaName: SchemaName, fullName: string): boolean {
  return fullName.startsWith(`${schemaName}_`) && fullName.length > schemaName.length + 1
}

/**
 * Why a name that begins like the project's belongs to another project; `undefined` when it does not. The existing project with
 * the longest `proj_<slug>_` in front owns a name: `proj_a_b_x` belongs to `a_b`, or to `a` while there is no `a_b`.
 */
export function problemOfOwner(
  projects: Pick<ProjectLookup, 'findProjectBySchema'>,
  schemaName: SchemaName,
  fullName: string,
): string | undefined {
  for (let end = fullName.length - 2; end > schemaName.length; end--) {
    if (fullName[end] !== '_') continue
    const other = parseSchemaName(fullName.slice(0, end))
    const project = other && projects.findProjectBySchema(other)
    if (project !== undefined && project.state !== 'purged')
      return `names that begin with ${other}_ belong to another project`
  }
  return undefined
}

/** Checks the full name of a bucket to be made. @throws {StorageError} `invalidBucketName` */
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
