// Conversion of form values: options from a table of labels, JSON objects, counts.
import { describe, expect, it } from 'vitest'
import {
  countOf,
  jsonObjectOf,
  membersOf,
  optionsOf,
  plainOptionsOf,
} from '../../../../renderer/ui/form-values.ts'

describe('jsonObjectOf', () => {
  it.each([
    ['', {}],
    ['  ', {}],
    [' {"a": 1} ', { a: 1 }],
  ])('reads %j', (text, value) => {
    expect(jsonObjectOf(text)).toEqual(value)
  })

  it.each(['[]', '1', 'null', '{', 'text'])('reads no object from %j', (text) => {
    expect(jsonObjectOf(text)).toBeUndefined()
  })
})

it('optionsOf has an option for each label, in the same order', () => {
  const labels = { sms: 'SMS', email: 'E-mail' }
  expect(membersOf(labels)).toEqual(['sms', 'email'])
  expect(optionsOf(labels)).toEqual([
    { value: 'sms', label: 'SMS' },
    { value: 'email', label: 'E-mail' },
  ])
  expect(plainOptionsOf(['anon'])).toEqual([{ value: 'anon', label: 'anon' }])
})

it('countOf uses the singular and the plural', () => {
  expect([countOf(1, 'tenant'), countOf(0, 'tenant'), countOf(2_000, 'match', 'matches')]).toEqual([
    '1 tenant',
    '0 tenants',
    '2,000 matches',
  ])
})
