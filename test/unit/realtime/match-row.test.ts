// Filters have the same result as in Postgres, whether the emulator or Postgres evaluates them (docs/wire/realtime.md#filters).
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../emulator/core/names.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import type { RowChange, WatchedTable } from '../../../emulator/database/changes/row-change.ts'
import { cellText, SqlError } from '../../../emulator/database/engine.ts'
import { type Sql, sql, verbatim } from '../../../emulator/database/sql.ts'
import { askConditions } from '../../../emulator/services/realtime/row-changes/match/ask-postgres.ts'
import {
  bindRequest,
  matchRequest,
} from '../../../emulator/services/realtime/row-changes/subscribe/bind-to-table.ts'
import { FILTER_OPERATORS } from '../../../emulator/services/realtime/row-changes/subscribe/change-filter.ts'
import {
  parseChangeRequest,
  SubscriptionError,
} from '../../../emulator/services/realtime/row-changes/subscribe/change-request.ts'
import {
  createTestTenant,
  type OpenedTestEngine,
  openTestEngine,
  runAsOwner,
  runAsRole,
} from '../../support/test-engine.ts'

const SCHEMA = 'proj_filters'
const ROLES = new Set(['anon', 'authenticated', 'service_role'] as const)

let opened: OpenedTestEngine

beforeAll(async () => {
  opened = await openTestEngine()
  await createTestTenant(opened.engine, SCHEMA)
  await runAsOwner(
    opened.engine,
    SCHEMA,
    `create type mood as enum ('low', 'fine', 'high');
     create domain small as integer check (value < 100)`,
  )
})

afterAll(() => opened.engine.close())

function tableOf(sqlType: string): WatchedTable {
  return {
    oid: 1,
    schemaName: trusted.schemaName(SCHEMA),
    name: 'things',
    hasRowSecurity: true,
    columns: [
      { name: 'value', type: 'x', sqlType, isKey: false, isIdentity: false, readers: ROLES },
    ],
    key: [],
    policies: [],
  }
}

function insertOf(table: WatchedTable, text: string | null): RowChange {
  return {
    number: 1,
    table,
    kind: 'INSERT',
    committedAt: epochMillis(0),
    committedWallAt: epochMillis(0),
    row: { texts: [text], jsonOf: () => 'null' },
    wholeOldRow: () => undefined,
    sizeBytes: 0,
  }
}

/** Returns a text in the type's output format; `undefined` when the type refuses the text. */
async function written(sqlType: string, text: string): Promise<string | undefined> {
  const rows = await rowsOf(sql`select format('%s', ${text}::${verbatim(sqlType)})`)
  return rows === undefined ? undefined : cellText(rows[0]?.[0])
}

async function rowsOf(statement: Sql) {
  try {
    const result = await runAsRole(opened.engine, SCHEMA, 'anon', [statement], {
      mode: 'readOnly',
      settings: { search_path: `pg_catalog, extensions, "${SCHEMA}"`, timezone: 'UTC' },
    })
    return result.results[0]?.rows
  } catch (error) {
    if (error instanceof SqlError) return undefined
    throw error
  }
}

const SYMBOLS: Record<string, string> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  like: '~~',
  ilike: '~~*',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
}

/** Returns the result that Postgres computes directly; `undefined` when Postgres refuses the comparison. */
async function oracle(
  sqlType: string,
  operator: string,
  isNegated: boolean,
  values: readonly string[],
  cell: string | null,
): Promise<boolean | undefined> {
  const type = verbatim(sqlType)
  const compared =
    operator === 'in'
      ? sql`${cell}::${type} = any (${arrayOf(values)}::${type}[])`
      : operator === 'is'
        ? sql`${cell}::${type} is ${verbatim(values[0] ?? '')}`
        : sql`${cell}::${type} ${verbatim(SYMBOLS[operator] ?? '')} ${values[0] ?? ''}::${type}`
  const rows = await rowsOf(sql`select (${compared}) is ${verbatim(isNegated ? 'false' : 'true')}`)
  return rows === undefined ? undefined : cellText(rows[0]?.[0]) === 't'
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}

function arrayOf(values: readonly string[]): string {
  return `{${values.map(quoted).join(',')}}`
}

