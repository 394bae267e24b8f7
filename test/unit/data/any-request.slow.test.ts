import { createRequire } from 'node:module'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../emulator/core/names.ts'
import type { Sql } from '../../../emulator/database/sql.ts'
import { DataError, refusalOf } from '../../../emulator/services/data/errors.ts'
import { planRequest } from '../../../emulator/services/data/plan/plan-request.ts'
import { parseAccept, parseMediaType } from '../../../emulator/services/data/request/media-type.ts'
import { parseRequest } from '../../../emulator/services/data/request/parse-request.ts'
import { readPayload } from '../../../emulator/services/data/request/payload.ts'
import { parsePreferences } from '../../../emulator/services/data/request/preferences.ts'
import { parseRangeHeader } from '../../../emulator/services/data/request/range.ts'
import type { SchemaCache } from '../../../emulator/services/data/schema-cache/schema-cache.ts'
import { tenantSettings } from '../../../emulator/services/data/settings.ts'
import { compilePlan } from '../../../emulator/services/data/sql/compile-plan.ts'
import { type RequestLine, requestLine } from '../../support/request-lines.ts'
import { harmless, hostile } from '../../support/request-words.ts'
import { spoiled } from '../../support/spoiled-lines.ts'
import { type Token, tokensOf } from './sql-tokens.ts'
import { SCHEMA, wordsCache } from './words-cache.ts'

// The seed makes the same request lines in every run. REQUEST_SEED sets another seed.
const SEED = Number(process.env['REQUEST_SEED'] ?? 20_261_121)
const LINES = 100_000
const COMPARED_LINES = 3_000
const PARSED_LINES = 300
// The largest request head that the server reads, in bytes.
const LONGEST_LINE = 16_384
const SLOWEST_MILLIS = 5_000
// The test takes twenty seconds on an idle machine.
const LONG_MILLIS = 300_000

// Turns stack traces off, because most lines are refused and the tests do not check traces.
Error.stackTraceLimit = 0

const settings = { ...tenantSettings(trusted.schemaName(SCHEMA), 8_000), planEnabled: true }
const hostileCache = wordsCache(hostile)
const harmlessCache = wordsCache(harmless)
const decisions = fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 48, size: 'max' })

type Outcome = { readonly statements: readonly Sql[]; readonly kind: string } | DataError

function outcomeOf(line: RequestLine, cache: SchemaCache): Outcome {
  try {
    const headers = new Headers(line.headers)
    const preferences = parsePreferences(headers.get('prefer'), {
      mayEndTransaction: true,
      isTimeZone: () => true,
    })
    const raw = { ...line, headers, body: Buffer.from(line.body) }
    const chosen = { schema: SCHEMA, isNegotiatedByProfile: false }
    const request = parseRequest({ ...raw, chosen, settings }, preferences)
    const plan = planRequest(cache, request, settings)
    if (!('read' in plan)) return { statements: [], kind: plan.kind }
    const { main, explainCount } = compilePlan(plan, preferences, settings)
    return {
      statements: explainCount === undefined ? [main] : [main, explainCount],
      kind: plan.kind,
    }
  } catch (error) {
    if (error instanceof DataError) return error
    throw error
  }
}

function checkRefusal(error: DataError): void {
  const { status, code, message } = refusalOf(error)
  if (status >= 500 || !/^PGRST[12]\d\d$/.test(code) || message === '')
    throw new Error(`not a refusal of a request: ${status} ${code} ${message}`)
}

// Whether a word is the type of a cast. Types are not quoted, because the grammar allows only plain words as types.
function isInCast(tokens: readonly Token[], at: number): boolean {
  let [first, last] = [at, at]
  while (isPartOfType(tokens[first - 1])) first--
  while (isPartOfType(tokens[last + 1])) last++
  return tokens[first]?.text === 'as' && tokens[last + 1]?.text === ')'
}

function isPartOfType(token: Token | undefined): boolean {
  return token !== undefined && (token.kind === 'word' || token.kind === 'number')
}

