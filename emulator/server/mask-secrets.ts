// Masks credentials in query parameters before a path is logged or recorded in the journal: only the first characters
// remain. Pure.

/** Parameters in which services accept credentials. */
const CREDENTIALS = new Set([
  'apikey',
  'token',
  'access_token',
  'refresh_token',
  'mfa_token',
  'x-amz-signature',
])
/** Parameters that are secret only in sign-in requests. In other requests they may be names of columns. */
const OF_SIGN_INS = new Set(['code', 'state', 'code_verifier', 'password', 'new_password'])
/** Number of visible characters. Secrets shorter than SHORT, such as six-digit codes, are masked completely. */
const SHOWN = 8
const SHORT = 24

/** Masks secrets in a path with query: `?token=eyJhbGci…`. */
export function maskSecrets(target: string): string {
  const start = target.indexOf('?') + 1
  if (start === 0) return target
  const isSignIn = target.startsWith('/auth/v1/')
  const pairs = target.slice(start).split('&')
  return target.slice(0, start) + pairs.map((pair) => masked(pair, isSignIn)).join('&')
}

function masked(pair: string, isSignIn: boolean): string {
  const [name = '', ...rest] = pair.split('=')
  const value = rest.join('=')
  const isSecret = value !== '' && isSecretName(nameOf(name), isSignIn)
  return isSecret ? `${name}=${value.length < SHORT ? '' : value.slice(0, SHOWN)}…` : pair
}

function isSecretName(name: string, isSignIn: boolean): boolean {
  return CREDENTIALS.has(name) || (isSignIn && OF_SIGN_INS.has(name))
}

const PLAIN = /^[a-z0-9_.-]*$/

// Decodes a name as the services do: `%63ode` is `code`.
function nameOf(text: string): string {
  if (PLAIN.test(text)) return text
  const [name = ''] = new URLSearchParams(`${text}=`).keys()
  return name.toLowerCase()
}