function filterOf(operator: string, isNegated: boolean, values: readonly string[]): string {
  const [first = ''] = values
  const value = operator === 'in' ? `(${values.map(quoted).join(',')})` : quoted(first)
  return `value=${isNegated ? 'not.' : ''}${operator}.${operator === 'is' ? first : value}`
}

async function ours(
  sqlType: string,
  filter: string,
  cell: string | null,
): Promise<boolean | undefined> {
  const table = tableOf(sqlType)
  const request = parseChangeRequest({ schema: SCHEMA, table: 'things', filter })
  const change = insertOf(table, cell)
  try {
    const bound = await bindRequest(opened.engine, request, table, 'anon')
    const match = matchRequest(bound, change)
    if (typeof match === 'boolean') return match
    const questions = match.undecided.map((condition) => ({
      change,
      role: 'anon' as const,
      condition,
    }))
    return (await askConditions(opened.engine, questions)).every((answer) => answer)
  } catch (error) {
    if (error instanceof SubscriptionError) return undefined
    throw error
  }
}

const word = fc.string({
  unit: fc.constantFrom('a', 'B', 'b', 'é', '😀', '\uffee', ' '),
  maxLength: 4,
})
const pattern = fc.string({
  unit: fc.constantFrom('a', 'B', '%', '_', '\\', '.', 'é'),
  maxLength: 5,
})
const whole = fc.bigInt(-(2n ** 31n), 2n ** 31n - 1n).map(String)
const small = fc.integer({ min: -3, max: 3 }).map(String)
const decimal = fc.oneof(
  fc.constantFrom(
    'NaN',
    'Infinity',
    '-Infinity',
    '0',
    '-0',
    '0.10',
    '0.1',
    '1e3',
    '1000',
    '00012.50',
  ),
  fc.tuple(whole, fc.nat(999)).map(([left, right]) => `${left}.${right}`),
)
const moment = fc.oneof(
  fc.constantFrom(
    'infinity',
    '-infinity',
    '0044-03-15 BC',
    '0043-03-15 BC',
    '20000-01-01',
    '1999-12-31 23:59:59.5+02',
  ),
  fc
    .tuple(
      fc.integer({ min: 1990, max: 1993 }),
      fc.integer({ min: 1, max: 12 }),
      fc.nat(23),
      fc.nat(999),
    )
    .map(([year, month, hour, fraction]) => `${year}-${month}-07 ${hour}:00:00.${fraction}`),
)
const TYPES: readonly (readonly [sqlType: string, values: fc.Arbitrary<string>])[] = [
  ['integer', fc.oneof(small, whole)],
  ['bigint', fc.oneof(small, whole)],
  ['numeric', fc.oneof(small, decimal)],
  ['double precision', fc.oneof(small, decimal)],
  ['real', fc.oneof(small, decimal)],
  ['boolean', fc.constantFrom('true', 'no', 't', '0')],
  ['text', fc.oneof(word, pattern)],
  ['character varying', fc.oneof(word, pattern)],
  ['bpchar', fc.oneof(word, pattern)],
  ['name', fc.oneof(word, pattern)],
  ['date', moment],
  ['timestamp without time zone', moment],
  ['timestamp with time zone', moment],
  ['time without time zone', fc.constantFrom('10:00', '10:00:00.25', '23:59:60', '09:59')],
  ['uuid', fc.uuid().map((id) => id.toUpperCase())],
  ['bytea', fc.constantFrom('\\x61', '\\x6162', '\\x', '\\xff', 'abc')],
  ['interval', fc.constantFrom('1 day', '24 hours', '25:00:00', '1 mon', '30 days')],
  ['jsonb', fc.constantFrom('1', '1.0', '{"a":1,"b":2}', '{"b":2,"a":1}', 'null', '"x"')],
  ['json', fc.constantFrom('1', '{"a":1}')],
  ['integer[]', fc.constantFrom('{1,2}', '{1,3}', '{}', '{NULL}')],
  [`"${SCHEMA}"."mood"`, fc.constantFrom('low', 'fine', 'high', 'none')],
  [`"${SCHEMA}"."small"`, fc.constantFrom('1', '2', '99', '100')],
  ['extensions.citext', fc.constantFrom('Ab', 'aB', 'b', 'a%')],
  ['inet', fc.constantFrom('10.0.0.1', '10.0.0.1/32', '10.0.0.0/8')],
]

