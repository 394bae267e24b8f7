// The grammar of postgres_changes filters (docs/wire/realtime.md#filters).
import { postgresChangesFilter } from '@supabase/realtime-js'
import { describe, expect, it } from 'vitest'
import {
  type Condition,
  parseFilter,
} from '../../../emulator/services/realtime/row-changes/subscribe/change-filter.ts'

function conditionsOf(text: string): readonly Condition[] {
  const parsed = parseFilter(text)
  if (parsed.kind === 'malformed') throw new Error(parsed.reason)
  return parsed.conditions
}

function condition(column: string, operator: string, value: string, isNegated = false): Condition {
  return { column, operator, value, isNegated } as Condition
}

describe('parseFilter', () => {
  it.each([
    ['id=eq.1', [condition('id', 'eq', '1')]],
    ['id=not.eq.1', [condition('id', 'eq', '1', true)]],
    ['id=gt.1,id=lt.9', [condition('id', 'gt', '1'), condition('id', 'lt', '9')]],
    ['a=in.(x,"y,z"),b=is.null', [condition('a', 'in', '{x,"y,z"}'), condition('b', 'is', 'null')]],
    ['a=not.in.(1,2)', [condition('a', 'in', '{1,2}', true)]],
    ['a=in.()', [condition('a', 'in', '{}')]],
    ['a=eq."x,y"', [condition('a', 'eq', 'x,y')]],
    ['a=eq."say \\"hi\\" \\\\"', [condition('a', 'eq', 'say "hi" \\')]],
    ['a=eq.x"y', [condition('a', 'eq', 'x"y')]],
    ['a=eq."x"y', [condition('a', 'eq', '"x"y')]],
    ['a=eq.1.5', [condition('a', 'eq', '1.5')]],
    ['a=eq.x=y', [condition('a', 'eq', 'x=y')]],
    ['a=eq.', [condition('a', 'eq', '')]],
    ['  a=eq.1 , b=eq.2 ', [condition('a', 'eq', '1'), condition('b', 'eq', '2')]],
    ['', []],
    ['   ', []],
  ])('reads %s', (text, expected) => {
    expect(conditionsOf(text)).toEqual(expected)
  })

  it.each([
    ['subject=foo.hey', '["foo", "hey"]'],
    ['undefined', '["undefined"]'],
    ['a=eq', '["eq"]'],
    ['a=in.1,2', '`in` filter value must be wrapped by parentheses'],
    ['a=eq.1,', 'filter must not contain empty segments (check for extra commas)'],
    ['a=EQ.1', '["EQ", "1"]'],
  ])('refuses %s in upstream’s words', (text, reason) => {
    expect(parseFilter(text)).toEqual({ kind: 'malformed', reason })
  })

  it('parses what the client library’s filter builder writes', () => {
    const text = postgresChangesFilter()
      .eq('a', 'x,y (z) "q" \\ ')
      .in('b', ['one', 'two,three', 'f"our'])
      .not('c', 'like', '%a_b%')
      .is('d', null)
      .isDistinct('e', 5)
      .imatch('f', '^a(b|c)$')
      .build()
    expect(conditionsOf(text)).toEqual([
      condition('a', 'eq', 'x,y (z) "q" \\ '),
      condition('b', 'in', '{one,"two,three","f\\"our"}'),
      condition('c', 'like', '%a_b%', true),
      condition('d', 'is', 'null'),
      condition('e', 'isdistinct', '5'),
      condition('f', 'imatch', '^a(b|c)$'),
    ])
  })
})
