// The edge of the server: one report for each request, errors in the format of each service, and CORS headers for any page.
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { SeededIdSource } from '../../../emulator/core/id-source.ts'
import type { Observation, RequestFinished } from '../../../emulator/core/observation.ts'
import { toResponse } from '../../../emulator/core/plain-http.ts'
import type { RenderedError, RequestEnv, ServiceApp } from '../../../emulator/core/request-env.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { createEdge, type Edge } from '../../../emulator/server/edge.ts'

class Refusal extends Error {}

const rendered = (status: number, code: string): RenderedError => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ code }),
  code,
  message: `the reason for ${code}`,
})

function edgeWith(fetch: (request: Request, env: RequestEnv) => Response | Promise<Response>) {
  const seen: Observation[] = []
  const app: ServiceApp = {
    answer: (request, env) => fetch(request.web, env),
    renderError: (error) => (error instanceof Refusal ? rendered(409, 'refused') : undefined),
    renderUnavailable: ({ code }) => rendered(503, `unavailable ${code}`),
    renderInternal: (trace) => rendered(500, `internal ${trace}`),
  }
  const clock = new ManualClock(epochMillis(1_000))
  const serve = createEdge({
    mounts: { data: app, control: app },
    publicUrl: undefined,
    admitsOrigin: (origin) => origin === 'http://dash.example',
    clock,
    wallClock: clock,
    preciseNow: () => 0,
    ids: new SeededIdSource('edge'),
    observe: (observation) => seen.push(observation),
  })
  const edge = async (...given: Parameters<Edge>): Promise<Response> => {
    const { reply, report } = await serve(...given)
    report()
    return toResponse(reply)
  }
  const finished = () =>
    seen.filter((each): each is RequestFinished => each.kind === 'requestFinished')
  return { edge, seen, finished }
}

const get = (path: string, init?: RequestInit) => new Request(`http://127.0.0.1:7357${path}`, init)

