// Compares values of a type by their texts in Postgres's format (ISO dates, UTC, hex bytes, `C` collation). For types that
// cannot be compared as text, ask-postgres.ts queries Postgres. Pure.

/** Returns a negative number, zero or a positive number; `undefined` when a text has an unexpected form. */
export type CellOrder = (one: string, other: string) => number | undefined

const ORDERS: Readonly<Record<string, CellOrder>> = {
  smallint: byDecimal,
  integer: byDecimal,
  bigint: byDecimal,
  oid: byDecimal,
  numeric: byDecimal,
  real: byFloat,
  'double precision': byFloat,
  boolean: byText,
  uuid: byText,
  bytea: byText,
  'time without time zone': byText,
  text: byCodePoint,
  name: byCodePoint,
  'character varying': byCodePoint,
  bpchar: byPaddedText,
  date: byMoment,
  'timestamp without time zone': byMoment,
  'timestamp with time zone': byMoment,
}

/**
 * Returns the comparison function of a type.
 * @param sqlType the type's name as `format_type` returns it, without modifiers
 */
export function cellOrderOf(sqlType: string): CellOrder | undefined {
  return ORDERS[sqlType]
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

// UTF-8 sorts by code point. UTF-16 would sort code points above U+FFFF before U+E000.
function byCodePoint(one: string, other: string): number {
  if (one === other) return 0
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  if (at === length) return one.length - other.length
  const left = one.charCodeAt(at)
  const right = other.charCodeAt(at)
  const isLeftPaired = left >= 0xd800 && left < 0xe000
  const isRightPaired = right >= 0xd800 && right < 0xe000
  if (isLeftPaired === isRightPaired) return left - right
  return isLeftPaired ? 1 : -1
}

// `character(n)` ignores trailing blanks.
function byPaddedText(one: string, other: string): number {
  return byCodePoint(one.replace(/ +$/, ''), other.replace(/ +$/, ''))
}

// In Postgres, NaN equals NaN and is greater than every other number.
function byFloat(one: string, other: string): number | undefined {
  const left = Number(one)
  const right = Number(other)
  if (one === '' || other === '') return undefined
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(one === 'NaN') - Number(other === 'NaN')
  return left < right ? -1 : left > right ? 1 : 0
}

const DECIMAL = /^(-?)0*(\d*)(?:\.(\d*?)0*)?$/
const SPECIAL: Readonly<Record<string, number>> = { '-Infinity': -1, Infinity: 1, NaN: 2 }

function byDecimal(one: string, other: string): number | undefined {
  const left = decimalOf(one)
  const right = decimalOf(other)
  if (left === undefined || right === undefined) return undefined
  if (left.rank !== right.rank) return left.rank - right.rank
  if (left.sign !== right.sign) return left.sign - right.sign
  return left.sign * byMagnitude(left, right)
}

interface Decimal {
  /** The rank of finite numbers is 0. Other ranks sort infinities and NaN in Postgres's order. */
  readonly rank: number
  readonly sign: number
  readonly whole: string
  readonly fraction: string
}

function decimalOf(text: string): Decimal | undefined {
  const rank = SPECIAL[text]
  if (rank !== undefined) return { rank, sign: 0, whole: '', fraction: '' }
  const [found, minus, whole = '', fraction = ''] = DECIMAL.exec(text) ?? []
  if (found === undefined) return undefined
  const isZero = whole === '' && fraction === ''
  return { rank: 0, sign: isZero ? 0 : minus === '-' ? -1 : 1, whole, fraction }
}

function byMagnitude(one: Decimal, other: Decimal): number {
  if (one.whole.length !== other.whole.length) return one.whole.length - other.whole.length
  return byText(one.whole, other.whole) || byText(one.fraction, other.fraction)
}

const MOMENT = /^(\d{4,})(-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?)?)(?:\+00)?( BC)?$/
const INFINITE: Readonly<Record<string, number>> = { '-infinity': -1, infinity: 1 }

function byMoment(one: string, other: string): number | undefined {
  const left = momentOf(one)
  const right = momentOf(other)
  if (left === undefined || right === undefined) return undefined
  return left.rank - right.rank || left.year - right.year || byText(left.rest, right.rest)
}

interface Moment {
  readonly rank: number
  /** The year is negative for years BC. */
  readonly year: number
  readonly rest: string
}

function momentOf(text: string): Moment | undefined {
  const rank = INFINITE[text]
  if (rank !== undefined) return { rank, year: 0, rest: '' }
  const [found, year, rest = '', era] = MOMENT.exec(text) ?? []
  if (found === undefined) return undefined
  return { rank: 0, year: era === undefined ? Number(year) : -Number(year), rest }
}
