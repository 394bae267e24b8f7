import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DataError } from '../../../../emulator/services/data/errors.ts'
import { parseQueryString } from '../../../../emulator/services/data/request/query-string.ts'

const parse = (text: string, takesArguments = false) => parseQueryString(text, takesArguments)

function refusal(text: string): { message: string; details: string | undefined } {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof DataError) return { message: error.message, details: error.details }
    throw error
  }
  throw new Error(`${text} was accepted`)
}

describe('select', () => {
  it('reads names, aliases, casts and JSON paths', () => {
    expect(parse('select=id,n:name::text,data->a->>1').query.select).toMatchObject([
      { field: { name: 'id', path: [] }, alias: undefined, cast: undefined },
      { field: { name: 'name' }, alias: 'n', cast: 'text' },
      {
        field: {
          name: 'data',
          path: [
            { arrow: '->', operand: { kind: 'key', key: 'a' } },
            { arrow: '->>', operand: { kind: 'index', index: '+1' } },
          ],
        },
      },
    ])
  })

  it('reads embeds with alias, hint, join and spread, at any depth', () => {
    expect(parse('select=c:clients!fk!inner(id,...town!left(name))').query.select).toMatchObject([
      {
        kind: 'embed',
        relation: 'clients',
        alias: 'c',
        hint: 'fk',
        join: 'inner',
        isSpread: false,
        select: [
          { kind: 'field' },
          { kind: 'embed', relation: 'town', join: 'left', isSpread: true },
        ],
      },
    ])
  })

  it('reads aggregates with casts before and after', () => {
    expect(parse('select=count(),total:price::int.sum()::text').query.select).toMatchObject([
      { field: { name: '*' }, aggregate: 'count' },
      { alias: 'total', cast: 'int', aggregate: 'sum', aggregateCast: 'text' },
    ])
  })

  it('accepts reserved characters in quotes', () => {
    expect(parse('select="a,b":"c.d \\"e\\""').query.select).toMatchObject([
      { alias: 'a,b', field: { name: 'c.d "e"' } },
    ])
  })

  it('selects everything when absent, and nothing when empty', () => {
    expect(parse('').query.select).toMatchObject([{ field: { name: '*' } }])
    expect(parse('select=').query.select).toEqual([])
  })
})

describe('filters', () => {
  it.each([
    ['a=eq.1', { isNegated: false, operation: { operator: 'eq', value: '1' } }],
    ['a=not.neq.1', { isNegated: true, operation: { operator: 'neq' } }],
    ['a=like(any).{x*}', { operation: { operator: 'like', quantifier: 'any', value: '{x*}' } }],
    ['a=gt(all).{1}', { operation: { operator: 'gt', quantifier: 'all' } }],
    ['a=in.(1,"x,y",z)', { operation: { kind: 'in', values: ['1', 'x,y', 'z'] } }],
    ['a=in.()', { operation: { kind: 'in', values: [''] } }],
    ['a=is.NULL', { operation: { kind: 'is', value: 'null' } }],
    ['a=is.not_null', { operation: { kind: 'is', value: 'not_null' } }],
    ['a=isdistinct.x', { operation: { kind: 'isDistinct', value: 'x' } }],
    ['a=wfts(simple).x y', { operation: { operator: 'wfts', language: 'simple', value: 'x y' } }],
    ['a=cs.{1}', { operation: { kind: 'simple', operator: 'cs', value: '{1}' } }],
    ['a=imatch.^x', { operation: { operator: 'imatch', value: '^x' } }],
  ])('reads %s', (text, expected) => {
    expect(parse(text).query.filters[0]?.value).toMatchObject(expected)
  })

  it('addresses embeds by a path of names', () => {
    expect(parse('a.b.c->>d=eq.1').query.filters[0]).toMatchObject({
      path: ['a', 'b'],
      value: { field: { name: 'c', path: [{ arrow: '->>' }] } },
    })
  })

  it('treats values without an operator as arguments when a function is called', () => {
    const { query } = parse('a=1&b=eq.2', true)
    expect(query.arguments).toEqual([['a', '1']])
    expect(query.filters).toHaveLength(1)
  })
})

describe('logic', () => {
  it('reads trees, negated or not', () => {
    expect(parse('or=(a.eq.1,not.and(b.is.null,c.in.(1,2)))').query.logic[0]?.value).toMatchObject({
      connective: 'or',
      members: [{ kind: 'filter' }, { kind: 'group', isNegated: true, connective: 'and' }],
    })
  })

  it('reads a negation in the name of the parameter', () => {
    expect(parse('x.not.or=(a.eq.1)').query.logic[0]).toMatchObject({
      path: ['x'],
      value: { isNegated: true, connective: 'or' },
    })
  })
})

describe('order and bounds', () => {
  it('reads directions, nulls and related columns', () => {
    expect(parse('order=a.desc.nullslast,b(c->d).asc,e.nullsfirst').query.order[0]?.value).toEqual([
      expect.objectContaining({ direction: 'desc', nulls: 'last', relation: undefined }),
      expect.objectContaining({ relation: 'b', direction: 'asc' }),
      expect.objectContaining({ direction: undefined, nulls: 'first' }),
    ])
  })

  it('combines the limit and the offset of one level', () => {
    const { query, rootRange } = parse('limit=5&offset=2&a.limit=3')
    expect(rootRange).toEqual({ lower: 2n, upper: 6n })
    expect(query.ranges).toEqual([{ path: ['a'], value: { lower: 0n, upper: 2n } }])
  })
})

