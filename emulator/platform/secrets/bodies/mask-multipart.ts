// Masks multipart bodies part by part (RFC 2046 §5.1, RFC 7578): fields by their names, headers of parts, and files by their
// types. Pure.
import { maskHeader } from '../mask-header.ts'
import { secretName } from '../mask-parameters.ts'
import type { Masking } from '../masking.ts'

/** Masks the body of a part. Returns `undefined` when the secrets of the part cannot be found. */
export type MaskPart = (bytes: Buffer, type: string) => Buffer | undefined

/** Returns `undefined` for a malformed body, or when a part's secrets cannot be found. */
export function maskMultipart(
  bytes: Buffer,
  type: string,
  masking: Masking,
  maskPart: MaskPart,
): Buffer | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  // Latin-1 maps each byte to one character and back.
  const pieces = `\r\n${bytes.toString('latin1')}`.split(`\r\n--${boundary}`)
  const [preamble, ...parts] = pieces
  if (preamble !== '' || !/^--(?:\r\n)?$/.test(parts.pop() ?? '')) return undefined
  const masked: string[] = []
  for (const part of parts) {
    const one = maskOne(part, masking, maskPart)
    if (one === undefined) return undefined
    masked.push(one)
  }
  const end = pieces.at(-1) ?? ''
  return Buffer.from(['', ...masked, end].join(`\r\n--${boundary}`).slice(2), 'latin1')
}

function maskOne(part: string, masking: Masking, maskPart: MaskPart): string | undefined {
  const [, start = '', head = '', body = ''] =
    /^([ \t]*\r\n)((?:[^\r\n]+\r\n)*)\r\n([\s\S]*)$/.exec(part) ?? []
  if (start === '') return undefined
  const headers = utf8(head).split('\r\n').slice(0, -1)
  const headerOf = (name: string): string | undefined => {
    const line = headers.find((each) => each.toLowerCase().startsWith(`${name}:`))
    return line?.slice(name.length + 1).trim()
  }
  if (!/^(?:7bit|8bit|binary)?$/i.test(headerOf('content-transfer-encoding') ?? ''))
    return undefined
  const secret = secretName(
    fieldOf(headerOf('content-disposition')),
    masking,
    masking.signIn.inMembers,
  )
  const bytes = Buffer.from(body, 'latin1')
  const masked =
    secret === undefined || body === ''
      ? maskPart(bytes, headerOf('content-type') ?? 'text/plain')
      : Buffer.from(masking.replace(bytes.toString('utf8'), secret))
  if (masked === undefined) return undefined
  const shown = headers.map((line) => maskLine(line, masking))
  const maskedHead = Buffer.from(shown.map((line) => `${line}\r\n`).join('')).toString('latin1')
  return `${start}${maskedHead}\r\n${masked.toString('latin1')}`
}

/** Returns the decoded name of the form field. Browsers write a quotation mark as `%22` or `\"`. */
function fieldOf(disposition = ''): string {
  const [, quoted, plain] = /;\s*name\*?=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? []
  return (quoted ?? plain ?? '').replace(/%(?=[\da-f]{2})[\da-f]{2}|\\(.)/gi, (found, escaped) =>
    typeof escaped === 'string'
      ? escaped
      : String.fromCharCode(Number.parseInt(found.slice(1), 16)),
  )
}

function maskLine(line: string, masking: Masking): string {
  const [, name = '', separator = '', value = ''] = /^([^:]+)(:\s*)(.*)$/s.exec(line) ?? []
  return name === '' ? line : name + separator + maskHeader(name, value, masking)
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}
