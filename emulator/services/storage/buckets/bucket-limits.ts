// Parses and checks a bucket's limits: allowed media types, and the maximum file size such as `20MB`
// (docs/wire/storage.md#bucket-limits).
import { refuse, StorageError } from '../errors.ts'

const MEDIA_TYPE = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+[ \t]*(;.*)?$/
const ALLOWED_ENTRY = /^(\*|[\w!#$&^.+-]+\/(\*|[\w!#$&^.+-]+)(\s*;\s*charset=[\w-]+)?)$/i
const MAX_ENTRY_LENGTH = 1_000

/** Returns the text if it is a media type. @throws {StorageError} `invalidMimeType` */
export function requireMediaType(contentType: string): string {
  if (MEDIA_TYPE.test(contentType)) return contentType
  throw refuse.contentType()
}

/** Whether a bucket may have this text in its list of allowed types, e.g. `image/png`, `image/*`, `*`. */
export function isAllowedEntry(text: string): boolean {
  return text.length <= MAX_ENTRY_LENGTH && ALLOWED_ENTRY.test(text)
}

/** fact: upstream compares the text on both sides of the slash, so `text/plain` does not allow `text/plain;charset=UTF-8`. */
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

const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9 }
const SIZE_TEXT = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB)$/i

/** Converts the size to bytes. Returns `null` and `undefined` unchanged. @throws {StorageError} `invalidSizeText`, `tooLarge` */
export function parseFileSize(size: number | string | null | undefined): number | null | undefined {
  if (typeof size !== 'string') return size
  const [, amount, unit] = SIZE_TEXT.exec(size.trim()) ?? []
  const factor = UNITS[unit?.toUpperCase() ?? '']
  if (amount !== undefined && factor !== undefined)
    return requireCountable(Math.floor(Number(amount) * factor))
  if (/^\d+$/.test(size)) return requireCountable(Number(size))
  throw new StorageError('invalidSizeText')
}

// fact: a limit too large to count in bytes gets the same error as an object that is too large.
function requireCountable(bytes: number): number {
  if (bytes > Number.MAX_SAFE_INTEGER) throw refuse.tooLarge()
  return bytes
}
