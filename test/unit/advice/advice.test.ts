// The catalogue of refusals: each has a cause and something to do; codes that several situations share are told apart.
import { expect, it } from 'vitest'
import { adviceFor } from '../../../emulator/insight/advice/advice-for.ts'
import { AUTH_ADVICE } from '../../../emulator/insight/advice/auth.ts'
import { CONTROL_ADVICE, EXCHANGE_ADVICE } from '../../../emulator/insight/advice/control.ts'
import { DATA_ADVICE } from '../../../emulator/insight/advice/data.ts'
import { REALTIME_ADVICE } from '../../../emulator/insight/advice/realtime.ts'
import { STORAGE_ADVICE } from '../../../emulator/insight/advice/storage.ts'

it.each(
  Object.entries({
    ...DATA_ADVICE,
    ...AUTH_ADVICE,
    ...CONTROL_ADVICE,
    ...EXCHANGE_ADVICE,
    ...STORAGE_ADVICE,
    ...REALTIME_ADVICE,
  }),
)('%s has a cause and a suggestion, as sentences', (_code, { cause, todo }) => {
  expect(cause).toMatch(/^\S.{10,}\.$/)
  expect(todo).toMatch(/^\S.{6,}\.$/)
})

const storage = (status: number, code: string, message: string) =>
  adviceFor({ service: 'storage', path: '/storage/v1/object/x', status, code, message })

it.each([
  [400, 'AccessDenied', '"exp" claim timestamp check failed', STORAGE_ADVICE.badBearer],
  [400, 'AccessDenied', 'Access denied', STORAGE_ADVICE.accessDenied],
  [403, 'AccessDenied', 'new row violates row-level security policy', STORAGE_ADVICE.rowRefused],
  [403, 'AccessDenied', 'Access denied: Invalid role', STORAGE_ADVICE.roleRefused],
  [401, 'AccessDenied', 'This is a credential of the platform, and …', STORAGE_ADVICE.directKey],
  [401, 'AccessDenied', 'The keys of the project were regenerated …', STORAGE_ADVICE.revokedBearer],
  [400, 'NoSuchKey', 'Object not found', STORAGE_ADVICE.objectNotFound],
] as const)('storage: %i %s %s', (status, code, message, wanted) => {
  expect(storage(status, code, message)).toBe(wanted)
})

it.each([
  ['permission denied for table notes', 'grant'],
  ['new row violates row-level security policy for table "notes"', 'policy'],
])('names the broken link for %s', (message, link) => {
  const refusal = { service: 'data', path: '/notes', status: 403, code: '42501', message }
  expect(adviceFor(refusal)?.link).toBe(link)
})

it('returns advice for any SQLSTATE', () => {
  for (const code of ['42501', '23505', '22P99', 'P0002', 'PT418', 'XX000'])
    expect(
      adviceFor({ service: 'data', path: '/t', status: 400, code, message: '' })?.todo,
    ).toMatch(/.{10}/)
})

it('has no advice for an undocumented code', () => {
  expect(
    adviceFor({ service: 'auth', path: '/auth/v1/x', status: 400, code: 'toString', message: '' }),
  ).toBeUndefined()
})
