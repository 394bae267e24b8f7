// Which requests may have changed rows.
import { describe, expect, it } from 'vitest'
import { mayWrite, wrote } from '../../../../../renderer/features/requests/row-writes.ts'

const PATCH = {
  method: 'PATCH',
  schema_is_claimed: false,
  schema_name: 'proj_aurora',
  status: 204,
}

describe('mayWrite', () => {
  it('is true for a write of a known project', () => {
    expect(mayWrite(PATCH)).toBe(true)
  })

  it.each([{ method: 'GET' }, { status: 409 }, { schema_name: null }, { schema_is_claimed: true }])(
    'is false with %o',
    (difference) => {
      expect(mayWrite({ ...PATCH, ...difference })).toBe(false)
    },
  )
})

describe('wrote', () => {
  it('is true for the REST API and for SQL of a request', () => {
    expect(wrote({ service: 'data', statement: null })).toBe(true)
    expect(wrote({ service: 'control', statement: 'delete from rooms' })).toBe(true)
    expect(wrote({ service: 'auth', statement: null })).toBe(false)
  })
})
