// Finds where a run failed: the line of the text, and the mark in the editor. Pure.
import { failureOf, type RunState } from './run-state.ts'

export interface Line {
  /** The line's number, where the first line has number 1. */
  readonly line: number
  readonly column: number
  readonly text: string
}

/** @param offset 0-based; an offset beyond the text counts as its end */
export function lineOf(text: string, offset: number): Line {
  const at = Math.min(Math.max(0, offset), text.length)
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  return {
    line: text.slice(0, at).split('\n').length,
    column: at - start + 1,
    text: text.slice(start, end === -1 ? text.length : end),
  }
}

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
