// The rules of slugs that a caller can check before a request (docs/wire/platform.md#slug). Pure.

/** Slugs reserved for the platform (docs/wire/platform.md#slug). */
const RESERVED: ReadonlySet<string> = new Set([
  'management',
  'public',
  'storage',
  'realtime',
  'auth',
  'auth_global',
  'pgrst_helpers',
  'extensions',
  'graphql',
  'vault',
  'cron',
  'information_schema',
  'pg_catalog',
  'pg_toast',
  'postgres',
  'admin',
  'internal',
  'system',
  'platform',
])

/** Like the pattern in names.ts. */
export const MAX_SLUG_LENGTH = 44

export function isReservedSlug(slug: string): boolean {
  return RESERVED.has(slug)
}

/** Returns the name as at most 44 lower-case letters, digits and `_`. The result is empty when no character is left. */
export function slugText(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/_+$/, '')
}
