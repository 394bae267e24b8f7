// The requests of a conformance run to a hostile target: credentials are sent only to this target, and memory is bounded.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { SystemClock } from '../../../emulator/core/clock.ts'
import { createHttpClient } from '../../../emulator/platform/http-client/http-client.ts'
import { createWire } from '../../../emulator/workflow/conformance/run/wire.ts'
import { basesOf } from '../../../emulator/workflow/traffic/planes.ts'

/** A server on this machine, with the requests that it received. */
async function serverOf(answer: RequestListener) {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    received,
    host: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const wireTo = (host: string) =>
  createWire(basesOf(`http://${host}`), createHttpClient({ wallClock: new SystemClock() }))
const get = (path: string) => ({ plane: 'auth', method: 'GET', path, bearer: 'secret' }) as const

describe('a wire', () => {
  it('sends no request when the path does not begin with a slash', async () => {
    await using other = await serverOf((_, response) => response.end())
    await using target = await serverOf((_, response) => response.end())
    for (const path of [`@${other.host}/x`, '.localhost/x', '']) {
      const { status, text } = await wireTo(target.host).send(get(path))
      expect({ status, text }).toEqual({ status: 0, text: expect.stringContaining('not a path') })
    }
    expect([...other.received, ...target.received]).toEqual([])
  })

  it('does not follow a redirect to another host', async () => {
    await using other = await serverOf((_, response) => response.end())
    const location = `http://${other.host}/`
    await using target = await serverOf((_, response) =>
      response.writeHead(307, { location }).end(),
    )
    const { status } = await wireTo(target.host).send(get('/x'))
    expect(status).toBe(307)
    expect(other.received).toEqual([])
  })

  it('stops reading an answer that never ends', async () => {
    await using target = await serverOf((_, response) => {
      const piece = Buffer.alloc(1 << 20)
      const write = (): void => {
        if (response.writable) response.write(piece, () => setImmediate(write))
      }
      write()
    })
    const { status, text } = await wireTo(target.host).send(get('/x'))
    expect({ status, text }).toEqual({
      status: 0,
      text: expect.stringContaining('sent more than 64 MB'),
    })
  })
})
