// Parses the address of a page that a sign-in returns to (docs/wire/auth.md#magic-link). A provider adds `?code=`, a magic link
// adds `#access_token=…`, a sign-in that needs a second step adds `#mfa_token=…`, and a refused sign-in adds `?error=`. The
// application itself reads the `#token=` of a password reset.
import { AuthError } from './errors.ts'

export type PageReturn = { readonly cleanUrl: string } & (
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'tokens'; readonly refreshToken: string }
  | {
      readonly kind: 'secondStep'
      readonly mfaToken: string
      readonly factorIds: readonly string[]
    }
  | { readonly kind: 'refusal'; readonly error: AuthError }
)

const QUERY = ['code', 'error', 'error_code', 'error_description']

/** Parses the page's address. Returns `undefined` when the address holds no result of a sign-in. */
export function readReturn(href: string): PageReturn | undefined {
  const url = new URL(href)
  const query = url.searchParams
  const fragment = new URLSearchParams(url.hash.slice(1))
  const code = query.get('code')
  const refreshToken = fragment.get('refresh_token')
  const mfaToken = fragment.get('mfa_required') === 'true' ? fragment.get('mfa_token') : null
  const refusal = query.get('error') ?? fragment.get('error')
  const description = query.get('error_description') ?? fragment.get('error_description')

  const isRefusal = refusal !== null && description !== null
  if (isRefusal || refreshToken !== null || mfaToken !== null) url.hash = ''
  for (const name of QUERY) query.delete(name)
  const cleanUrl = url.href
  if (isRefusal) return { kind: 'refusal', error: new AuthError(refusal, description), cleanUrl }
  if (code !== null) return { kind: 'code', code, cleanUrl }
  if (refreshToken !== null) return { kind: 'tokens', refreshToken, cleanUrl }
  if (mfaToken !== null)
    return { kind: 'secondStep', mfaToken, factorIds: fragment.getAll('factor_id'), cleanUrl }
  return undefined
}
