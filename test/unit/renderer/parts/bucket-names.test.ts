// Short names of buckets.
import { expect, it } from 'vitest'
import { fullName, shortName } from '../../../../renderer/parts/bucket-names.ts'

it('shortName leaves out the prefix only for buckets of the project', () => {
  expect(shortName('aurora', fullName('aurora', 'site'))).toBe('site')
  expect(shortName('aurora', 'proj_boavista_site')).toBe('proj_boavista_site')
})
