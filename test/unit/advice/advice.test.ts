// The catalogue of refusals: each refusal has a cause and a remedy. A code with several causes has an entry for each cause.
import { expect, it } from 'vitest'
import { EDGE_REFUSALS } from '../../../emulator/core/edge-refusals.ts'
import { INSPECTOR_REFUSALS } from '../../../emulator/insight/api-kit/refusals.ts'
import { adviceFor } from '../../../emulator/insight/explain/requests/advice-for.ts'
import { ERROR_SOURCES } from '../../../emulator/insight/faults/errors/error-sources.ts'
import { STORAGE_REFUSALS } from '../../../emulator/services/storage/refusals.ts'

const { join: _replies, ...sources } = ERROR_SOURCES

it.each(
  Object.entries({
    ...Object.assign({}, ...Object.values(sources).map(({ codes }) => codes)),
    ...EDGE_REFUSALS,
    ...INSPECTOR_REFUSALS,
  }) as [string, { cause: string; remedy: string }][],
)('%s has a cause and a suggestion, as sentences', (_code, { cause, remedy }) => {
  expect(cause).toMatch(/^\S.{10,}\.$/)
  expect(remedy).toMatch(/^\S.{6,}\.$/)
})

const storage = (status: number, code: string, message: string) =>
  adviceFor({ service: 'storage', path: '/storage/v1/object/x', status, code, message })

it.each([
  [400, 'AccessDenied', '"exp" claim timestamp check failed', STORAGE_REFUSALS.badBearer],
  [400, 'AccessDenied', 'Access denied', STORAGE_REFUSALS.accessDenied],
  [403, 'AccessDenied', 'new row violates row-level security policy', STORAGE_REFUSALS.rowRefused],
  [403, 'AccessDenied', 'Access denied: Invalid role', STORAGE_REFUSALS.roleRefused],
  [401, 'AccessDenied', 'This is a credential of the platform, and …', STORAGE_REFUSALS.directKey],
  [
    401,
    'AccessDenied',
    'The keys of the project were regenerated …',
    STORAGE_REFUSALS.revokedBearer,
  ],
  [400, 'NoSuchKey', 'Object not found', STORAGE_REFUSALS.objectNotFound],
] as const)('returns advice for storage errors: %i %s %s', (status, code, message, wanted) => {
  expect(storage(status, code, message)).toMatchObject(wanted)
})

it.each([
  ['permission denied for table notes', 'grant'],
  ['new row violates row-level security policy for table "notes"', 'policy'],
])('names the broken link of the access chain for %s', (message, link) => {
  const refusal = { service: 'data', path: '/notes', status: 403, code: '42501', message }
  expect(adviceFor(refusal)?.link).toBe(link)
})

it('returns advice for any SQLSTATE', () => {
  for (const code of ['42501', '23505', '22P99', 'P0002', 'PT418', 'XX000'])
    expect(
      adviceFor({ service: 'data', path: '/t', status: 400, code, message: '' })?.remedy,
    ).toMatch(/.{10}/)
})

it('has no advice for an undocumented code', () => {
  expect(
    adviceFor({ service: 'auth', path: '/auth/v1/x', status: 400, code: 'toString', message: '' }),
  ).toBeUndefined()
})
