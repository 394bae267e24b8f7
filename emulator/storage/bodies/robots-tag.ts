// The header X-Robots-Tag of an upload: kept and served with the object, refused where robots could not read it
// (docs/wire/storage.md). Pure.
import { StorageError } from '../errors.ts'

const WORDS =
  /^(all|none|noindex|nofollow|noarchive|nocache|nosnippet|notranslate|noimageindex|indexifembedded|noai|noimageai)$/i
const SETTINGS =
  /^(max-snippet|max-video-preview) *: *-?\d+$|^max-image-preview *: *(none|standard|large)$/i
const END_DATE = /^unavailable_after *: *[\w :+./-]+$/i
const DATE_REST = /^[\w :+./-]+$/
/** `googlebot: noindex` speaks to one robot. */
const ADDRESSEE = /^[\w-]+ *: */

/** @throws {StorageError} `invalidRobotsTag` */
export function requireRobotsTag(text: string): string {
  let isWithinDate = false
  for (const rule of text.split(',').map((part) => part.trim())) {
    // A date may have one comma, after the day of the week.
    if (isWithinDate && !isRule(rule) && DATE_REST.test(rule)) isWithinDate = false
    else if (isRule(rule))
      isWithinDate = END_DATE.test(rule.replace(ADDRESSEE, '')) || END_DATE.test(rule)
    else
      throw new StorageError(
        'invalidRobotsTag',
        `Invalid X-Robots-Tag header: '${rule}' is no rule for robots, such as noindex or max-snippet:20`,
      )
  }
  return text
}

function isRule(text: string): boolean {
  return isBareRule(text) || isBareRule(text.replace(ADDRESSEE, ''))
}

function isBareRule(text: string): boolean {
  return WORDS.test(text) || SETTINGS.test(text) || END_DATE.test(text)
}
