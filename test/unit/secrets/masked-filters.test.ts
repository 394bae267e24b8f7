// Masks secrets behind every filter operator of the data plane, so that a new operator cannot leak them.
import { describe, expect, it } from 'vitest'
import { shownTarget } from '../../../emulator/platform/secrets/shown-secrets.ts'
import {
  QUANTIFIABLE_OPERATORS,
  SIMPLE_OPERATORS,
  TEXT_SEARCH_OPERATORS,
} from '../../../emulator/services/data/request/api-request.ts'

const FILTERS = [
  ...SIMPLE_OPERATORS.map((name) => `${name}.hunter2`),
  ...QUANTIFIABLE_OPERATORS.flatMap((name) => [
    `${name}.hunter2`,
    `${name}(any).{hunter2}`,
    `${name}(all).{first,hunter2}`,
  ]),
  ...TEXT_SEARCH_OPERATORS.flatMap((name) => [`${name}.hunter2`, `${name}(english).hunter2`]),
  'is.hunter2',
  'isdistinct.hunter2',
  'in.(hunter2)',
  'in.(first,hunter2)',
  'in.("a)b",hunter2)',
  'cs.{first,hunter2}',
  'cs.{"a}b",hunter2}',
  'sl.[first,hunter2)',
].flatMap((filter) => [filter, `not.${filter}`])

describe('a secret in a filter', () => {
  it.each(FILTERS)('is masked in a parameter: %s', (filter) => {
    const shown = shownTarget(`/t?password=${filter}&id=eq.1`)
    expect(shown).not.toContain('hunter2')
    expect(shown).toContain('id=eq.1')
  })

  it.each(FILTERS)('is masked in a logic tree: %s', (filter) => {
    const shown = shownTarget(`/t?or=(password.${filter},id.eq.1)`)
    expect(shown).not.toContain('hunter2')
    expect(shown).toContain('id.eq.1')
  })
})