describe('bounds', () => {
  it.each([
    ['limit= 5 ', { lower: 0n, upper: 4n }],
    ['limit=(0x10)', { lower: 0n, upper: 15n }],
    ['limit=- 1', { lower: 0n, upper: -2n }],
    ['limit=1e3', { lower: 0n, upper: undefined }],
    ['limit=x&offset=3', { lower: 3n, upper: 2n }],
    ['offset=x&limit=3', { lower: 0n, upper: 2n }],
    ['limit=1&limit=2', { lower: 0n, upper: 1n }],
    ['limit&offset', { lower: 0n, upper: undefined }],
  ])('reads %s', (text, range) => {
    expect(parse(text).rootRange).toEqual(range)
  })
})

describe('the canonical text', () => {
  it.each([
    ['?b=2&a=1', 'a=1&b=2'],
    ['id=gt.1&a=1&id=lt.5', 'a=1&id=gt.1,lt.5'],
    ['a=(x,y)&b', 'a=%28x%2Cy%29&b='],
    ['a=1&&b=2&', '=&a=1&b=2'],
    ['a=eq.é', 'a=eq.%C3%83%C2%A9'],
    ['a=eq.+%20%zz-_.~', 'a=eq.%20%20%25zz-_.~'],
  ])('is sorted and encoded for %s', (text, canonical) => {
    expect(parse(text, true).query.canonical).toBe(canonical)
  })

  it('drops only the first question mark', () => {
    expect(refusal('??a=1').message).toBe('"failed to parse tree path (?a)" (line 1, column 1)')
  })
})

describe('refusals', () => {
  it.each([
    [
      'a=noop.0',
      '"failed to parse filter (noop.0)" (line 1, column 1)',
      'unexpected "o" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      'select=a(b[])',
      '"failed to parse select parameter (a(b[]))" (line 1, column 4)',
      `unexpected '[' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input`,
    ],
    [
      'order=a.up',
      '"failed to parse order (a.up)" (line 1, column 3)',
      'unexpected "u" expecting "asc", "desc", "nullsfirst" or "nullslast"',
    ],
    [
      'or=()',
      '"failed to parse logic tree (())" (line 1, column 4)',
      'unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)',
    ],
    [
      'a=in.1',
      '"failed to parse filter (in.1)" (line 1, column 4)',
      'unexpected "1" expecting "("',
    ],
    [
      'select=a::',
      '"failed to parse select parameter (a::)" (line 1, column 4)',
      'unexpected end of input expecting letter or digit',
    ],
    [
      'a=%07',
      '"failed to parse filter (\u0007)" (line 1, column 1)',
      'unexpected "\\a" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      'order=a%7f',
      '"failed to parse order (a\u007f)" (line 1, column 2)',
      `unexpected '\\DEL' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input`,
    ],
    [
      "order=a'",
      `"failed to parse order (a')" (line 1, column 2)`,
      `unexpected '\\'' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input`,
    ],
    [
      'a=é.1%0a',
      '"failed to parse filter (é.1\n)" (line 1, column 1)',
      'unexpected "\\233" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      'columns=a,%09%0a%09,',
      '"failed to parse columns parameter (a,\t\n\t,)" (line 1, column 9)',
      'unexpected "\\n" expecting field name (* or [a..z0..9_$])',
    ],
  ])('states the position of the error in %s', (text, message, details) => {
    expect(refusal(text)).toEqual({ message, details })
  })

  it('refuses thousands of nested parentheses', () => {
    expect(refusal(`select=${'a('.repeat(100_000)}`).details).toBe(
      'the text is nested deeper than 100 levels',
    )
  })
})

describe('any query string', () => {
  const crumbs = fc.array(
    fc.oneof(
      fc.constantFrom(
        ...['select=', 'order=', 'or=', 'and=', 'limit=', 'offset=', 'columns=', 'on_conflict='],
        ...[
          'a',
          'b.c',
          '(',
          ')',
          ',',
          '.',
          ':',
          '::',
          '->',
          '->>',
          '!',
          '...',
          '"',
          '\\',
          '*',
          '&',
        ],
        ...[
          'eq',
          'not.',
          'in.',
          'is.',
          'like(any).',
          'fts(x).',
          'count()',
          '.sum()',
          '{',
          '}',
          '%',
        ],
        ...['=', '%00', '%ff', '+', ';', "'", '--', '$1', '$$', '1', '-5', '99999999999999999999'],
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 25 },
  )

  it('is parsed or refused with PGRST100', () => {
    fc.assert(
      fc.property(crumbs, fc.boolean(), (parts, takesArguments) => {
        try {
          parse(parts.join(''), takesArguments)
        } catch (error) {
          expect(error).toBeInstanceOf(DataError)
          expect((error as DataError).code).toBe('PGRST100')
        }
      }),
      { numRuns: 3_000 },
    )
  })
})
