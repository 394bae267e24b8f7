// Unknown paths of the management host: 404 in the management format, never an error about a missing apikey.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, TestEmulator } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
})
afterAll(() => at[Symbol.asyncDispose]())

const PATHS = [
  '/platform/',
  '/platform/v1',
  '/platform/v1/nothing',
  '/platform/v2/groups',
  '/groups/',
  '/groups/v1',
  '/groups/v2/grp_x/tenants',
  '/auth/',
  '/auth/v1/nothing',
  '/auth/v2/signin',
  '/st/v1',
  '/st/v2/token',
  '/rt/v1/nothing',
  '/rt/x',
]
const METHODS = ['GET', 'POST', 'PUT', 'DELETE']

async function ask(origin: string, method: string, path: string): Promise<[number, Json]> {
  const response = await at.emulator.fetch(new Request(origin + path, { method }))
  return [response.status, await response.json()]
}

const notFound = { error: { code: 'not_found', message: expect.stringMatching(/\S/) } }

describe.each(['http://127.0.0.1:7357', 'http://auth.localhost:7357'])('on %s', (origin) => {
  it.each(PATHS)('%s answers 404 with an error body of the management plane', async (path) => {
    for (const method of METHODS)
      expect([method, ...(await ask(origin, method, path))]).toEqual([method, 404, notFound])
  })
})

describe('on http://api.localhost:7357', () => {
  it.each([
    '/platform/v1/groups',
    '/groups/v1/grp_x/tenants',
    '/auth/x',
    '/st/v1/token',
    '/rt/v1/token',
  ])('%s answers 404 and names the host that has the route', async (path) => {
    const [status, body] = await ask('http://api.localhost:7357', 'POST', path)
    expect([status, body]).toEqual([404, notFound])
    expect(body.error.message).toContain('http://auth.localhost:7357')
  })

  it.each([
    ['/auth/v1/signin', 'http://auth.localhost:7357'],
    ['/storage/v1/bucket', 'http://storage.localhost:7357'],
  ])('%s is reported as a path of another host', async (path, host) => {
    const [status, body] = await ask('http://api.localhost:7357', 'GET', path)
    expect([status, body.error]).toEqual([404, 'endpoint_em_outro_host'])
    expect(body.message).toContain(host)
  })
})

describe('a table named like the first segment of another plane’s paths', () => {
  it.each(['/groups', '/auth', '/rest/v1/groups'])(
    'is served by the data plane at %s',
    async (path) => {
      const [status, body] = await ask('http://127.0.0.1:7357', 'GET', path)
      expect([status, body.code]).toEqual([401, 'unauthorized'])
    },
  )
})
