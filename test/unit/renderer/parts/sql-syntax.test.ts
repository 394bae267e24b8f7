import { describe, expect, it } from 'vitest'
import {
  prettyCondition,
  sqlTokens,
  withoutOuterParentheses,
} from '../../../../renderer/parts/sql-syntax.ts'

describe('tokens of SQL', () => {
  it('keep every character', () => {
    const sql = `create policy "a b" on t using (x = 'it''s' and y->>'k' <> $$a$$) -- why\n`
    expect(
      sqlTokens(sql)
        .map(({ text }) => text)
        .join(''),
    ).toBe(sql)
  })

  it('distinguish keywords, names and values', () => {
    const kinds = sqlTokens(`SELECT my_role('x', 1) FROM patients`)
      .filter(({ kind }) => kind !== 'space' && kind !== 'sign')
      .map(({ kind, text }) => `${kind} ${text}`)
    expect(kinds).toEqual([
      'keyword SELECT',
      'name my_role',
      `value 'x'`,
      'value 1',
      'keyword FROM',
      'name patients',
    ])
  })
})

describe('quoted text in SQL', () => {
  it.each(["'a;b'", '$$a;b$$', '$x$ begin; end $x$', "E'a\\';b'"])('is one token: %s', (text) => {
    expect(sqlTokens(text)).toEqual([{ kind: 'value', text }])
  })
})

describe('displayed conditions', () => {
  it.each([
    ['(a = b)', 'a = b'],
    ['((a = 1))', 'a = 1'],
    ['(a) OR (b)', '(a) OR (b)'],
    [`(x = ')')`, `x = ')'`],
  ])('have no outer parentheses: %s', (text, bare) => {
    expect(withoutOuterParentheses(text)).toBe(bare)
  })

  it('have a line break only before an outer AND or OR', () => {
    expect(prettyCondition('((a = 1) AND ((b = 2) OR (c = 3)) AND d)')).toBe(
      '(a = 1)\nAND ((b = 2) OR (c = 3))\nAND d',
    )
  })

  it('have no line break before the AND of BETWEEN or CASE', () => {
    expect(prettyCondition('a BETWEEN 1 AND 2 AND CASE WHEN x AND y THEN true END')).toBe(
      'a BETWEEN 1 AND 2\nAND CASE WHEN x AND y THEN true END',
    )
  })
})
