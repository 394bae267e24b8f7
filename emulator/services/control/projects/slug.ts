// Checks slugs that callers choose, and generates slugs when they choose none (docs/wire/platform.md#slug). Pure.
import { parseSlug, type Slug } from '../../../core/names.ts'
import { isReservedSlug, MAX_SLUG_LENGTH, slugText } from '../../../core/slugs.ts'
import { ManagementError } from '../errors.ts'

/** Returns the value if it is a valid slug. @throws {ManagementError} `invalid_slug`, `slug_reservado` */
export function requireSlug(value: unknown): Slug {
  const slug = parseSlug(value)
  if (slug === undefined)
    throw new ManagementError('invalid_slug', 'The slug is missing or not valid.', {
      hint: `Use 1 to ${MAX_SLUG_LENGTH} lowercase letters, digits and underscores.`,
    })
  if (isReservedSlug(slug))
    throw new ManagementError('slug_reservado', `The slug ${slug} is reserved by the platform.`, {
      hint: 'Choose another slug.',
    })
  return slug
}

/** @throws {ManagementError} as `requireSlug`; 409 `slug_taken` when a project has or had the slug */
export function requireFreeSlug(value: unknown, isTaken: (slug: string) => boolean): Slug {
  const slug = requireSlug(value)
  if (isTaken(slug))
    throw new ManagementError('slug_taken', `The slug ${slug} is taken.`, {
      hint: 'Choose another slug. The slug of a removed or purged tenant is never assigned again.',
    })
  return slug
}

/**
 * Turns a name into a free slug. Accents are dropped and other characters become `_`. A number is appended when the slug is
 * taken.
 */
export function slugFromName(name: string, isTaken: (slug: string) => boolean): Slug {
  const stem = slugText(name) || 'project'
  for (let number = 1; ; number += 1) {
    const slug = parseSlug(number === 1 ? stem : withSuffix(stem, `_${number}`))
    if (slug !== undefined && !isReservedSlug(slug) && !isTaken(slug)) return slug
  }
}

/**
 * Returns the slug of the source's next version, such as `<source>_v2` (docs/wire/platform.md#slug). The version is higher than
 * any earlier one of the source, and its slug is free. A long source name is shortened to make room for the suffix.
 */
export function templateSlug(
  source: Slug,
  earlierTemplates: readonly string[],
  isTaken: (slug: string) => boolean,
): Slug {
  const versions = earlierTemplates.map((slug) => Number(/_v(\d{1,6})$/.exec(slug)?.[1] ?? 1))
  for (let version = Math.max(1, ...versions) + 1; ; version += 1) {
    const slug = parseSlug(withSuffix(source, `_v${version}`))
    if (slug !== undefined && !isTaken(slug)) return slug
  }
}

function withSuffix(stem: string, suffix: string): string {
  return stem.slice(0, MAX_SLUG_LENGTH - suffix.length) + suffix
}
