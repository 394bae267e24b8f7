// Options of every function that masks text, and the form in which log and journal show a secret. Pure.
import { NO_SIGN_IN, plainName, type SignInScope } from './secret-names.ts'

export interface Masking {
  readonly signIn: SignInScope
  /**
   * Returns the replacement of a secret.
   * @param name of the header, parameter or member; empty for a secret that was recognised by its form
   */
  readonly replace: (secret: string, name: string) => string
  /** Replaces secrets that the caller knows. Default: replaces nothing. */
  readonly known?: (text: string) => string
  /** Further names whose values are masked, normalised by `plainName`. Default: none. */
  readonly named?: ReadonlySet<string>
}

/** Replaces a masked part. */
export const MASK = '…'
/** Number of characters to show of a secret. A secret shorter than `SHORT`, such as a code, is masked completely. */
const SHOWN = 8
const SHORT = 24

/** Returns the form in which log and journal show a secret. A long secret keeps its first characters. */
export function shortened(secret: string): string {
  if (secret.endsWith(MASK)) return secret
  return `${secret.length < SHORT ? '' : secret.slice(0, SHOWN)}${MASK}`
}

/** Returns the masking that shortens each secret. */
export function shortening(signIn: SignInScope = NO_SIGN_IN): Masking {
  return { signIn, replace: shortened }
}

/** Returns whether `named` contains this header, parameter or member. */
export function isNamed({ named }: Masking, name: string): boolean {
  return named !== undefined && named.size > 0 && named.has(plainName(name))
}
