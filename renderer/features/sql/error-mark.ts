// Where in the editor the last run failed. Pure.
import type { RunState } from './use-runs.ts'

/** Only while the text is still the one that failed. */
export function errorMark(
  run: RunState | undefined,
  text: string,
): { readonly at: number; readonly message: string } | undefined {
  if (run?.kind !== 'answered' || run.answer.error === null) return undefined
  const { position, message } = run.answer.error
  const { piece } = run.order
  const isThere = text.startsWith(piece.text, piece.from)
  return position === null || !isThere ? undefined : { at: piece.from + position - 1, message }
}
