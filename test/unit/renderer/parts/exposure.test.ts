// The rating of how dangerous it is that an identity reads rows.
import { expect, it } from 'vitest'
import { NEW_USER } from '../../../../emulator/contract/choices.ts'
import { exposureOfRows } from '../../../../renderer/parts/exposure.ts'

const ANON = { label: 'anon', role: 'anon' }
const ANA = { label: 'ana@patients.test', role: 'authenticated' }

it.each([
  [ANON, 'all', 'open'],
  [ANON, 'some', 'wide'],
  [ANON, 'refused', 'none'],
  [{ label: NEW_USER.label, role: 'authenticated' }, 'all', 'open'],
  [ANA, 'all', 'usual'],
  [ANA, 'none', 'none'],
  [{ label: 'service_role', role: 'service_role' }, 'all', 'none'],
] as const)('the exposure to %o that reads %s rows is %s', (identity, reads, exposure) => {
  expect(exposureOfRows(identity, reads)).toBe(exposure)
})
