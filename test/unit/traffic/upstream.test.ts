import { expect, it } from 'vitest'
import { basesOf } from '../../../emulator/workflow/traffic/planes.ts'
import { createUpstreamBook } from '../../../emulator/workflow/traffic/record/upstream.ts'

it('the base of a service is normalised, so that the addresses of requests begin with it', () => {
  const given = { data: 'https://API.x.test:443', storage: 'https://x.test:443/Storage/' }
  const book = createUpstreamBook(basesOf('https://auth.x.test', given), new Set())
  expect(book.find('127.0.0.1:1', '/notes').base).toBe('https://api.x.test')
  const upload = book.find('127.0.0.1:1', '/storage/v1/object/a')
  expect(upload).toMatchObject({ base: 'https://x.test/Storage', path: '/Storage/object/a' })
})
