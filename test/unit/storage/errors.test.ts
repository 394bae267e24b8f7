import { expect, it } from 'vitest'
import {
  renderStorageError,
  renderStorageInternal,
  StorageError,
} from '../../../emulator/services/storage/errors.ts'

// docs/wire/errors.md#storage, which is written from the same table, shows every row.
it.each([
  ['objectNotFound', '400 404 not_found NoSuchKey'],
  ['rowRefused', '403 403 Unauthorized AccessDenied'],
  ['tooLarge', '400 413 Payload too large EntityTooLarge'],
] as const)('renders %s as %s', (code, row) => {
  const rendered = renderStorageError(new StorageError(code, 'why'))
  const { statusCode, error, message, ...rest } = JSON.parse(rendered?.body ?? '')
  expect(`${rendered?.status} ${statusCode} ${error} ${rest.code}`).toBe(row)
  expect([message, Object.keys(rest)]).toEqual(['why', ['code']])
})

it('adds what to do about it, and the headers that belong to it', () => {
  const error = new StorageError('diskFull', 'Full.', { hint: 'Free space.', headers: { a: 'b' } })
  expect(renderStorageError(error)).toMatchObject({
    message: 'Full. Free space.',
    headers: { a: 'b', 'content-type': 'application/json; charset=utf-8' },
  })
})

it('leaves foreign errors to the edge, which names the trace', () => {
  expect(renderStorageError(new Error('other'))).toBeUndefined()
  expect(renderStorageInternal('trace-1')).toMatchObject({
    status: 500,
    message: expect.stringContaining('trace-1'),
  })
})
