// Masks the body of a message by its content type. A body whose secrets cannot be found has no masked form. Pure.
import { maskForm } from '../mask-parameters.ts'
import { maskForms } from '../mask-text.ts'
import { isJson, maskJson, maskValue } from '../mask-value.ts'
import type { Masking } from '../masking.ts'
import { maskCsv } from './mask-csv.ts'
import { maskMultipart } from './mask-multipart.ts'

export interface BodyKind {
  /** The header `Content-Type`, or an empty text. */
  readonly type: string
  /** Whether bytes that are not text belong to a file, so that they contain no secret. */
  readonly isFile: boolean
  /** Whether the bytes are the whole body. */
  readonly isWhole: boolean
}

/** Returns `undefined` when the secrets of the body cannot be found. */
export function maskBody(bytes: Buffer, kind: BodyKind, masking: Masking): Buffer | undefined {
  const { isFile, isWhole, type } = kind
  const [given = ''] = type.toLowerCase().split(';', 1)
  const media = given.trim()
  const form = formOf(media)
  const isContent = isFile && (form === 'other' || media === '')
  if (!isWhole && !isContent) return undefined
  if (form === 'multipart')
    return maskMultipart(bytes, type, masking, (part, partType) =>
      maskBody(part, { type: partType, isFile, isWhole }, masking),
    )
  const text = hasOtherCharset(type) ? undefined : textOf(bytes, isWhole)
  if (text === undefined) return isContent ? maskBytes(bytes, masking) : undefined
  const masked = maskWhole(text, isContent ? 'text' : form, masking)
  if (masked === undefined) return undefined
  return masked === text ? bytes : Buffer.from(masked)
}

/** Masks tokens by their form and known secrets in bytes. */
export function maskBytes(bytes: Buffer, masking: Masking): Buffer {
  // Each character is one byte.
  const text = bytes.toString('latin1')
  const masked = maskForms(text, masking)
  return masked === text ? bytes : Buffer.from(masked, 'latin1')
}

type Form = 'json' | 'description' | 'form' | 'csv' | 'multipart' | 'text' | 'other'

const FORMS: readonly (readonly [RegExp, Form])[] = [
  [/^application\/openapi\+json$/, 'description'],
  [/^(?:application|text)\/(?:.*\+)?json$|^application\/vnd\.pgrst\./, 'json'],
  [/^application\/x-www-form-urlencoded$/, 'form'],
  [/^text\/csv$/, 'csv'],
  [/^multipart\//, 'multipart'],
  [
    /^$|^text\/|^(?:application|image)\/(?:.*\+)?(?:xml|yaml)$|^application\/(?:javascript|sql|yaml|graphql|x-ndjson|jsonl)$/,
    'text',
  ],
]

function formOf(media: string): Form {
  return FORMS.find(([types]) => types.test(media))?.[1] ?? 'other'
}

function hasOtherCharset(type: string): boolean {
  const [, charset = 'utf-8'] = /;\s*charset="?([\w-]+)/i.exec(type) ?? []
  return !/^(?:utf-?8|us-ascii|ascii)$/i.test(charset)
}

function maskWhole(text: string, form: Form, masking: Masking): string | undefined {
  switch (form) {
    case 'json':
      if (text.trim() === '') return text
      return isWholeJson(text) ? maskJson(text, masking) : undefined
    // The object's members have the names of columns, not their values.
    case 'description':
      return maskForms(text, masking)
    case 'form':
      return maskForm(text, masking)
    case 'csv':
      return maskCsv(text, masking)
    case 'text':
      return looksLikeForm(text) ? maskForm(text, masking) : maskValue(text, masking)
    default:
      return isJson(text) ? maskValue(text, masking) : undefined
  }
}

function isWholeJson(text: string): boolean {
  return isJson(text) || /^\s*(?:-?\d[\d.eE+-]*|true|false|null)\s*$/.test(text)
}

/** Returns whether a text without a type is a form. */
export function looksLikeForm(text: string): boolean {
  return /^(?!\[)[^\s=&<>"'{]+=[^\s&<>"'{]*(?:&[^\s=&]+=[^\s&]*)*$/.test(text)
}

/** Below a space. */
const CONTROL = 0x20
/** Tab, the ends of lines and pages, and escape, which begins a colour of a terminal. */
const OF_TEXT: readonly number[] = [0x09, 0x0a, 0x0c, 0x0d, 0x1b]
/** The most bytes of one character in UTF-8. */
const CHARACTER_BYTES = 4

/** Returns the text of bytes in UTF-8, and `undefined` for other bytes. A cut may be inside a character. */
export function textOf(bytes: Buffer, isWhole: boolean): string | undefined {
  if (bytes.some((byte) => byte < CONTROL && !OF_TEXT.includes(byte))) return undefined
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for (let cut = 0; cut < (isWhole ? 1 : CHARACTER_BYTES); cut += 1)
    try {
      return decoder.decode(bytes.subarray(0, bytes.length - cut))
    } catch {
      // Tries without the last byte.
    }
  return undefined
}
