// 250 small tests. Each test writes a row, and must find exactly the rows that its file has written. Four files run these tests
// at the same time, in tables of the same name.
import { test } from 'tenantry/vitest'
import { expect } from 'vitest'
import { connect } from '../src/booking.ts'

const TESTS = 250

export function crossTalk(file: string): void {
  const numbers = Array.from({ length: TESTS }, (_, index) => index + 1)
  test.for(numbers)(
    `${file}: test %i finds only rows of its own file`,
    async (number, { tenant }) => {
      const server = connect({ url: tenant.url, key: tenant.serviceRoleKey, project: tenant.slug })
      const { error } = await server.from('notes').insert({ marker: file })
      expect(error).toBeNull()
      const { data } = await server.from('notes').select('id, marker').order('id')
      expect(data).toEqual(
        Array.from({ length: number }, (_, index) => ({ id: index + 1, marker: file })),
      )
      server.close()
    },
  )
}
