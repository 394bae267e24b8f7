// The type of the target's cases, and stored cases that once failed.
import type { Vsn } from '../../support/realtime-world.ts'

export interface RealtimeCase {
  readonly vsn: Vsn
  /** The text of a frame, or bytes in base64 for a binary frame. The socket's own token replaces `$token`. */
  readonly frames: readonly (
    | { readonly text: string; readonly base64?: never }
    | { readonly base64: string; readonly text?: never }
  )[]
}

export const REALTIME_EXAMPLES: Readonly<Record<string, RealtimeCase>> = {}
