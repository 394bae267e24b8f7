// What every mask of a text needs to know, and how the log and the journal show a secret. Pure.
import { NO_SIGN_IN, plainName, type SignInScope } from './secret-names.ts'

export interface Masking {
  readonly signIn: SignInScope
  /**
   * Returns what replaces a secret.
   * @param name of the header, parameter or member, and empty for a secret that its form shows
   */
  readonly replace: (secret: string, name: string) => string
  /** Replaces secrets that are known from elsewhere. Default: none. */
  readonly known?: (text: string) => string
  /** Further names to mask, as `plainName` writes them. Default: none. */
  readonly named?: ReadonlySet<string>
}

/** Replaces a masked part. */
export const MASK = '…'
/** Number of characters to show of a secret. A secret shorter than `SHORT`, such as a code, is masked completely. */
const SHOWN = 8
const SHORT = 24

/** Returns the form in which log and journal show a secret: its first characters, when it is long. */
export function shortened(secret: string): string {
  if (secret.endsWith(MASK)) return secret
  return `${secret.length < SHORT ? '' : secret.slice(0, SHOWN)}${MASK}`
}

/** Shortens each secret. */
export function shortening(signIn: SignInScope = NO_SIGN_IN): Masking {
  return { signIn, replace: shortened }
}

/** Returns whether the user named this header, parameter or member. */
export function isNamed({ named }: Masking, name: string): boolean {
  return named !== undefined && named.size > 0 && named.has(plainName(name))
}