function checkStatement({ text, params }: Sql): void {
  const tokens = tokensOf(text)
  if (text.includes('\0')) throw new Error(`a NUL in ${text}`)
  for (const [index, { kind, text: found }] of tokens.entries()) {
    if (kind === 'stray') throw new Error(`${found} outside quotes in ${text}`)
    if (kind === 'place' && Number(found.slice(1)) > params.length)
      throw new Error(`${found} has no value in ${text}`)
    if (kind === 'word' && found.includes('qz') && !isInCast(tokens, index))
      throw new Error(`${found} outside quotes in ${text}`)
  }
}

/** Milliseconds to compile or refuse the request line. */
function millisOf(line: RequestLine): number {
  const start = performance.now()
  const outcome = outcomeOf(line, hostileCache)
  const end = performance.now()
  if (outcome instanceof DataError) checkRefusal(outcome)
  else for (const statement of outcome.statements) checkStatement(statement)
  return end - start
}

function nestedLine(
  [before, open, close]: readonly [string, string, string],
  wanted: number,
  isClosed: boolean,
): RequestLine {
  const depth = Math.min(wanted, Math.floor(LONGEST_LINE / (open + close).length))
  const search = before + open.repeat(depth) + close.repeat(isClosed ? depth : 0)
  return { method: 'GET', path: '/qz00%22', search, headers: {}, body: '' }
}

function shapeOf(statement: Sql): string {
  const shown = tokensOf(statement.text).map(({ kind, text }) =>
    (kind === 'name' || kind === 'literal') && text.includes('qz') ? kind : text,
  )
  return shown.join(' ')
}

interface PgParser {
  loadModule(): Promise<void>
  parseSync(text: string): unknown
}

const pgParser = createRequire(import.meta.url)('libpg-query') as PgParser
beforeAll(() => pgParser.loadModule())

// Parses the statement. Returns the syntax tree without positions. All words of the request, which contain `qz`, become equal.
function treeOf(text: string): string {
  try {
    return JSON.stringify(pgParser.parseSync(text), (key, value: unknown) => {
      if (/location$|^stmt_|^list_(start|end)$/.test(key)) return undefined
      return typeof value === 'string' && value.includes('qz') ? 'a word' : value
    })
  } catch (error) {
    return String(error).replace(/qz.*/s, '')
  }
}

