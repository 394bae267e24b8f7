import { describe, expect, it } from 'vitest'
import { diskFailureOf } from '../../../emulator/core/disk-failure.ts'

const coded = (code: string, cause?: unknown): Error =>
  Object.assign(new Error(`said ${code}`, { cause }), { code })

describe('diskFailureOf', () => {
  it.each([
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['SQLITE_FULL', 'disk_full'],
    ['53100', 'disk_full'],
    ['EROFS', 'disk_failed'],
    ['EIO', 'disk_failed'],
    ['SQLITE_IOERR_WRITE', 'disk_failed'],
    ['SQLITE_READONLY_DBMOVED', 'disk_failed'],
  ])('recognises %s as %s', (code, expected) => {
    expect(diskFailureOf(coded(code))?.code).toBe(expected)
  })

  it('recognises the code of an error’s cause', () => {
    expect(diskFailureOf(new Error('opening failed', { cause: coded('ENOSPC') }))?.code).toBe(
      'disk_full',
    )
  })

  it('returns undefined for other errors', () => {
    expect(diskFailureOf(coded('ENOENT'))).toBeUndefined()
    expect(diskFailureOf(coded('SQLITE_CONSTRAINT'))).toBeUndefined()
    expect(diskFailureOf('ENOSPC')).toBeUndefined()
  })

  it('terminates for an error that is its own cause', () => {
    const error = new Error('round')
    error.cause = error
    expect(diskFailureOf(error)).toBeUndefined()
  })
})
