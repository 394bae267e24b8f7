// Masks the secrets of a request or response body. The content type determines how the secrets are found. Pure.
import { maskForm } from '../mask-parameters.ts'
import { maskForms } from '../mask-text.ts'
import { isJson, maskJson, maskValue } from '../mask-value.ts'
import type { Masking } from '../masking.ts'
import { maskCsv } from './mask-csv.ts'
import { maskMultipart } from './mask-multipart.ts'

export interface BodyKind {
  /** The header `Content-Type`, or an empty text. */
  readonly type: string
  /** Whether the body may be a file. In a file whose bytes are not text, only tokens and known secrets are masked. */
  readonly isFile: boolean
  /** Whether the bytes are the whole body, not only its beginning. */
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

/** Masks tokens, recognised by their form, and known secrets in binary data. */
export function maskBytes(bytes: Buffer, masking: Masking): Buffer {
  // Latin-1 maps each byte to one character and back.
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
    // An OpenAPI document has members named like secret columns, but contains no values of these columns.
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

/** Returns whether a text looks like a URL-encoded form. */
export function looksLikeForm(text: string): boolean {
  return /^(?!\[)[^\s=&<>"'{]+=[^\s&<>"'{]*(?:&[^\s=&]+=[^\s&]*)*$/.test(text)
}

/** Bytes below this one, the space, are control characters. */
const CONTROL = 0x20
/** Control characters that occur in text: tab, line feed, form feed, carriage return, and the escape of terminal colours. */
const OF_TEXT: readonly number[] = [0x09, 0x0a, 0x0c, 0x0d, 0x1b]
/** Maximum number of bytes of one character in UTF-8. */
const CHARACTER_BYTES = 4

/** Decodes UTF-8; returns `undefined` for bytes that are not text. A body that was cut off may end inside a character. */
export function textOf(bytes: Buffer, isWhole: boolean): string | undefined {
  if (bytes.some((byte) => byte < CONTROL && !OF_TEXT.includes(byte))) return undefined
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for (let cut = 0; cut < (isWhole ? 1 : CHARACTER_BYTES); cut += 1)
    try {
      return decoder.decode(bytes.subarray(0, bytes.length - cut))
    } catch {
      // Tries again without the last byte.
    }
  return undefined
}
