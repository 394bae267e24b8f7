// Decides how a change of a column's type affects the column's values. Pure.

const NUMBERS = ['smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision']
const TIMES = ['date', 'timestamp without time zone', 'timestamp with time zone']
const TEXTS = ['character', 'character varying', 'text', 'citext']
const FAMILIES = [NUMBERS, TIMES, TEXTS, ['json', 'jsonb']]
/** The changes between types of one family that lose nothing. Any other change within a family may lose a part of a value. */
const WIDER = new Set([
  'smallint integer',
  'smallint bigint',
  'smallint numeric',
  'smallint real',
  'smallint double precision',
  'integer bigint',
  'integer numeric',
  'integer double precision',
  'bigint numeric',
  'real double precision',
  'date timestamp without time zone',
  'date timestamp with time zone',
  'timestamp without time zone timestamp with time zone',
  'timestamp with time zone timestamp without time zone',
  'character varying text',
  'character varying citext',
  'text citext',
  'citext text',
  'json jsonb',
  'jsonb json',
])

interface Type {
  readonly name: string
  /** The numbers in brackets after the name, e.g. 10 and 2 of `numeric(10,2)`. */
  readonly sizes: readonly number[]
}

/** Whether values of the type `from` may be cut, rounded or refused when they become values of the type `to`. */
export function losesData(from: string, to: string): boolean {
  const [before, after] = [parsed(from), parsed(to)]
  if (before.name === after.name) return isSmaller(before.sizes, after.sizes)
  // Every value can be converted to text without loss.
  if (after.name === 'text') return false
  if (after.name === 'character varying' && after.sizes.length === 0) return false
  return !(WIDER.has(`${before.name} ${after.name}`) && after.sizes.length === 0)
}

/** Returns the text after `using column::`. Types between which Postgres has no cast are converted through text. */
export function conversion(from: string, to: string, isRetyped: boolean): string {
  const [before, after] = [parsed(from).name, parsed(to).name]
  const isCast =
    !isRetyped &&
    (before === after ||
      TEXTS.includes(after) ||
      FAMILIES.some((family) => family.includes(before) && family.includes(after)))
  return isCast ? to : `text::${to}`
}

// A type without a size accepts values of every size.
function isSmaller(before: readonly number[], after: readonly number[]): boolean {
  if (after.length === 0) return false
  if (before.length === 0) return true
  const [precision = 0, scale = 0] = before
  const [otherPrecision = 0, otherScale = 0] = after
  return otherScale < scale || otherPrecision - otherScale < precision - scale
}

function parsed(type: string): Type {
  const sizes = /\(([\d, ]+)\)/.exec(type)?.[1] ?? ''
  return {
    name: type.replace(/\([\d, ]+\)/, ''),
    sizes: sizes === '' ? [] : sizes.split(',').map(Number),
  }
}
