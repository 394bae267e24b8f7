// Masks secrets in the parameters of addresses and forms. Names are decoded first: `%70assword` and `user[password]` are
// passwords. Pure.

import { decodedParameter, maskForms, mayHaveSecret, OPERATOR_PATTERN } from './mask-text.ts'
import { maskValue } from './mask-value.ts'
import { isNamed, MASK, type Masking } from './masking.ts'
import { isSecretName, mayNameSecret } from './secret-names.ts'

/** Masks a path with its query, or a whole address. */
export function maskAddress(address: string, masking: Masking): string {
  if (!mayHaveSecret(address, masking)) return address
  const start = address.search(/[?#]/) + 1
  if (start === 0) return maskForms(address, masking)
  const parts = address.slice(start).split(/([&#])/)
  const masked = parts.map((part) => maskParameter(part, masking, masking.signIn.inParameters))
  return maskForms(address.slice(0, start), masking) + masked.join('')
}

/** Masks a form (application/x-www-form-urlencoded). */
export function maskForm(form: string, masking: Masking): string {
  const parts = form.split('&')
  return parts.map((part) => maskParameter(part, masking, masking.signIn.inMembers)).join('&')
}

/** Filter operators, which are not masked, such as `eq.` in `?token=eq.secret`. */
const OPERATOR = new RegExp(`^${OPERATOR_PATTERN}(?=.)`)

function maskParameter(part: string, masking: Masking, isSignIn: boolean): string {
  const at = part.indexOf('=')
  if (at < 0)
    return part.length > 1 ? rewritten(part, maskForms(decodedParameter(part), masking)) : part
  const [rawName, raw] = [part.slice(0, at), part.slice(at + 1)]
  const value = decodedParameter(raw)
  if (value === '') return part
  const secret = secretName(decodedParameter(rawName), masking, isSignIn)
  if (secret === undefined)
    return mayHaveSecret(value, masking)
      ? `${rawName}=${rewritten(raw, maskValue(value, masking), value)}`
      : part
  const [operator = ''] = OPERATOR.exec(value) ?? []
  return `${rawName}=${operator}${encoded(masking.replace(value.slice(operator.length), secret))}`
}

/** Returns the part of a name that is a secret: `password` of `user[password]` and of `data->>password`. */
export function secretName(name: string, masking: Masking, isSignIn: boolean): string | undefined {
  if (!mayNameSecret(name) && masking.named === undefined) return undefined
  return name
    .split(/[[\].]|->>?/)
    .find((each) => each !== '' && (isSecretName(each, isSignIn) || isNamed(masking, each)))
}

function rewritten(raw: string, masked: string, value = decodedParameter(raw)): string {
  return masked === value ? raw : encoded(masked)
}

// Percent-encodes text except for `MASK`, so that the mask stays readable.
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(encodeURIComponent(MASK), MASK)
}
