// Masks secrets in free text: values after secret names, also in SQL and markup, passwords in addresses, and tokens. Pure.
import { isNamed, type Masking } from './masking.ts'
import { isSecretName, mayNameSecret } from './secret-names.ts'

/** Source of the regular expression for JWTs, PASETO v4.public tokens and keys of the platform. */
const TOKEN =
  '(?:(?<![A-Za-z0-9])eyJ[\\w-]{8,500}\\.[\\w-]+\\.[\\w-]*|v4\\.public\\.[\\w-]+(?:\\.[\\w-]+)?|sdb_[a-z]{1,20}_[\\w-]{16,})'
const TOKENS = new RegExp(TOKEN, 'g')
const WHOLE_TOKEN = new RegExp(`^${TOKEN}$`)

/** Returns whether the whole text is a token or key. */
export function isToken(text: string): boolean {
  return WHOLE_TOKEN.test(text)
}

/** The password in an address, such as `postgresql://owner:password@host`. */
const IN_ADDRESSES = /(?<=:\/\/[^\s:@/"]*:)[^\s/?#"']+(?=@)/g

const FORMS = /eyJ|v4\.|sdb_|:\/\//

/** Quick check. Returns false only for a text without any secret that `maskText` would find. */
export function mayHaveSecret(text: string, { known, named }: Partial<Masking> = {}): boolean {
  return known !== undefined || named !== undefined || mayNameSecret(text) || FORMS.test(text)
}

/** Masks tokens and keys, which have a known form, passwords in addresses, and known secrets. */
export function maskForms(text: string, { known, replace }: Masking): string {
  const masked = text
    .replace(TOKENS, (token) => replace(token, ''))
    .replace(IN_ADDRESSES, (password) => replace(password, ''))
  return known === undefined ? masked : known(masked)
}

/** Masks free text. */
export function maskText(text: string, masking: Masking): string {
  const mayName = mayNameSecret(text) || (masking.named?.size ?? 0) > 0
  return maskForms(
    mayName ? maskLogic(maskMarkup(maskPairs(text, masking), masking), masking) : text,
    masking,
  )
}

/**
 * A name and the separator between the name and its value: `password = `, `"token": `, `<secret>`, and `password ` before a
 * literal of SQL.
 */
const NAMES =
  /(?<![\w%-])([\w%-]{2,64})(?:(["'\]]{0,2}\s{0,8}(?:=>|:=|=|:(?!:))\s{0,8})|(>)|((?:\s|--[^\n]{0,99}\n|\/\*[^*]{0,99}\*\/){1,20})(?=[EU]?&?'|\$\w*\$))/gi
/** The forms of a value: an SQL or JSON literal, or a word with or without an authentication scheme before it. */
const VALUES: readonly RegExp[] = [
  /(E')((?:[^'\\]|''|\\[\s\S])*)/iy,
  /((?:U&)?')((?:[^']|'')*(?:'[ \t]*\n\s*'(?:[^']|'')*)*)/iy,
  /(")((?:[^"\\]|\\[\s\S])*)/y,
  /(\$(\w*)\$)([\s\S]*?)(?=\$\2\$|$)/y,
  /((?:(?:bearer|basic|digest|token)\s+)?)((?!\$\d)[^\s"'<>&]+)/iy,
]
const OF_MARKUP = /()([^<]+)/y

function maskPairs(text: string, masking: Masking): string {
  let masked = ''
  let end = 0
  for (const match of text.matchAll(NAMES)) {
    const [whole, name = '', , markup, gap] = match
    const start = match.index + whole.length
    if (match.index < end || !isSecret(decoded(name), text[match.index - 1], whole, masking))
      continue
    if (gap !== undefined && !/password$/i.test(name)) continue
    const found = valueAt(text, start, markup === undefined ? VALUES : [OF_MARKUP])
    if (found === undefined) continue
    const [before, value] = found
    masked += text.slice(end, start) + before + masking.replace(value, decoded(name))
    end = start + before.length + value.length
  }
  return masked + text.slice(end)
}

function isSecret(
  name: string,
  before: string | undefined,
  whole: string,
  masking: Masking,
): boolean {
  const isParameter = /[?&#;]/.test(before ?? '') && whole.endsWith('=')
  const { inMembers, inParameters } = masking.signIn
  return isSecretName(name, isParameter ? inParameters : inMembers) || isNamed(masking, name)
}

function valueAt(
  text: string,
  start: number,
  forms: readonly RegExp[],
): readonly [before: string, value: string] | undefined {
  for (const form of forms) {
    form.lastIndex = start
    const match = form.exec(text)
    const [, before = '', second = '', third] = match ?? []
    const value = third ?? second
    if (match !== null) return value === '' ? undefined : [before, value]
  }
  return undefined
}

function decoded(name: string): string {
  return name.includes('%') ? decodedParameter(name) : name
}

/** Decodes a name or value of a query or form as the platform does, which keeps malformed sequences. */
export function decodedParameter(text: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return leniently(text)
  }
}

function leniently(text: string): string {
  const [name = ''] = new URLSearchParams(
    `${text.replaceAll('&', '%26').replaceAll('=', '%3D')}=`,
  ).keys()
  return name
}

/** Fields of an HTML form, with attributes in any order. */
const FIELDS = /<(?:input|meta|param|button)\b[^>]*>/gi
const ATTRIBUTE = (name: string): RegExp =>
  new RegExp(`(\\b${name}\\s*=\\s*)(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
const [FIELD_NAME, FIELD_VALUE] = [ATTRIBUTE('name'), ATTRIBUTE('(?:value|content)')]

function maskMarkup(text: string, masking: Masking): string {
  if (!text.includes('<')) return text
  return text.replace(FIELDS, (field) => {
    const [, , ...names] = FIELD_NAME.exec(field) ?? []
    const name = names.find((each) => each !== undefined) ?? ''
    // In a page, `code` and `state` are fields of a sign-in form; `code` is never an error code.
    if (!isSecretName(name, masking.signIn.inParameters) && !isNamed(masking, name)) return field
    return field.replace(FIELD_VALUE, (whole: string, before: string, ...values: unknown[]) => {
      const value = values.slice(0, 3).find((each) => typeof each === 'string' && each !== '')
      return typeof value === 'string' ? `${before}"${masking.replace(value, name)}"` : whole
    })
  })
}

/** An operator of PostgREST before its value, as a pattern: `not.in.`, `like(any).`, `fts(english).`. */
export const OPERATOR_PATTERN: string = String.raw`(?:not\.)?(?:eq|neq|gte?|lte?|i?like|i?match|is|isdistinct|in|cs|cd|ov|sl|sr|nxr|nxl|adj|(?:pl|ph|w)?fts)(?:\([^()]*\))?\.`
/** A quoted value, or a list in parentheses, braces or brackets, or a text up to the next filter. */
const VALUE_PATTERN = String.raw`\((?:"(?:[^"\\]|\\.)*"|[^()"])*\)|\{(?:"(?:[^"\\]|\\.)*"|[^{}"])*\}|\[[^[\])]*[\])]|"(?:[^"\\]|\\.)*"|[^,()]+`
/** Filters in a logic tree of PostgREST: `or=(password.eq.a,token.not.in.(b,c))`. */
const LOGIC = new RegExp(String.raw`(?<!\w)(\w+)(\.${OPERATOR_PATTERN})(${VALUE_PATTERN})`, 'g')

function maskLogic(text: string, masking: Masking): string {
  return text.replace(LOGIC, (whole: string, name: string, operator: string, value: string) =>
    isSecretName(name, false) || isNamed(masking, name)
      ? name + operator + masking.replace(value, name)
      : whole,
  )
}
