import { beforeAll, describe, expect, it } from 'vitest'
import { loadSqlParser, type SqlParser } from '../../../../emulator/database/sql-parser.ts'
import {
  type Condition,
  splitExpression,
} from '../../../../emulator/insight/explain/policies/split-expression.ts'

let parser: SqlParser
beforeAll(async () => {
  parser = await loadSqlParser()
})

function outline(condition: Condition): unknown {
  if (condition.kind === 'leaf') return condition.text
  return [condition.kind, ...condition.children.map(outline)]
}
const split = (text: string) => splitExpression(parser, text)

describe('splitting an expression', () => {
  it.each([
    ['((a = 1) AND (b = 2))', ['and', 'a = 1', 'b = 2']],
    ['((a = 1) OR (NOT (b AND c)))', ['or', 'a = 1', ['not', ['and', 'b', 'c']]]],
    ["(name = 'x AND y'::text)", "name = 'x AND y'::text"],
    ['(("a AND b" = \'é (\' ::text) AND ok)', ['and', '"a AND b" = \'é (\' ::text', 'ok']],
    [
      '((CASE WHEN (a AND b) THEN c ELSE d END) OR e)',
      ['or', 'CASE WHEN (a AND b) THEN c ELSE d END', 'e'],
    ],
    [
      '(EXISTS ( SELECT 1 FROM m WHERE ((m.a = t.a) AND (m.b = t.b))))',
      'EXISTS ( SELECT 1 FROM m WHERE ((m.a = t.a) AND (m.b = t.b)))',
    ],
    ['((a AND b) IS TRUE)', '(a AND b) IS TRUE'],
    ['(( SELECT f() AS f) AND ok)', ['and', '( SELECT f() AS f)', 'ok']],
    ['true', 'true'],
  ])('gives the expected parts of %s', (text, expected) => {
    expect(outline(split(text))).toEqual(expected)
  })

  it('keeps an unreadable part as one leaf', () => {
    expect(split('((a AND')).toMatchObject({ kind: 'leaf' })
  })
})

describe('a leaf', () => {
  it.each([
    [
      '(owner = auth.uid())',
      '=',
      [
        ['owner', 'row'],
        ['auth.uid()', 'identity'],
      ],
    ],
    [
      "((data ->> 'k'::text) = 'v'::text)",
      '=',
      [
        ["data ->> 'k'::text", 'row'],
        ["'v'::text", 'constant'],
      ],
    ],
    [
      "(role = ANY (ARRAY['a'::text, 'b'::text]))",
      '= ANY',
      [
        ['role', 'row'],
        ["ARRAY['a'::text, 'b'::text]", 'constant'],
      ],
    ],
    [
      "((current_setting('request.jwt.claims'::text, true))::jsonb = data)",
      '=',
      [
        ["(current_setting('request.jwt.claims'::text, true))::jsonb", 'identity'],
        ['data', 'row'],
      ],
    ],
    [
      '(a OPERATOR(extensions.=) b)',
      'OPERATOR(extensions.=)',
      [
        ['a', 'row'],
        ['b', 'row'],
      ],
    ],
    [
      '(a IS DISTINCT FROM b)',
      'IS DISTINCT FROM',
      [
        ['a', 'row'],
        ['b', 'row'],
      ],
    ],
    ['(a IS NOT NULL)', 'IS NOT NULL', [['a', 'row']]],
    [
      '(created_at > now())',
      '>',
      [
        ['created_at', 'row'],
        ['now()', 'expression'],
      ],
    ],
    [
      'is_member(clinic, 3)',
      null,
      [
        ['clinic', 'row'],
        ['3', 'constant'],
      ],
    ],
    ['can_see(patients.*)', null, [['patients.*', 'row']]],
    ['flag', null, []],
  ])('has the operator and the operands of %s', (text, operator, operands) => {
    const leaf = split(text)
    if (leaf.kind !== 'leaf') throw new Error('no leaf')
    expect(leaf.operator).toBe(operator)
    expect(leaf.operands.map((operand) => [operand.text, operand.from])).toEqual(operands)
  })

  it.each([
    ['(EXISTS ( SELECT 1 FROM m))', 'SELECT 1 FROM m', 0],
    ['(a IN ( SELECT m.a FROM m))', 'SELECT m.a FROM m', 1],
    ['(a <> ALL ( SELECT m.a FROM m))', 'SELECT m.a FROM m', 1],
    ['(( SELECT m.a FROM m) = b)', null, 2],
  ])('has the subquery whose rows decide the value of %s', (text, subquery, operands) => {
    const leaf = split(text)
    if (leaf.kind !== 'leaf') throw new Error('no leaf')
    expect([leaf.subquery, leaf.operands.length]).toEqual([subquery, operands])
  })
})
