// Parser combinators that record what they expected at each position, so that error messages equal PostgREST's. PostgREST uses
// Parsec; expectations are merged by Parsec's documented rules. Pure.
import { shownChar, shownText } from './shown.ts'

const MET = 0
const UNEXPECTED = 1
const WANTED = 2

/** One part of an error message: a character that was unexpected, or the name of what was expected. */
interface Note {
  readonly kind: typeof MET | typeof UNEXPECTED | typeof WANTED
  readonly text: string
}

/** Position and notes of the failure that is furthest into the text. */
interface Flaw {
  readonly at: number
  readonly notes: readonly Note[]
}

/** Returned by a parser that failed. */
export const FAILED: unique symbol = Symbol('failed')
export type Failed = typeof FAILED

/** The text and the state of parsing. `consumed` and `flaw` describe the parser that ran last. */
export interface Scanner {
  readonly text: string
  position: number
  /** Current nesting depth of recursive parsers. */
  depth: number
  consumed: boolean
  flaw: Flaw | undefined
}

export type Parser<T> = (scanner: Scanner) => T | Failed

export interface ParseFailure {
  /** The error's message, for example `"failed to parse filter (x)" (line 1, column 1)`. */
  readonly message: string
  /** The error's details, for example `unexpected "x" expecting "not" or operator (eq, gt, ...)`. */
  readonly details: string
}

export type ParseOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ParseFailure }

/**
 * Maximum nesting depth of groups and JSON paths. PostgREST has no limit. Here the planner, the compiler and Postgres recurse
 * for each level and fail at thousands of levels.
 */
export const MAX_DEPTH = 500

class TooDeep extends Error {
  constructor(levels: number) {
    super(`the text is nested deeper than ${levels} levels`)
  }
}

/** Parses `text` from its start. Ignores remaining text, unless the parser requires the end. */
export function runParser<T>(parser: Parser<T>, sourceName: string, text: string): ParseOutcome<T> {
  const scanner: Scanner = { text, position: 0, depth: 0, consumed: false, flaw: undefined }
  try {
    const value = parser(scanner)
    if (value !== FAILED) return { ok: true, value }
    return { ok: false, failure: describe(scanner, sourceName) }
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    scanner.flaw = undefined
    const { message } = describe(scanner, sourceName)
    return { ok: false, failure: { message, details: error.message } }
  }
}

export function satisfy(accepts: (char: string) => boolean, wanted?: string): Parser<string> {
  const notes = wantedNotes(wanted === undefined ? [] : [wanted])
  return (scanner) => {
    const char = charAt(scanner.text, scanner.position)
    if (char !== '' && accepts(char)) return advance(scanner, char)
    return refuse(scanner, scanner.position, [{ kind: MET, text: char }, ...notes])
  }
}

export function char(expected: string): Parser<string> {
  return satisfy((found) => found === expected, shownText(expected))
}

/** Matches exactly `expected`. A partial match counts as consumed, so `oneOf` does not try the next parser. */
export function word(expected: string): Parser<string> {
  const notes = wantedNotes([shownText(expected)])
  return (scanner) => {
    const start = scanner.position
    let length = 0
    while (length < expected.length && scanner.text[start + length] === expected[length]) length++
    if (length === expected.length) return advance(scanner, expected)
    scanner.consumed = length > 0
    const found = charAt(scanner.text, start + length)
    scanner.flaw = { at: start, notes: [{ kind: MET, text: found }, ...notes] }
    return FAILED
  }
}

/** Reads at least `least` characters that satisfy `accepts`. `wanted` is the name of such a character in errors. */
export function run(
  accepts: (char: string) => boolean,
  least: 0 | 1,
  wanted: readonly string[] = [],
): Parser<string> {
  const notes = wantedNotes(wanted)
  return (scanner) => {
    const { text, position: start } = scanner
    let end = start
    let next = charAt(text, end)
    while (next !== '' && accepts(next)) {
      end += next.length
      next = charAt(text, end)
    }
    scanner.position = end
    scanner.consumed = end > start
    scanner.flaw = { at: end, notes: [{ kind: MET, text: next }, ...notes] }
    return end - start < least ? FAILED : text.slice(start, end)
  }
}

type Values<P extends readonly Parser<unknown>[]> = {
  -readonly [K in keyof P]: P[K] extends Parser<infer T> ? T : never
}

