// Names of buckets. Callers of the platform's routes use the short name. Storage uses only the full name
// (docs/wire/storage.md#bucket-names).

import { parseSchemaName, type SchemaName } from '../../../core/names.ts'
import type { ProjectLookup } from '../../../platform/projects/project.ts'
import type { StorageDeps } from '../deps.ts'
import { StorageError } from '../errors.ts'

/** Characters that upstream accepts in a bucket name. Slashes are excluded because they separate path segments. */
const BUCKET_NAME = /^[\w!.*'() &$@=;:+,?-]{1,100}$/

/** Returns `proj_<slug>_<name>`. */
export function fullBucketName(schemaName: SchemaName, shortName: string): string {
  return `${schemaName}_${shortName}`
}

/** Describes what is wrong with a short name. Returns `undefined` for a valid name. */
export function problemOfShortName(shortName: string): string | undefined {
  if (shortName.trim() !== shortName) return 'must not begin or end with a space'
  if (BUCKET_NAME.test(shortName)) return undefined
  return "must have 1 to 100 letters, digits, spaces or the signs ! - . * ' ( ) & $ @ = ; : + , ? _"
}

/** Whether upstream accepts the text as a full name: 1 to 100 characters, no space at either end. */
export function isBucketName(text: string): boolean {
  return BUCKET_NAME.test(text) && text.trim() === text
}

/** Whether a full name has the project's prefix: `proj_<slug>_`, followed by at least one character. */
export function isOwnBucketName(schemaName: SchemaName, fullName: string): boolean {
  return fullName.startsWith(`${schemaName}_`) && fullName.length > schemaName.length + 1
}

/**
 * Explains that a bucket name belongs to another project. Returns `undefined` when the name belongs to this project. A name
 * belongs to the existing project with the longest matching `proj_<slug>_`. For example, `proj_a_b_x` belongs to `a_b`, or to
 * `a` when `a_b` does not exist.
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

/** Checks the full name of a new bucket. @throws {StorageError} `invalidBucketName` */
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
