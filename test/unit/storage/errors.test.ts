import { expect, it } from 'vitest'
import {
  renderStorageError,
  renderStorageInternal,
  StorageError,
} from '../../../emulator/services/storage/errors.ts'

// Only examples. The page docs/wire/errors.md#storage is generated from the same table and shows every row.
it.each([
  ['objectNotFound', '400 404 not_found NoSuchKey'],
  ['rowRefused', '403 403 Unauthorized AccessDenied'],
  ['tooLarge', '400 413 Payload too large EntityTooLarge'],
] as const)('the storage error %s is rendered as %s', (code, row) => {
  const rendered = renderStorageError(new StorageError(code, 'why'))
  const { statusCode, error, message, ...rest } = JSON.parse(rendered?.body ?? '')
  expect(`${rendered?.status} ${statusCode} ${error} ${rest.code}`).toBe(row)
  expect([message, Object.keys(rest)]).toEqual(['why', ['code']])
})

it('a storage error is rendered with its hint and its headers', () => {
  const error = new StorageError('diskFull', 'Full.', { hint: 'Free space.', headers: { a: 'b' } })
  expect(renderStorageError(error)).toMatchObject({
    message: 'Full. Free space.',
    headers: { a: 'b', 'content-type': 'application/json; charset=utf-8' },
  })
})

it('an error of other code is rendered only as an internal error with the trace id', () => {
  expect(renderStorageError(new Error('other'))).toBeUndefined()
  expect(renderStorageInternal('trace-1')).toMatchObject({
    status: 500,
    message: expect.stringContaining('trace-1'),
  })
})
