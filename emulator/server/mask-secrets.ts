// Keeps credentials out of logs and journal: query parameters that carry one are shown by their first characters. Pure.

/** Names under which any service takes a credential. */
const CREDENTIALS = new Set([
  'apikey',
  'token',
  'access_token',
  'refresh_token',
  'mfa_token',
  'x-amz-signature',
])
/** Names that are secret in a sign-in alone: a table may have columns called so. */
const OF_SIGN_INS = new Set(['code', 'state', 'code_verifier', 'password', 'new_password'])
/** Characters shown; of a shorter secret, such as a six-digit code, they would be too many. */
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

// As the services read it: `%63ode` is `code`.
function nameOf(text: string): string {
  const [name = ''] = new URLSearchParams(`${text}=`).keys()
  return name.toLowerCase()
}
