// 250 small tests: each writes a row and must find exactly what its file wrote so far. Four files at the same time make a
// thousand, in tables of the same name.
import { test } from 'tenantry/vitest'
import { expect } from 'vitest'
import { connect } from '../src/booking.ts'

const TESTS = 250

export function crossTalk(file: string): void {
  const numbers = Array.from({ length: TESTS }, (_, index) => index + 1)
  test.for(numbers)(
    `${file}: row %i has only rows of its own file beside it`,
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
