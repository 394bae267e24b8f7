import { describe, expect, it } from 'vitest'
import type { RequestEnv } from '../../../emulator/core/request-env.ts'
import { createRouter } from '../../../emulator/services/storage/routes/router.ts'
import type { StorageHandler } from '../../../emulator/services/storage/storage-call.ts'

const env: RequestEnv = {
  requestId: 'req',
  addresses: { authUrl: '', dataUrl: '', storageUrl: '', realtimeUrl: '' },
  facts: {},
}
const named =
  (route: string): StorageHandler =>
  ({ bucket, objectKey }) =>
    Response.json([route, bucket, objectKey])
const router = createRouter(
  {
    'GET /object/:bucket/*': { handler: () => named('object') },
    'GET /bucket/:bucket': { handler: () => named('bucket') },
    'GET /object/info/:bucket/*': { handler: () => named('info') },
    'GET /object/info/public/:bucket/*': { handler: () => named('public info') },
  },
  undefined,
)
const ask = async (target: string, method = 'GET') =>
  (await router(new Request(`http://h${target}`, { method }), env)).json()

describe('the router of storage', () => {
  it.each([
    ['/object/b/k', ['object', 'b', 'k']],
    ['/storage/v1/object/b/k', ['object', 'b', 'k']],
    ['/object/info/b/k', ['info', 'b', 'k']],
    ['/object/info/public/b/k', ['public info', 'b', 'k']],
    ['/object/info/k', ['object', 'info', 'k']],
    ['/object/b/', ['object', 'b', '']],
    ['/object/b/a//c/', ['object', 'b', 'a//c/']],
    ['/object/b/a%2Fc%20d', ['object', 'b', 'a/c d']],
    ['/object/b/%252F', ['object', 'b', '%2F']],
    ['/object/b/..%2F..%2Fx', ['object', 'b', '../../x']],
    ['/object/b/%00', ['object', 'b', '\0']],
    ['/object/a%20b/k?download', ['object', 'a b', 'k']],
    ['/bucket/b', ['bucket', 'b', '']],
  ])('reads %s', async (target, answer) => {
    expect(await ask(target)).toEqual(answer)
  })

  it.each(['/object/b', '/object', '/', '/bucket/', '/bucket/b/c', '/object//k'])(
    'has no route at %s',
    (target) => {
      expect(() => router(new Request(`http://h${target}`), env)).toThrow(
        `Route GET:${target} not found`,
      )
    },
  )

  it('refuses another method, and repeats the query in the error', () => {
    expect(() => router(new Request('http://h/bucket/b?x=1', { method: 'PUT' }), env)).toThrow(
      'Route PUT:/bucket/b?x=1 not found',
    )
  })

  it('refuses invalid percent-encoding', () => {
    expect(() => router(new Request('http://h/object/b/%E0%A4'), env)).toThrow(
      "'%E0%A4' is not a valid url component",
    )
  })
})
