// What differs between an answer of the recording and the answer of the replay. Pure.

import type { DifferenceKind } from '../../../contract/comparisons.ts'
import { shortened } from '../../../core/printable.ts'

export interface Difference {
  readonly kind: DifferenceKind
  /** The place of the difference, such as `status`, `header content-range`, `body[1].name` or `event 3 payload.status`. */
  readonly at: string
  /** The recorded value as text, at most 200 characters; `null` when it is absent. */
  readonly recorded: string | null
  readonly replayed: string | null
}

/** Maximum length of a value in a difference, in characters. */
const SHOWN = 200

/** @param recorded `undefined` when absent */
export function difference(
  kind: DifferenceKind,
  at: string,
  recorded: unknown,
  replayed: unknown,
): Difference {
  return { kind, at, recorded: shown(recorded), replayed: shown(replayed) }
}

function shown(value: unknown): string | null {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return shortened(text, SHOWN)
}