/** Runs all parsers in order, and combines their values. */
export function sequence<const P extends readonly Parser<unknown>[], R>(
  parsers: P,
  combine: (...values: Values<P>) => R,
): Parser<R> {
  return (scanner) => {
    const values: unknown[] = []
    let consumed = false
    let flaw: Flaw | undefined
    for (const parser of parsers) {
      const value = parser(scanner)
      flaw = scanner.consumed ? scanner.flaw : furthest(flaw, scanner.flaw)
      consumed ||= scanner.consumed
      scanner.consumed = consumed
      scanner.flaw = flaw
      if (value === FAILED) return FAILED
      values.push(value)
    }
    return combine(...(values as unknown as Values<P>))
  }
}

/** Returns the first success. Stops at a parser that fails after it consumed text; wrap it in `attempt` to continue. */
export function oneOf<T>(...parsers: readonly Parser<T>[]): Parser<T> {
  return (scanner) => {
    const start = scanner.position
    let flaw: Flaw | undefined
    for (const parser of parsers) {
      scanner.position = start
      const value = parser(scanner)
      if (scanner.consumed) return value
      flaw = furthest(flaw, scanner.flaw)
      scanner.flaw = flaw
      if (value !== FAILED) return value
    }
    return FAILED
  }
}

/** Restores the position when the parser fails, so that `oneOf` tries the next parser. */
export function attempt<T>(parser: Parser<T>): Parser<T> {
  return (scanner) => {
    const start = scanner.position
    const value = parser(scanner)
    if (value === FAILED) {
      scanner.position = start
      scanner.consumed = false
    }
    return value
  }
}

/** Runs the parser without consuming text. */
export function ahead<T>(parser: Parser<T>): Parser<T> {
  return (scanner) => {
    const start = scanner.position
    const value = parser(scanner)
    if (value === FAILED) return FAILED
    scanner.position = start
    scanner.consumed = false
    scanner.flaw = undefined
    return value
  }
}

/** Sets the name that errors show as expected, if the parser failed without consuming text. */
export function named<T>(parser: Parser<T>, name: string): Parser<T> {
  return (scanner) => {
    const value = parser(scanner)
    if (scanner.consumed || (value !== FAILED && scanner.flaw === undefined)) return value
    const { at, notes } = scanner.flaw ?? { at: scanner.position, notes: [] }
    const others = notes.filter((note) => note.kind !== WANTED)
    scanner.flaw = { at, notes: [{ kind: WANTED, text: name }, ...others] }
    return value
  }
}

export function succeed<T>(value: T): Parser<T> {
  return (scanner) => {
    scanner.consumed = false
    scanner.flaw = undefined
    return value
  }
}

/** Returns `fallback` if the parser fails without consuming text. */
export function option<T, F>(parser: Parser<T>, fallback: F): Parser<T | F> {
  return oneOf<T | F>(parser, succeed(fallback))
}

export function many<T>(parser: Parser<T>): Parser<T[]> {
  return (scanner) => {
    const values: T[] = []
    let consumed = false
    for (;;) {
      const start = scanner.position
      const value = parser(scanner)
      if (value === FAILED) {
        if (scanner.consumed) return FAILED
        scanner.position = start
        scanner.consumed = consumed
        return values
      }
      // Prevents an endless loop if the parser succeeds without consuming text. No parser of this grammar does.
      if (scanner.position === start) return values
      consumed = true
      values.push(value)
    }
  }
}

/** Like `many`, and refuses more than `MAX_DEPTH` values, because each value is one level of nesting. */
export function manyLevels<T>(parser: Parser<T>): Parser<T[]> {
  return map(many(parser), (values) => {
    if (values.length > MAX_DEPTH) throw new TooDeep(MAX_DEPTH)
    return values
  })
}

/** Parses one or more values with a separator between them. */
export function separated<T>(parser: Parser<T>, separator: Parser<unknown>): Parser<T[]> {
  const rest = many(sequence([separator, parser], (_, value) => value))
  return sequence([parser, rest], (first, others) => [first, ...others])
}

export function map<T, R>(parser: Parser<T>, change: (value: T) => R): Parser<R> {
  return (scanner) => {
    const value = parser(scanner)
    return value === FAILED ? FAILED : change(value)
  }
}

