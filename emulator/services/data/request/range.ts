// Combines `limit`, `offset` and the `Range` header into one interval of rows (PostgREST, "Pagination"). Uses big integers,
// because callers may send numbers of any length.

export interface Range {
  readonly lower: bigint
  /** Index of the last row, inclusive. `undefined` selects all rows from `lower` on. */
  readonly upper: bigint | undefined
}

export const ALL_ROWS: Range = { lower: 0n, upper: undefined }
/** The range of `limit=0`, which is valid although its page is empty. */
export const NO_ROWS: Range = { lower: 0n, upper: -1n }
const EMPTY: Range = { lower: 0n, upper: -2n }

export function isEmptyRange(range: Range): boolean {
  return range.upper !== undefined && range.upper < range.lower
}

export function isAllRows(range: Range): boolean {
  return range.lower === 0n && range.upper === undefined
}

export function isLimitZero(range: Range): boolean {
  return range.upper === -1n
}

export function intersect(first: Range, second: Range): Range {
  if (isEmptyRange(first) || isEmptyRange(second)) return EMPTY
  const lower = laterOf(first.lower, second.lower)
  if (first.upper === undefined) return { lower, upper: second.upper }
  if (second.upper === undefined) return { lower, upper: first.upper }
  return { lower, upper: min(first.upper, second.upper) }
}

/** Reduces the range to its first `count` rows. */
export function restrict(range: Range, count: bigint | undefined): Range {
  if (count === undefined) return range
  const upper = range.lower + count - 1n
  if (isEmptyRange(range)) return EMPTY
  return { lower: range.lower, upper: min(range.upper, upper) }
}

export function limitOf(range: Range): bigint | undefined {
  return range.upper === undefined ? undefined : 1n + range.upper - range.lower
}

/** Returns the range that the texts of `limit` and `offset` describe. */
export function rangeOf(limit: string | undefined, offset: string | undefined): Range {
  const count = readInteger(limit)
  if (offset === undefined) return count === undefined ? ALL_ROWS : { lower: 0n, upper: count - 1n }
  const lower = readInteger(offset) ?? 0n
  if (limit === undefined) return { lower, upper: undefined }
  return { lower, upper: lower + (count ?? 0n) - 1n }
}

const INTEGER = /^(?:(-)\s*)?([0-9]{1,400}|0[xX][0-9a-fA-F]{1,400}|0[oO][0-7]{1,400})$/

/** Parses an integer like PostgREST: spaces and parentheses around it, and a `0x` or `0o` prefix, are allowed. */
export function readInteger(text: string | undefined): bigint | undefined {
  let inner = (text ?? '').trim()
  while (inner.startsWith('(') && inner.endsWith(')')) inner = inner.slice(1, -1).trim()
  const [, sign, digits] = INTEGER.exec(inner) ?? []
  if (digits === undefined) return undefined
  return sign === '-' ? -BigInt(digits) : BigInt(digits)
}

/** Parses a `Range` header. An invalid header selects all rows. */
export function parseRangeHeader(header: string | null): Range {
  const match = /^([0-9]+)-([0-9]*)$/.exec(header ?? '')
  if (match?.[1] === undefined) return ALL_ROWS
  const upper = match[2] === undefined || match[2] === '' ? undefined : BigInt(match[2])
  const lower = BigInt(match[1])
  return upper !== undefined && upper < lower ? EMPTY : { lower, upper }
}

function laterOf(first: bigint, second: bigint): bigint {
  if (first > second) return first
  return second
}

function min(first: bigint | undefined, second: bigint): bigint {
  return first === undefined || first > second ? second : first
}
