// Who may use each route of /_emulator/v1 in the OpenAPI document, and the size limits of bodies
// (docs/reference/emulator-api.md).
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
let routes: readonly (readonly [method: string, path: string])[]
beforeAll(async () => {
  at = await workerEmulator()
  const { body } = await at.call('GET', '/_emulator/v1/openapi.json')
  routes = Object.entries<Json>(body.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(
      (method) => [method.toUpperCase(), `/_emulator/v1${path.replace(/\{\w+\}/g, 'x')}`] as const,
    ),
  )
})
afterAll(() => at[Symbol.asyncDispose]())

/** A request with headers that fetch would not send. */
function bareCall(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ readonly status: number; readonly text: string; readonly isOpen: boolean }> {
  return new Promise((resolve, reject) => {
    const sent = request(at.url + path, { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      const done = (isOpen: boolean) => () =>
        resolve({ status: response.statusCode ?? 0, text, isOpen })
      response.on('end', done(false))
      if (response.headers['content-type']?.startsWith('text/event-stream') === true) {
        done(true)()
        response.destroy()
      }
    })
    sent.on('error', reject).end()
  })
}

describe('a foreign page or host', () => {
  it.each([
    ['host', { host: 'evil.example' }, 'foreign_host'],
    ['origin', { origin: 'https://evil.example' }, 'foreign_origin'],
    ['opaque origin', { origin: 'null' }, 'foreign_origin'],
  ])('is refused by its %s on every route, even the event stream', async (_kind, headers, code) => {
    expect(routes.length).toBeGreaterThan(40)
    const answers = await Promise.all(
      routes.map(async ([method, path]) => {
        const { status, text } = await bareCall(method, path, headers)
        return [method, path, status, JSON.parse(text || '{}').error?.code]
      }),
    )
    expect(answers).toEqual(routes.map(([method, path]) => [method, path, 403, code]))
  })

  it('gets no CORS header', async () => {
    const { headers } = await at.call('GET', '/_emulator/v1/health', {
      headers: { origin: 'http://localhost:3000' },
    })
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('with an admin token', () => {
  it('the stream opens only for a caller with the token', async () => {
    const adminToken = 'admin-token-of-sixteen'
    await using closed = await startTestEmulator({ adminToken })
    const path = `${closed.url}/_emulator/v1/events`
    expect((await fetch(path)).status).toBe(401)
    const opened = await fetch(path, { headers: { authorization: `Bearer ${adminToken}` } })
    expect(opened.status).toBe(200)
    await opened.body?.cancel()
  })
})

describe('a body that is too large', () => {
  const megabyte = 'x'.repeat(1 << 20)

  it('is refused by its declared length', async () => {
    const answer = await at.call('POST', '/_emulator/v1/clock', { body: { a: megabyte } })
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({
      status: 413,
      code: 'body_too_large',
    })
  })

  it('is refused during the transfer when no length was declared', async () => {
    const part = new TextEncoder().encode(megabyte)
    let parts = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        parts += 1
        if (parts > 3) controller.close()
        else controller.enqueue(part)
      },
    })
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
    const response = await at.emulator.fetch(
      new Request('http://127.0.0.1/_emulator/v1/clock', init),
    )
    expect(response.status).toBe(413)
  })

  it('is not refused for its size when the request imports rows', async () => {
    const path = '/_emulator/v1/projects/nobody/tables/rooms/import?format=csv'
    const answer = await at.call('POST', path, {
      body: megabyte + megabyte,
      headers: { 'content-type': 'text/csv' },
    })
    expect(answer.status).toBe(404)
  })
})
