// Names of buckets: callers of the platform's routes give the short one, storage knows only the full one
// (seed: "Bucket and object"; contract.md §7). Pure.
import type { SchemaName } from '../core/names.ts'

/** The characters upstream accepts in a bucket name; slashes would make paths of it. */
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
