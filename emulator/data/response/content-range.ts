// Computes `Content-Range` and the matching status (RFC 9110 §14; PostgREST, "Pagination", "Counting"). Pure.
import type { Range } from '../request/range.ts'

export interface PageHead {
  readonly status: 200 | 206 | 416
  readonly contentRange: string
}

/**
 * Computes status and header of a page.
 * @param total `undefined` when the request did not ask for a count
 */
export function pageHead(range: Range, rowCount: number, total: number | undefined): PageHead {
  const lower = range.lower
  const upper = lower + BigInt(rowCount) - 1n
  return {
    status: statusOf(lower, rowCount, total),
    contentRange: contentRange(lower, upper, total),
  }
}

/** Formats `0-9/100`. Prints an empty page and an unknown total as `*`. */
export function contentRange(
  lower: bigint | number,
  upper: bigint | number,
  total: number | undefined,
): string {
  const rows = total !== 0 && lower <= upper ? `${lower}-${upper}` : '*'
  return `${rows}/${total ?? '*'}`
}

function statusOf(lower: bigint, rowCount: number, total: number | undefined): PageHead['status'] {
  if (total === undefined) return 200
  if (lower > BigInt(total)) return 416
  return rowCount < total ? 206 : 200
}
