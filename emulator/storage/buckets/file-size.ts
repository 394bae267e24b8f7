// Sizes as a bucket's limit may be written: bytes, or text with a decimal unit (docs/wire/storage.md#bucket-limits). Pure.
import { refuse, StorageError } from '../errors.ts'

const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9 }
const SIZE_TEXT = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB)$/i

/** Bytes; `null` and `undefined` pass through. @throws {StorageError} `invalidSizeText`, `tooLarge` */
export function parseFileSize(size: number | string | null | undefined): number | null | undefined {
  if (typeof size !== 'string') return size
  const [, amount, unit] = SIZE_TEXT.exec(size.trim()) ?? []
  const factor = UNITS[unit?.toUpperCase() ?? '']
  if (amount !== undefined && factor !== undefined)
    return requireCountable(Math.floor(Number(amount) * factor))
  if (/^\d+$/.test(size)) return requireCountable(Number(size))
  throw new StorageError(
    'invalidSizeText',
    'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B',
  )
}

// fact: a limit above what storage takes at all is refused like an object that is.
function requireCountable(bytes: number): number {
  if (bytes > Number.MAX_SAFE_INTEGER) throw refuse.tooLarge()
  return bytes
}
