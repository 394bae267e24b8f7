// A case of this target, and those that failed once.
import type { Vsn } from '../../support/realtime-world.ts'

export interface RealtimeCase {
  readonly vsn: Vsn
  /** Text as it goes out, or bytes in base64 for a binary frame. `$token` becomes the socket's own token. */
  readonly frames: readonly (
    | { readonly text: string; readonly base64?: never }
    | { readonly base64: string; readonly text?: never }
  )[]
}

export const REALTIME_EXAMPLES: Readonly<Record<string, RealtimeCase>> = {}