describe(`any request (seed ${SEED})`, () => {
  it(
    `is compiled or refused as documented, with its values only in quotes: ${LINES} requests`,
    () => {
      const seen = new Map<string, number>()
      let slowest = 0
      fc.assert(
        fc.property(decisions, (all) => {
          const line = spoiled(requestLine(all, hostile), all.toReversed())
          const start = performance.now()
          const outcome = outcomeOf(line, hostileCache)
          slowest = Math.max(slowest, performance.now() - start)
          if (outcome instanceof DataError) checkRefusal(outcome)
          else for (const statement of outcome.statements) checkStatement(statement)
          const kind = outcome instanceof DataError ? outcome.code : outcome.kind
          seen.set(kind, (seen.get(kind) ?? 0) + 1)
        }),
        { numRuns: LINES, seed: SEED },
      )
      expect(slowest).toBeLessThan(SLOWEST_MILLIS)
      // If all lines were refused, the test would prove nothing.
      for (const kind of ['read', 'mutate', 'call', 'PGRST100', 'PGRST202', 'PGRST102'])
        expect(seen.get(kind), kind).toBeGreaterThan(LINES / 50)
    },
    LONG_MILLIS,
  )

  it('compiles to the same statement when only names and values differ', () => {
    fc.assert(
      fc.property(decisions, (all) => {
        const [one, other] = [
          outcomeOf(requestLine(all, hostile), hostileCache),
          outcomeOf(requestLine(all, harmless), harmlessCache),
        ]
        if (one instanceof DataError || other instanceof DataError) {
          expect(one).toMatchObject({ code: other instanceof DataError ? other.code : 'none' })
          return
        }
        expect(one.statements.map(shapeOf)).toEqual(other.statements.map(shapeOf))
        for (const [index, { params }] of one.statements.entries())
          expect(params.length).toBe(other.statements[index]?.params.length)
      }),
      { numRuns: COMPARED_LINES, seed: SEED },
    )
  })

  it('is parsed by Postgres as the same statement, whatever its names and values', () => {
    let compared = 0
    fc.assert(
      fc.property(decisions, (all) => {
        const [one, other] = [
          outcomeOf(requestLine(all, hostile), hostileCache),
          outcomeOf(requestLine(all, harmless), harmlessCache),
        ]
        if (one instanceof DataError || other instanceof DataError) return
        for (const [index, statement] of one.statements.entries()) {
          const harmlessText = other.statements[index]?.text ?? ''
          if (treeOf(statement.text) !== treeOf(harmlessText))
            throw new Error(`${statement.text}\nis not of the shape of\n${harmlessText}`)
          compared++
        }
      }),
      { numRuns: PARSED_LINES, seed: SEED },
    )
    expect(compared).toBeGreaterThan(PARSED_LINES / 3)
  })

  it.each([
    ['select=', 'qz00(', ')'],
    ['select=', '...qz01(', ')'],
    ['or=(', 'and(', ')'],
    ['or=(', 'a.eq.1,not.or(', ')'],
    ['select=a', '->b', ''],
    ['select=', 'a:', ''],
    ['order=', 'a(', ')'],
    ['', 'a.', 'order=b'],
    ['a=in.', '(', ')'],
    ['a=eq.', '{', '}'],
    ['columns=', '"\\"",', ''],
    ['limit=', '(', ')'],
  ])('is compiled or refused in time at any depth of nesting: %s%s', (...nest) => {
    for (const depth of [1, 30, 300, 3_000, LONGEST_LINE]) {
      expect(millisOf(nestedLine(nest, depth, true))).toBeLessThan(SLOWEST_MILLIS)
      expect(millisOf(nestedLine(nest, depth, false))).toBeLessThan(SLOWEST_MILLIS)
    }
  })
})

describe(`any header and body (seed ${SEED})`, () => {
  const crumbs = fc
    .array(
      fc.oneof(
        fc.constantFrom('text/csv', '/', '*', ';', 'q=', ',', '"', '=', '-', ' ', 'max-affected='),
        fc.constantFrom(
          'timezone=',
          '1',
          '0x',
          '{',
          '}',
          '[',
          ']',
          ':',
          '\\u',
          'd83d',
          'null',
          'a',
        ),
        fc.constantFrom(
          '\n',
          '\r',
          'NULL',
          'for',
          'application/vnd.pgrst.plan',
          '(',
          ')',
          '\ufeff',
        ),
        fc.string({ unit: 'binary', maxLength: 3 }),
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join(''))

  it('is parsed or refused', () => {
    const kinds = ['json', 'csv', 'form', 'text', 'octetStream', 'any'] as const
    const actions = [
      { kind: 'mutate', relation: 'r', mutation: 'insert' },
      { kind: 'mutate', relation: 'r', mutation: 'singleUpsert' },
      { kind: 'call', routine: 'f', method: 'POST' },
    ] as const
    fc.assert(
      fc.property(crumbs, fc.nat(17), fc.uint8Array({ maxLength: 3 }), (text, choice, bytes) => {
        parseAccept(text)
        parseMediaType(text)
        parseRangeHeader(text)
        parsePreferences(text, { mayEndTransaction: true, isTimeZone: () => false })
        const body = Buffer.concat([Buffer.from(text), bytes])
        const [kind, action] = [kinds[choice % 6], actions[choice % 3]]
        if (kind === undefined || action === undefined) return
        try {
          const { columns } = readPayload(body, { kind }, action, undefined)
          expect(columns).toEqual([...new Set(columns)].sort())
        } catch (error) {
          expect(error).toMatchObject({ code: 'PGRST102' })
        }
      }),
      { numRuns: 10_000, seed: SEED },
    )
  })
})
