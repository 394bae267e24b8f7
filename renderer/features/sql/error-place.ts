// Finds where a run failed, for the mark in the editor. Pure.
import { failureOf, type RunState } from './run-state.ts'

/** Returns `undefined` after the user has edited the failed text. */
export function errorMark(
  run: RunState | undefined,
  text: string,
): { readonly at: number; readonly message: string } | undefined {
  const failure = failureOf(run)
  if (run === undefined || failure === undefined) return undefined
  const { position, message } = failure
  const { piece } = run.order
  const isThere = text.startsWith(piece.text, piece.from)
  return position === null || !isThere ? undefined : { at: piece.from + position - 1, message }
}
