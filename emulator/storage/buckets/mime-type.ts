// Media types of uploads against what a bucket allows (docs/wire/storage.md). Pure.
import { refuse } from '../errors.ts'

const MEDIA_TYPE = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+[ \t]*(;.*)?$/
const ALLOWED_ENTRY = /^(\*|[\w!#$&^.+-]+\/(\*|[\w!#$&^.+-]+)(\s*;\s*charset=[\w-]+)?)$/i
const MAX_ENTRY_LENGTH = 1_000

/** Refuses what is no media type at all. @throws {StorageError} `invalidMimeType` */
export function requireMediaType(contentType: string): string {
  if (MEDIA_TYPE.test(contentType)) return contentType
  throw refuse.contentType()
}

/** Whether a bucket may list the text among its allowed types: `image/png`, `image/*`, `*`. */
export function isAllowedEntry(text: string): boolean {
  return text.length <= MAX_ENTRY_LENGTH && ALLOWED_ENTRY.test(text)
}

/** fact: compared as text on both sides of the slash, so `text/plain` does not allow `text/plain;charset=UTF-8`. */
export function isAllowed(mimeType: string, allowed: readonly string[] | undefined): boolean {
  if (allowed === undefined || allowed.length === 0) return true
  const [kind, subtype] = split(mimeType)
  return allowed.some((entry) => {
    if (entry === '*') return true
    const [allowedKind, allowedSubtype] = split(entry)
    return allowedKind === kind && (allowedSubtype === '*' || allowedSubtype === subtype)
  })
}

function split(mimeType: string): readonly [kind: string, subtype: string] {
  const slash = mimeType.indexOf('/')
  return [mimeType.slice(0, slash), mimeType.slice(slash + 1)]
}
