import { describe, expect, it } from 'vitest'
import { tokensOf } from './sql-tokens.ts'

const kindsOf = (text: string) => tokensOf(text).map(({ kind }) => kind)

describe('the tokens of a statement', () => {
  it('are names, words, parameters, numbers, literals and signs', () => {
    expect(tokensOf(`select "a""b".c$1, $2 ->> 'it''s' || E'\\'' , 15::é`)).toEqual([
      { kind: 'word', text: 'select' },
      { kind: 'name', text: '"a""b"' },
      { kind: 'sign', text: '.' },
      { kind: 'word', text: 'c$1' },
      { kind: 'sign', text: ',' },
      { kind: 'place', text: '$2' },
      ...['-', '>', '>'].map((text) => ({ kind: 'sign', text })),
      { kind: 'literal', text: `'it''s'` },
      ...['|', '|'].map((text) => ({ kind: 'sign', text })),
      { kind: 'literal', text: `E'\\''` },
      { kind: 'sign', text: ',' },
      { kind: 'number', text: '15' },
      ...[':', ':'].map((text) => ({ kind: 'sign', text })),
      { kind: 'word', text: 'é' },
    ])
  })

  it.each([
    'a -- b',
    'a /* b */',
    'a; b',
    '$$ a $$',
    '$a$ b $a$',
    '"a',
    "'a",
    "'a\\''",
    '1a',
    '\\',
    '{',
  ])('include a stray token for %s', (text) => {
    expect(kindsOf(text)).toContain('stray')
  })
})
