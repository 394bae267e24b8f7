// Patterns describe what a check expects of a status, header, body or frame. Pure.
import { isJsonObject } from '../../../core/json.ts'

/** One place where an answer differs from its pattern. */
export interface Mismatch {
  /** Such as `body.error.code`. */
  readonly at: string
  readonly expected: string
  readonly got: string
}

/**
 * A value that must be equal, a `RegExp` for strings, a `Matcher`, or an object or array of patterns. An object may have
 * members that its pattern does not name; a member with the pattern `undefined` must be missing.
 */
export type Pattern =
  | string
  | number
  | boolean
  | null
  | undefined
  | RegExp
  | Matcher
  | readonly Pattern[]
  | { readonly [name: string]: Pattern }

/** A pattern with a comparison of its own. */
export class Matcher {
  readonly mismatches: (value: unknown, at: string) => readonly Mismatch[]

  constructor(mismatches: Matcher['mismatches']) {
    this.mismatches = mismatches
  }
}

/** Accepts the values for which `isAccepted` returns true. @param expected describes these values in messages */
export function accepting(expected: string, isAccepted: (value: unknown) => boolean): Matcher {
  return new Matcher((value, at) => (isAccepted(value) ? [] : [mismatch(at, expected, value)]))
}

export const TEXT: Matcher = accepting(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
)
export const NUMBER: Matcher = accepting('a number', (value) => typeof value === 'number')
export const LIST: Matcher = accepting('a list', Array.isArray)
export const OBJECT: Matcher = accepting('an object', isJsonObject)
export const PRESENT: Matcher = accepting('any value', (value) => value !== undefined)
/** Accepts every value, also a missing one. */
export const ANYTHING: Matcher = accepting('any value', () => true)
export const EMPTY: Matcher = accepting('an empty body', (value) => value === undefined)
/** ISO 8601 in UTC with milliseconds (docs/wire/platform.md). */
export const INSTANT: RegExp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
export const UUID: RegExp = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** A signed token with three parts (RFC 7515). */
export const JWT: RegExp = /^[\w-]+\.[\w-]+\.[\w-]+$/
/** PASETO v4.public. */
export const PASETO: RegExp = /^v4\.public\.[\w-]+/

/** Accepts `null`, and every value that matches the pattern. */
export function nullOr(pattern: Pattern): Matcher {
  return new Matcher((value, at) => (value === null ? [] : mismatches(pattern, value, at)))
}

/** Accepts values that match at least one of the patterns. */
export function oneOf(...patterns: readonly Pattern[]): Matcher {
  return new Matcher((value, at) =>
    patterns.some((pattern) => mismatches(pattern, value, at).length === 0)
      ? []
      : [mismatch(at, patterns.map(worded).join(' or '), value)],
  )
}

/** Accepts lists in which every item matches the pattern. @param least the smallest number of items */
export function listOf(pattern: Pattern, least = 0): Matcher {
  return new Matcher((value, at) => {
    if (!Array.isArray(value)) return [mismatch(at, 'a list', value)]
    if (value.length < least) return [mismatch(at, `at least ${least} items`, value)]
    return value.flatMap((item, index) => mismatches(pattern, item, `${at}[${index}]`))
  })
}

/** Accepts lists that contain an item with the pattern. */
export function containing(pattern: Pattern): Matcher {
  return accepting(
    `a list with ${worded(pattern)}`,
    (value) =>
      Array.isArray(value) && value.some((item) => mismatches(pattern, item, '').length === 0),
  )
}

/** Accepts lists in which no item matches the pattern. */
export function lacking(pattern: Pattern): Matcher {
  return accepting(
    `a list without ${worded(pattern)}`,
    (value) =>
      Array.isArray(value) && !value.some((item) => mismatches(pattern, item, '').length === 0),
  )
}

/** Accepts objects with exactly these members. */
export function exactly(members: { readonly [name: string]: Pattern }): Matcher {
  return new Matcher((value, at) => [
    ...mismatches(members, value, at),
    ...(isJsonObject(value) ? Object.keys(value) : [])
      .filter((name) => !Object.hasOwn(members, name))
      .map((name) => ({
        at: `${at}.${name}`,
        expected: 'no such member',
        got: shown(value, name),
      })),
  ])
}

/** Accepts every value except `other`. @param what the other value, for messages */
export function otherThan(other: unknown, what: string): Matcher {
  return accepting(`another value than ${what}`, (value) => value !== other && value !== undefined)
}

/** Accepts numbers from `least` to `most`. */
export function between(least: number, most: number): Matcher {
  return accepting(
    `a number from ${least} to ${most}`,
    (value) => typeof value === 'number' && value >= least && value <= most,
  )
}

/** Returns where a value differs from its pattern. */
export function mismatches(pattern: Pattern, value: unknown, at: string): readonly Mismatch[] {
  if (pattern instanceof Matcher) return pattern.mismatches(value, at)
  if (pattern instanceof RegExp)
    return typeof value === 'string' && pattern.test(value)
      ? []
      : [mismatch(at, worded(pattern), value)]
  if (isPatternList(pattern)) return listMismatches(pattern, value, at)
  if (typeof pattern !== 'object' || pattern === null)
    return pattern === value ? [] : [mismatch(at, worded(pattern), value)]
  if (!isJsonObject(value)) return [mismatch(at, 'an object', value)]
  return Object.entries(pattern).flatMap(([name, member]) =>
    mismatches(member, value[name], `${at}.${name}`),
  )
}

function listMismatches(
  patterns: readonly Pattern[],
  value: unknown,
  at: string,
): readonly Mismatch[] {
  if (!Array.isArray(value)) return [mismatch(at, 'a list', value)]
  if (value.length !== patterns.length)
    return [mismatch(at, `a list of ${patterns.length} items`, value)]
  return patterns.flatMap((pattern, index) => mismatches(pattern, value[index], `${at}[${index}]`))
}

function isPatternList(pattern: Pattern): pattern is readonly Pattern[] {
  return Array.isArray(pattern)
}

function mismatch(at: string, expected: string, value: unknown): Mismatch {
  return { at, expected, got: shown(value) }
}

function shown(value: unknown, name?: string): string {
  const member = name === undefined || !isJsonObject(value) ? value : value[name]
  return member === undefined ? 'nothing' : JSON.stringify(member)
}

/** Describes a pattern for messages. */
function worded(pattern: Pattern): string {
  if (pattern === undefined) return 'nothing'
  if (pattern instanceof RegExp) return `a string like ${pattern}`
  if (pattern instanceof Matcher) return pattern.mismatches(undefined, '')[0]?.expected ?? 'a value'
  return JSON.stringify(pattern, (_, member: unknown) =>
    member instanceof RegExp ? String(member) : member,
  )
}
