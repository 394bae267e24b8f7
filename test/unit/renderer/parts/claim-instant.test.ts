// renderer/parts/claim-instant.ts: which claims have a date beside their number.
import { expect, it } from 'vitest'
import { claimInstant } from '../../../../renderer/parts/claim-instant.ts'

it.each([
  ['exp', 1_800_000_000, 1_800_000_000_000],
  ['iat', 0, 0],
  ['nbf', '2026-11-21T10:00:00+00:00', Date.parse('2026-11-21T10:00:00Z')],
  ['exp', 'soon', undefined],
  ['exp', 1e20, undefined],
  ['exp', null, undefined],
  ['key_version', 1_800_000_000, undefined],
])('claimInstant reads the claim %s with value %j as %j', (name, value, millis) => {
  expect(claimInstant(name, value)).toBe(millis)
})
