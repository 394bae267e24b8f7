// Bucket names of the suite and of the platform. The suite turns `_` in its resource prefix into `-`, and the platform requires
// `proj_<slug>_`. Every name of the suite is therefore sent with that prefix and returned without it. Pure.

export interface BucketNames {
  /** Adds the project's prefix to each of the suite's bucket names in a text. */
  toPlatform(text: string): string
  /** Removes it again. */
  toSuite(text: string): string
}

/** @param resourcePrefix what the suite's bucket names begin with, before a hyphen; its object keys have a slash there */
export function mapBucketNames(schemaName: string, resourcePrefix: string): BucketNames {
  const name = new RegExp(`(?<![\\w-])${resourcePrefix}-(?=[a-z0-9])`, 'g')
  const ours = `${schemaName}_${resourcePrefix}-`
  return {
    toPlatform: (text) => text.replace(name, ours),
    toSuite: (text) => text.replaceAll(ours, `${resourcePrefix}-`),
  }
}
