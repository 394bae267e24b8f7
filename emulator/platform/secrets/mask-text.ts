// Masks secrets in free text: after their names, in SQL, in markup, in addresses, and tokens by their form. Pure.
import { isNamed, type Masking } from './masking.ts'
import { isSecretName, mayNameSecret } from './secret-names.ts'

/** JWT, PASETO v4.public and keys of the platform, as the source of a regular expression. */
const TOKEN =
  '(?:(?<![A-Za-z0-9])eyJ[\\w-]{8,500}\\.[\\w-]+\\.[\\w-]*|v4\\.public\\.[\\w-]+(?:\\.[\\w-]+)?|sdb_[a-z]{1,20}_[\\w-]{16,})'
const TOKENS = new RegExp(TOKEN, 'g')
const WHOLE_TOKEN = new RegExp(`^${TOKEN}$`)

/** Returns whether the whole text is a token or key. */
export function isToken(text: string): boolean {
  return WHOLE_TOKEN.test(text)
}

/** The password of an address, such as `postgresql://owner:password@host`. */
const IN_ADDRESSES = /(?<=:\/\/[^\s:@/"]*:)[^\s/?#"']+(?=@)/g

const FORMS = /eyJ|v4\.|sdb_|:\/\//

/** Returns quickly whether a text can contain a secret that `maskText` finds. */
export function mayHaveSecret(text: string, { known, named }: Partial<Masking> = {}): boolean {
  return known !== undefined || named !== undefined || mayNameSecret(text) || FORMS.test(text)
}

/** Masks tokens and keys by their form, passwords in addresses, and secrets that are known. */
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

/** A name with what separates it from its value: `password = `, `"token": `, `<secret>`, and `password ` before a literal of SQL. */
const NAMES =
  /(?<![\w%-])([\w%-]{2,64})(?:(["'\]]{0,2}\s{0,8}(?:=>|:=|=|:(?!:))\s{0,8})|(>)|((?:\s|--[^\n]{0,99}\n|\/\*[^*]{0,99}\*\/){1,20})(?=[EU]?&?'|\$\w*\$))/gi
/** A value: literals of SQL and JSON, and a word after the name of a scheme. */
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

/** Decodes a part of a query or form as the platform does: malformed sequences stay. */
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

/** Fields of a form in HTML, with their attributes in any order. */
const FIELDS = /<(?:input|meta|param|button)\b[^>]*>/gi
const ATTRIBUTE = (name: string): RegExp =>
  new RegExp(`(\\b${name}\\s*=\\s*)(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
const [FIELD_NAME, FIELD_VALUE] = [ATTRIBUTE('name'), ATTRIBUTE('(?:value|content)')]

function maskMarkup(text: string, masking: Masking): string {
  if (!text.includes('<')) return text
  return text.replace(FIELDS, (field) => {
    const [, , ...names] = FIELD_NAME.exec(field) ?? []
    const name = names.find((each) => each !== undefined) ?? ''
    // A page contains no code of an error, but the fields of a sign-in.
    if (!isSecretName(name, masking.signIn.inParameters) && !isNamed(masking, name)) return field
    return field.replace(FIELD_VALUE, (whole: string, before: string, ...values: unknown[]) => {
      const value = values.slice(0, 3).find((each) => typeof each === 'string' && each !== '')
      return typeof value === 'string' ? `${before}"${masking.replace(value, name)}"` : whole
    })
  })
}

/** Filters in a logic tree of PostgREST: `or=(password.eq.a,token.not.in.(b,c))`. */
const LOGIC =
  /([\w]+)(\.(?:not\.)?(?:eq|neq|gte?|lte?|i?like|i?match|is|isdistinct|in|cs|cd)\.)(\([^()]*\)|"(?:[^"\\]|\\.)*"|[^,()]+)/g

function maskLogic(text: string, masking: Masking): string {
  return text.replace(LOGIC, (whole: string, name: string, operator: string, value: string) =>
    isSecretName(name, false) || isNamed(masking, name)
      ? name + operator + masking.replace(value, name)
      : whole,
  )
}
