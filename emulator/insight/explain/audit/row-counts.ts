// Counts of visible rows in parts of a large table, and their combination into one count. Pure.
import { SqlError } from '../../../database/engine.ts'
import type { CountedRows } from '../../visibility/numbered-rows.ts'

/** What an identity sees of a table. */
export interface SeenRows {
  readonly rows: number
  /** A number for each row in hexadecimal, sorted; one number for all rows when there are more than `MAX_NUMBERED`. */
  readonly numbers: readonly string[]
}

/** `undefined`: the role may not read the table. */
export type Count = SeenRows | SqlError | undefined

/** Up to this many rows, each row has a number of its own, which identifies a new row. */
export const MAX_NUMBERED = 50

/** The visible rows of a part of a table; none is listed for more than `MAX_NUMBERED` rows. */
export type Part = CountedRows

/** Returns the count of all parts, or the first error if counting a part failed. */
export function joinParts(parts: readonly (Part | SqlError)[]): SeenRows | SqlError {
  const counted: Part[] = []
  for (const part of parts) {
    if (part instanceof SqlError) return part
    counted.push(part)
  }
  const { combined, numbers, rows } = combineParts(counted)
  return { rows, numbers: numbers?.toSorted() ?? [combined] }
}

/** Returns several parts of a table as one. */
export function combineParts(parts: readonly Part[]): Part {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const combined = parts.reduce((all, part) => all ^ BigInt(`0x${part.combined || '0'}`), 0n)
  return {
    rows,
    combined: combined.toString(16),
    numbers: rows > MAX_NUMBERED ? undefined : parts.flatMap(({ numbers }) => numbers ?? []),
  }
}

/** The last 32 bits of a row's number, in hexadecimal. */
export function shortNumber(number: string): string {
  return BigInt.asUintN(64, BigInt(number)).toString(16).slice(-8)
}

/** Pages of a table, `from` included and `to` not. */
export interface PageRange {
  readonly from: number
  readonly to: number
}

/** Rows that one job counts for an identity. */
export const JOB_ROWS = 1_000

/** Splits a table into ranges of pages with about `JOB_ROWS` rows each. */
export function pageRanges(rows: number, pages: number): readonly PageRange[] {
  const step = Math.max(1, Math.floor((pages * JOB_ROWS) / Math.max(1, rows)))
  const count = Math.ceil(pages / step)
  return Array.from({ length: count }, (_, index) => ({
    from: index * step,
    // The last range has no end: rows may have been added since.
    to: index === count - 1 ? MAX_PAGE : (index + 1) * step,
  }))
}

/** The largest number of a page (PostgreSQL, block.h). */
const MAX_PAGE = 4_294_967_294