describe('filters and Postgres agree', () => {
  it.each(TYPES)('on %s', async (sqlType, values) => {
    const arbitrary = fc.record({
      operator: fc.constantFrom(...FILTER_OPERATORS),
      isNegated: fc.boolean(),
      values: fc.array(values, { minLength: 1, maxLength: 3 }),
      keyword: fc.constantFrom('null', 'true', 'false', 'unknown'),
      cell: fc.option(values, { freq: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ operator, isNegated, values: given, keyword, cell }) => {
        const wanted = operator === 'is' ? [keyword] : given
        const text = cell === null ? null : await written(sqlType, cell)
        if (text === undefined) return
        const expected = await oracle(sqlType, operator, isNegated, wanted, text)
        const answer = await ours(sqlType, filterOf(operator, isNegated, wanted), text)
        // The emulator refuses a pattern with a final escape character at once. Postgres refuses it only when the match of a row
        // reaches the character.
        if (answer === undefined && /\\$/.test(wanted[0] ?? '')) return
        expect(answer ?? false).toBe(expected ?? false)
      }),
      { numRuns: 60 },
    )
  })

  it('on lists with NULL elements', async () => {
    const answers = await Promise.all([
      ours('integer', 'value=in.(1,NULL)', '1'),
      ours('integer', 'value=not.in.(2,NULL)', '1'),
      ours('integer', 'value=not.in.()', null),
      ours('integer', 'value=in.()', '1'),
      ours('text', 'value=in.("NULL",x)', 'NULL'),
    ])
    expect(answers).toEqual([true, false, true, false, true])
  })
})

describe('an invalid filter', () => {
  const prefix =
    'Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: '

  it.each([
    ['integer', 'nada=eq.1', 'ERROR P0001 (raise_exception) invalid column for filter nada'],
    [
      'integer',
      'value=eq.abc',
      'ERROR 22P02 (invalid_text_representation) invalid input syntax for type integer: "abc"',
    ],
    [
      'date',
      'value=gt.soon',
      'ERROR 22007 (invalid_datetime_format) invalid input syntax for type date: "soon"',
    ],
    [
      'integer',
      'value=is.true',
      'ERROR P0001 (raise_exception) is true filter requires a boolean column, got integer',
    ],
    [
      'integer',
      'value=is.not_null',
      'ERROR P0001 (raise_exception) invalid value for is filter: must be null, true, false, or unknown',
    ],
    [
      'integer',
      'value=like.1%',
      'ERROR P0001 (raise_exception) operator like requires a text-compatible column type, got integer',
    ],
    [
      'text',
      'value=match.(',
      'ERROR P0001 (raise_exception) invalid regular expression for match filter: invalid regular expression: parentheses () not balanced',
    ],
    [
      'integer',
      `value=in.(${Array.from({ length: 101 }, (_, index) => index).join(',')})`,
      'ERROR P0001 (raise_exception) too many values for `in` filter. Maximum 100',
    ],
  ])('is refused for the type %s: %s', async (sqlType, filter, exception) => {
    const request = parseChangeRequest({ event: 'INSERT', schema: 's', table: 'things', filter })
    const binding = bindRequest(opened.engine, request, tableOf(sqlType), 'anon')
    const error = await binding.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SubscriptionError)
    const { message } = error as SubscriptionError
    expect(
      message.startsWith(`${prefix}[event: INSERT, schema: s, table: things, filters: [{"`),
    ).toBe(true)
    expect(message.endsWith(`, false}], select: nil]. Exception: ${exception}`)).toBe(true)
  })

  it('is refused when the role may not read the filtered column', async () => {
    const table = tableOf('integer')
    const hidden = {
      ...table,
      columns: table.columns.map((column) => ({ ...column, readers: new Set<'anon'>() })),
    }
    const request = parseChangeRequest({ schema: 's', table: 'things', filter: 'value=eq.1' })
    await expect(bindRequest(opened.engine, request, hidden, 'anon')).rejects.toThrow(
      'invalid column for filter value',
    )
  })
})
