// Masks secrets in recorded bodies (JSON and forms), and puts them back into a body that the user edited. Works on text, because
// a recorded body may be cut off. Pure.

/** Members that contain credentials in the requests and answers of every service. */
export const SECRETS: readonly string[] = [
  'password',
  'new_password',
  'current_password',
  'access_token',
  'refresh_token',
  'id_token',
  'mfa_token',
  'token',
  'apikey',
  'api_key',
  'group_api_key',
  'client_secret',
  'secret',
]
/** Members of requests that sign in. In other bodies they may be columns, or the code of an error. */
export const SECRETS_OF_SIGN_INS: readonly string[] = [
  'code',
  'state',
  'code_verifier',
  'code_challenge',
  'otp',
]
/** Number of characters to show of a secret. A secret shorter than `SHORT` is masked completely. */
const SHOWN = 8
const SHORT = 24

/** Masks the secrets of a body: `{"password":"…"}`. */
export function maskBody(text: string, isSignIn: boolean): string {
  return replaceSecrets(text, isSignIn, (_name, value) => masked(value))
}

/** Replaces each masked secret of `edited` by the secret of `recorded` that it masks. */
export function unmaskBody(edited: string, recorded: string, isSignIn: boolean): string {
  const known = new Map<string, string[]>()
  replaceSecrets(recorded, isSignIn, (name, value) => {
    known.set(name, [...(known.get(name) ?? []), value])
    return value
  })
  return replaceSecrets(edited, isSignIn, (name, value) => {
    const values = known.get(name) ?? []
    const place = values.findIndex((secret) => masked(secret) === value)
    return place < 0 ? value : (values.splice(place, 1)[0] ?? value)
  })
}

function masked(value: string): string {
  return `${value.length < SHORT ? '' : value.slice(0, SHOWN)}…`
}

// A value without its closing quote is the end of a body that was cut off.
function replaceSecrets(
  text: string,
  isSignIn: boolean,
  replace: (name: string, value: string) => string,
): string {
  const { json, form } = isSignIn ? SIGN_IN_PATTERNS : PATTERNS
  const shown = (before: string, name: string, value: string) =>
    before + (value === '' ? value : replace(name, value))
  if (/^\s*[[{]/.test(text))
    return text.replace(json, (_all, before: string, name: string, value: string) =>
      shown(before, name.toLowerCase(), value),
    )
  return text.replace(form, (_all, before: string, name: string, value: string) =>
    shown(before, name.toLowerCase(), value),
  )
}

const PATTERNS = patternsOf(SECRETS)
const SIGN_IN_PATTERNS = patternsOf([...SECRETS, ...SECRETS_OF_SIGN_INS])

function patternsOf(names: readonly string[]): { readonly json: RegExp; readonly form: RegExp } {
  const any = names.join('|')
  return {
    json: new RegExp(`("(${any})"\\s*:\\s*")((?:[^"\\\\]|\\\\.)*)`, 'gi'),
    form: new RegExp(`((?:^|(?<=&))(${any})=)([^&]*)`, 'gi'),
  }
}
