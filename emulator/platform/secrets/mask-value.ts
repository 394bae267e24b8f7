// Masks a text of unknown type: JSON, SQL, or text that may contain JSON. JSON keeps its spaces, order, escapes and long numbers.
// Pure.
import { parseJson } from '../../core/json.ts'
import { looksLikeSql, maskSql } from './mask-sql.ts'
import { maskForms, maskText } from './mask-text.ts'
import { isNamed, type Masking } from './masking.ts'
import { isSecretName } from './secret-names.ts'

/** Masks the value of a member, parameter or header. */
export function maskValue(text: string, masking: Masking): string {
  if (isJson(text)) return maskJson(text, masking)
  if (looksLikeSql(text)) return maskSql(text, masking, maskValue)
  return maskLines(text, masking)
}

/**
 * Matches the beginning of every JSON object, list and string, and of few other texts, because a failed attempt to parse takes
 * long.
 */
const JSON_START = /^\s*(?:\{\s*["}]|\[\s*["{[\]\d-]|\[\s*(?:true|false|null)\b|"[\s\S]*"\s*$)/

/** Returns whether a text is a JSON object, list or string. */
export function isJson(text: string): boolean {
  return JSON_START.test(text) && parseJson(text.replace(/^\uFEFF/, '')) !== undefined
}

/** Lines that may be JSON, also after the `data:` of an event stream. */
const LINES = /^((?:data:[ \t]?)?)([[{].*)$/gm

function maskLines(text: string, masking: Masking): string {
  if (!text.includes('\n')) return maskText(text, masking)
  const masked = text.replace(LINES, (whole: string, before: string, line: string) =>
    isJson(line) ? before + maskJson(line, masking) : whole,
  )
  return maskText(masked, masking)
}

/**
 * Strings, numbers, and the beginnings and ends of objects and lists. An unterminated string is the last part of a text that was
 * cut off.
 */
const PARTS = /"[^"\\]*(?:\\[\s\S]?[^"\\]*)*(?:(")|$)|[{}[\]]|-?\d[\d.eE+-]*/g
const COLON = /\s*:/y

const LONG_NAME = 16

/** An object or list whose end was not read yet. */
interface Open {
  /** Name of the member whose value is read now. */
  name: string
  /** Whether this member or an enclosing member is a secret. */
  isSecret: boolean
  readonly isInSecret: boolean
}

/** Masks JSON text. The text may be cut off. */
export function maskJson(source: string, masking: Masking): string {
  const open: Open[] = []
  let within: Open = { name: '', isSecret: false, isInSecret: false }
  let masked = ''
  let end = 0
  for (const match of source.matchAll(PARTS)) {
    const [part, closing] = match
    if (part === '{' || part === '[') {
      const isInSecret = within.isSecret || isSecretMember(within.name.replace(/s$/i, ''), masking)
      open.push(within)
      within = { name: '', isSecret: isInSecret, isInSecret }
    } else if (part === '}' || part === ']') within = open.pop() ?? within
    else {
      COLON.lastIndex = match.index + part.length
      const isName = COLON.test(source)
      const changed = isName
        ? readName(part, closing !== undefined, within, masking)
        : maskMember(part, closing !== undefined, within, masking)
      if (changed === part) continue
      masked += source.slice(end, match.index) + changed
      end = match.index + part.length
    }
  }
  return masked + source.slice(end)
}

function readName(part: string, isWhole: boolean, within: Open, masking: Masking): string {
  const name = textOf(part, isWhole)
  within.name = name
  within.isSecret = within.isInSecret || isSecretMember(name, masking)
  // A short name may equal a known secret by chance, so short names are not masked.
  const changed = name.length < LONG_NAME ? name : maskForms(name, masking)
  return changed === name ? part : JSON.stringify(changed)
}

function maskMember(part: string, isWhole: boolean, within: Open, masking: Masking): string {
  const { isSecret, name } = within
  if (part[0] !== '"') return isSecret ? JSON.stringify(masking.replace(part, name)) : part
  const text = textOf(part, isWhole)
  if (text === '') return part
  const changed = isSecret ? masking.replace(text, name) : maskValue(text, masking)
  if (changed === text) return part
  const json = JSON.stringify(changed)
  return isWhole ? json : json.slice(0, -1)
}

function isSecretMember(name: string, masking: Masking): boolean {
  return name !== '' && (isSecretName(name, masking.signIn.inMembers) || isNamed(masking, name))
}

function textOf(part: string, isWhole: boolean): string {
  const text = isWhole ? parseJson(part) : undefined
  return typeof text === 'string' ? text : part.slice(1, isWhole ? -1 : undefined)
}
