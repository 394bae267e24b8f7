// Maps bucket names between the suite and the platform. The suite replaces `_` in its resource prefix by `-`, but the platform
// requires the prefix `proj_<slug>_`. Requests therefore get the platform's prefix, and responses lose it. Pure.

export interface BucketNames {
  /** Adds the project's prefix to each of the suite's bucket names in a text. */
  toPlatform(text: string): string
  /** Removes the project's prefix from all bucket names in a text. */
  toSuite(text: string): string
}

/**
 * @param resourcePrefix the start of the suite's bucket names, before a hyphen; object keys have a slash instead of the hyphen
 */
export function mapBucketNames(schemaName: string, resourcePrefix: string): BucketNames {
  const name = new RegExp(`(?<![\\w-])${resourcePrefix}-(?=[a-z0-9])`, 'g')
  const ours = `${schemaName}_${resourcePrefix}-`
  return {
    toPlatform: (text) => text.replace(name, ours),
    toSuite: (text) => text.replaceAll(ours, `${resourcePrefix}-`),
  }
}