/** Fails if the value does not satisfy the condition. Adds no expectation to the error. */
export function filter<T>(parser: Parser<T>, accepts: (value: T) => boolean): Parser<T> {
  return (scanner) => {
    const value = parser(scanner)
    return value === FAILED || accepts(value) ? value : FAILED
  }
}

/** Fails if `parser` succeeds. The error's position is after the text that `parser` read. */
export function notFollowedBy(parser: Parser<string>): Parser<undefined> {
  return (scanner) => {
    const start = scanner.position
    const value = parser(scanner)
    const after = scanner.position
    scanner.position = start
    if (value === FAILED) {
      scanner.consumed = false
      return undefined
    }
    return refuse(scanner, after, [{ kind: UNEXPECTED, text: value }])
  }
}

export const endOfInput: Parser<undefined> = (scanner) => {
  const found = charAt(scanner.text, scanner.position)
  const wanted: Note = { kind: WANTED, text: 'end of input' }
  if (found !== '')
    return refuse(scanner, scanner.position, [wanted, { kind: UNEXPECTED, text: found }])
  scanner.consumed = false
  scanner.flaw = { at: scanner.position, notes: [wanted, { kind: MET, text: '' }] }
  return undefined
}

/** Builds the parser on first use, so that it can refer to itself. Refuses text nested deeper than `levels`. */
export function lazy<T>(build: () => Parser<T>, levels: number): Parser<T> {
  let parser: Parser<T> | undefined
  return (scanner) => {
    parser ??= build()
    scanner.depth += 1
    if (scanner.depth > levels) throw new TooDeep(levels)
    const value = parser(scanner)
    scanner.depth -= 1
    return value
  }
}

function charAt(text: string, index: number): string {
  const unit = text.charCodeAt(index)
  const isPair = unit >= 0xd800 && unit <= 0xdbff
  return isPair ? String.fromCodePoint(text.codePointAt(index) ?? unit) : text.charAt(index)
}

function advance(scanner: Scanner, text: string): string {
  scanner.position += text.length
  scanner.consumed = true
  scanner.flaw = undefined
  return text
}

function refuse(scanner: Scanner, at: number, notes: readonly Note[]): Failed {
  scanner.consumed = false
  scanner.flaw = { at, notes }
  return FAILED
}

function wantedNotes(names: readonly string[]): readonly Note[] {
  return names.map((text) => ({ kind: WANTED, text }))
}

function furthest(first: Flaw | undefined, second: Flaw | undefined): Flaw | undefined {
  if (first === undefined || first.notes.length === 0) return second ?? first
  if (second === undefined || second.notes.length === 0) return first
  if (first.at > second.at) return first
  if (second.at > first.at) return second
  return { at: first.at, notes: [...first.notes, ...second.notes] }
}

function describe(scanner: Scanner, sourceName: string): ParseFailure {
  const flaw = scanner.flaw ?? { at: scanner.position, notes: [] }
  const { line, column } = placeOf(scanner.text, flaw.at)
  return {
    message: `"${sourceName}" (line ${line}, column ${column})`,
    details: sentence(flaw.notes),
  }
}

function placeOf(text: string, at: number): { line: number; column: number } {
  let line = 1
  let column = 1
  for (const each of text.slice(0, at)) {
    if (each === '\n') {
      line++
      column = 1
    } else if (each === '\t') column += 8 - ((column - 1) % 8)
    else column++
  }
  return { line, column }
}

function sentence(notes: readonly Note[]): string {
  const textsOf = (kind: Note['kind']) =>
    notes.filter((note) => note.kind === kind).map((note) => note.text)
  if (notes.length === 0) return 'unknown parse error'
  const unexpected = textsOf(UNEXPECTED).map(shownChar)
  const found = textsOf(MET)[0]
  const parts = [
    unexpected.length > 0 || found === undefined
      ? ''
      : `unexpected ${found === '' ? 'end of input' : shownText(found)}`,
    phrase('unexpected', unexpected),
    phrase('expecting', textsOf(WANTED)),
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function phrase(start: string, texts: readonly string[]): string {
  const distinct = [...new Set(texts)].filter((text) => text !== '')
  const last = distinct.at(-1)
  if (last === undefined) return ''
  if (distinct.length === 1) return `${start} ${last}`
  return `${start} ${distinct.slice(0, -1).join(', ')} or ${last}`
}
