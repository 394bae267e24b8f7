// Shortens secrets for log and journal. Puts the original secrets back into a body that the user edited. Pure.
import { looksLikeForm } from './bodies/mask-body.ts'
import { maskCsv } from './bodies/mask-csv.ts'
import { maskAddress, maskForm } from './mask-parameters.ts'
import { maskText, mayHaveSecret } from './mask-text.ts'
import { isJson, maskJson, maskValue } from './mask-value.ts'
import { MASK, type Masking, shortened, shortening } from './masking.ts'
import { type SignInScope, scopeOf } from './secret-names.ts'

/** Masks secrets in a path with query: `?token=eyJhbGci…`. */
export function shownTarget(target: string): string {
  return mayHaveSecret(target)
    ? maskAddress(target, shortening(scopeOf(target, 'request')))
    : target
}

/** Masks secrets in an SQL statement or a sentence: `alter role ana password '…'`. */
export function shownText(text: string): string {
  return maskValue(text, shortening())
}

/** A text body, which may be cut off. */
export interface TextBody {
  readonly text: string
  /** The header `Content-Type`. */
  readonly type: string | null
  readonly signIn: SignInScope
}

/** Masks the secrets of a body: `{"password":"…"}`. */
export function shownBody(body: TextBody): string {
  return maskTextBody(body, shortening(body.signIn))
}

function maskTextBody({ text, type }: TextBody, masking: Masking): string {
  if (/^text\/csv\b/i.test(type ?? '')) return maskCsv(text, masking)
  if (looksLikeForm(text)) return maskForm(text, masking)
  if (!/^\s*[[{]/.test(text) || isJson(text)) return maskValue(text, masking)
  // The text is JSON that was cut off or is malformed.
  return maskText(maskJson(text, masking), masking)
}

/** Replaces each masked secret of `edited` by the secret of the recorded body that it masks. */
export function unmaskBody(edited: string, recorded: TextBody): string {
  const { signIn } = recorded
  const known = new Map<string, string[]>()
  const byForm: string[] = []
  maskTextBody(recorded, {
    signIn,
    replace: (secret, name) => {
      if (name === '') byForm.push(secret)
      else if (!secret.endsWith(MASK)) known.set(name, [...(known.get(name) ?? []), secret])
      return shortened(secret)
    },
  })
  const unmasked = maskTextBody(
    { ...recorded, text: edited },
    {
      signIn,
      replace: (value, name) => {
        const secrets = known.get(name) ?? []
        const place = secrets.findIndex((secret) => shortened(secret) === value)
        return place < 0 ? value : (secrets.splice(place, 1)[0] ?? value)
      },
    },
  )
  return withForms(unmasked, byForm)
}

// Equal masked tokens differ only in their order. The secrets are therefore put back only when the text still has all of them.
function withForms(text: string, secrets: readonly string[]): string {
  const masked = [...new Set(secrets.map(shortened))]
  return masked.reduce((unmasked, shown) => {
    const originals = secrets.filter((secret) => shortened(secret) === shown)
    const parts = unmasked.split(shown)
    if (parts.length !== originals.length + 1) return unmasked
    return parts.map((part, place) => part + (originals[place] ?? '')).join('')
  }, text)
}