describe('edge', () => {
  it('reports a request once, with the facts from the service and without secrets in the address', async () => {
    const { edge, finished } = edgeWith((_request, env) => {
      env.facts.schemaName = 'proj_a'
      return Response.json([])
    })
    await edge(get('/rooms?apikey=eyJhbGciOiJFUzI1NiJ9.secret&select=id'))
    expect(finished()).toMatchObject([
      {
        service: 'data',
        method: 'GET',
        target: '/rooms?apikey=eyJhbGci…&select=id',
        status: 200,
        facts: { schemaName: 'proj_a' },
      },
    ])
  })

  it('sends the id of each request in the answer, so that the record of the request can be found', async () => {
    const { edge, finished } = edgeWith(() => {
      throw new Refusal()
    })
    const response = await edge(get('/rooms'))
    expect(response.headers.get('x-request-id')).toBe(finished()[0]?.requestId)
  })

  it('uses the caller’s request id when the service repeats it', async () => {
    const { edge } = edgeWith(() => Response.json([], { headers: { 'x-request-id': 'r1' } }))
    expect((await edge(get('/rooms'))).headers.get('x-request-id')).toBe('r1')
  })

  it('formats a refusal like the service, and reports code and reason', async () => {
    const { edge, finished } = edgeWith(() => {
      throw new Refusal()
    })
    const response = await edge(get('/rooms'))
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 409,
      body: { code: 'refused' },
    })
    expect(finished()).toMatchObject([
      { errorCode: 'refused', errorMessage: 'the reason for refused' },
    ])
  })

  it('answers an unexpected error with a trace id that observers also receive, never with a stack', async () => {
    const { edge, seen } = edgeWith(() => Promise.reject(new Error('secret path /home/x')))
    const response = await edge(get('/rooms'))
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(text).not.toContain('secret path')
    const failure = seen.find(({ kind }) => kind === 'internalFailure')
    expect(text).toContain(failure?.kind === 'internalFailure' ? failure.requestId : 'nothing')
  })

  it.each([
    ['an answer', () => Response.json([])],
    ['a refusal', () => Promise.reject(new Refusal())],
    ['an unforeseen failure', () => Promise.reject(new Error('secret'))],
  ])('forbids browsers to guess the type of %s', async (_name, serve) => {
    const { edge } = edgeWith(serve)
    expect((await edge(get('/rooms'))).headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each(['/rooms', '/platform/v1/projects', '/_emulator/'])(
    'refuses to serve a service worker at %s',
    async (path) => {
      const { edge, finished } = edgeWith(() => new Response('self.onfetch = null'))
      const response = await edge(get(path, { headers: { 'service-worker': 'script' } }))
      expect([response.status, (await response.json()).error.code]).toEqual([
        403,
        'service_worker_refused',
      ])
      expect(finished()).toMatchObject([{ errorCode: 'service_worker_refused' }])
    },
  )

  it('sends no body in answer to HEAD', async () => {
    const { edge } = edgeWith(() => {
      throw new Refusal()
    })
    expect(await (await edge(get('/rooms', { method: 'HEAD' }))).text()).toBe('')
  })

  it('answers a preflight of any origin without calling the service', async () => {
    const { edge } = edgeWith(() => {
      throw new Error('must not be asked')
    })
    const response = await edge(
      get('/rooms', {
        method: 'OPTIONS',
        headers: {
          origin: 'http://app.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'apikey,content-profile',
        },
      }),
    )
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-headers')).toBe('apikey,content-profile')
  })

  it('lets pages of any origin read answers and refusals', async () => {
    const { edge } = edgeWith((request) => {
      if (request.url.endsWith('/bad')) throw new Refusal()
      return Response.json([])
    })
    for (const path of ['/good', '/bad']) {
      const { headers } = await edge(get(path))
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toContain('Content-Range')
    }
  })

  it('sends no request to the management plane from a page whose origin is not allowed', async () => {
    const { edge, finished } = edgeWith(() => {
      throw new Error('must not be asked')
    })
    const response = await edge(
      get('/platform/v1/groups', { headers: { origin: 'http://app.example' } }),
    )
    expect(response.status).toBe(403)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(finished()).toMatchObject([{ service: 'control', errorCode: 'foreign_origin' }])
  })

  it('lets only a page of an allowed origin read the management plane', async () => {
    const { edge } = edgeWith(() => Response.json([], { headers: { vary: 'Accept' } }))
    const headers = { origin: 'http://dash.example' }
    const answer = await edge(get('/groups/v1/grp_a/tenants', { headers }))
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://dash.example')
    expect(answer.headers.get('vary')).toBe('Accept, Origin')
    const bare = await edge(get('/groups/v1/grp_a/tenants'))
    expect(bare.headers.get('access-control-allow-origin')).toBeNull()
  })

  it.each([
    ['127.0.0.1', undefined],
    ['::1', undefined],
    ['::ffff:127.0.0.1', undefined],
    ['192.168.1.7', true],
    ['::ffff:10.0.0.2', true],
  ])(
    'reports to the management plane whether %s is another machine',
    async (remoteAddress, expected) => {
      let seen: RequestEnv | undefined
      const { edge } = edgeWith((_request, env) => {
        seen = env
        return Response.json([])
      })
      const incoming = Object.assign(Readable.from([]), { socket: { remoteAddress } })
      await edge(get('/platform/v1/groups'), { incoming, outgoing: new PassThrough() })
      expect(seen?.isRemote).toBe(expected)
    },
  )

  it('maps /rest/v1 to the root, and keeps method, headers and body', async () => {
    const { edge } = edgeWith(async (request) =>
      Response.json([
        request.method,
        new URL(request.url).pathname,
        request.headers.get('prefer'),
        await request.text(),
      ]),
    )
    const response = await edge(
      get('/rest/v1/rooms?x=1', {
        method: 'POST',
        body: 'hello',
        headers: { prefer: 'tx=commit' },
      }),
    )
    expect(await response.json()).toEqual(['POST', '/rooms', 'tx=commit', 'hello'])
  })

  it('names the right host for paths of another host', async () => {
    const { edge } = edgeWith(() => Response.json([]))
    const response = await edge(new Request('http://api.localhost:7357/auth/v1/signin'))
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 404,
      body: {
        error: 'endpoint_em_outro_host',
        message: expect.stringContaining('http://auth.localhost:7357'),
      },
    })
  })

  it('answers 404 for paths of missing services', async () => {
    const { edge } = edgeWith(() => Response.json([]))
    const response = await edge(get('/storage/v1/bucket'))
    expect(response.status).toBe(404)
  })
})
