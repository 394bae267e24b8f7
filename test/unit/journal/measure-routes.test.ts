// The routes of requests, and the measures of each route.
import { describe, expect, it } from 'vitest'
import { requestRoute } from '../../../emulator/contract/request-route.ts'
import { measureRoutes } from '../../../emulator/insight/journal/measure-routes.ts'

const ID = '00000000-0000-4000-8000-00000000000a'

describe('the route of a request', () => {
  it.each([
    ['data', '/patients?select=id&id=eq.4', '/patients'],
    ['data', '/rpc/free_rooms?day=2026-01-01', '/rpc/free_rooms'],
    ['auth', `/auth/v1/mfa/${ID}`, '/auth/v1/mfa/:id'],
    ['auth', '/auth/v1/users/ana%40patients.test', '/auth/v1/users/:id'],
    ['storage', '/object/scans/2026/01/knee.png', '/object/scans/*'],
    ['storage', '/storage/v1/object/public/scans/knee.png', '/storage/v1/object/public/scans/*'],
    ['storage', '/object/list/scans', '/object/list/scans'],
    ['storage', '/upload/resumable/part-of-a-file', '/upload/resumable/*'],
    ['storage', '/bucket/scans', '/bucket/scans'],
    ['control', '/groups/v1/clinics/tenants/north/keys', '/groups/v1/:group/tenants/:tenant/keys'],
    ['control', `/platform/v1/projects/${ID}/db/exec`, '/platform/v1/projects/:project/db/exec'],
    ['data', '/', '/'],
  ])('%s %s is %s', (service, target, route) => {
    expect(requestRoute({ method: 'GET', service, target })).toBe(`GET ${route}`)
  })
})

describe('the measures of routes', () => {
  const request = (duration: number, more: object = {}) => ({
    request_id: `req_${duration}`,
    service: 'data',
    method: 'GET',
    target: `/rooms?id=eq.${duration}`,
    status: 200,
    duration_ms: duration,
    ...more,
  })

  it('contain exact percentiles, the number of refusals and the slowest request', () => {
    const requests = Array.from({ length: 100 }, (_, at) => request(100 - at))
    const refused = [request(1_000, { status: 404, target: '/rooms' }), request(2, { status: 401 })]
    const { routes } = measureRoutes([...requests, ...refused], 10)
    expect(routes).toEqual([
      {
        route: 'GET /rooms',
        count: 102,
        refused: 2,
        p50_ms: 50,
        p95_ms: 96,
        slowest: 'req_1000',
      },
    ])
  })

  it('begin with the slowest route, and include routes beyond the limit in the total', () => {
    const one = request(3)
    const others = [request(9, { target: '/slow' }), request(5, { method: 'POST' })]
    const measured = measureRoutes([one, ...others], 2)
    expect(measured.routes.map(({ route }) => route)).toEqual(['GET /slow', 'POST /rooms'])
    expect([measured.requests, measured.total]).toEqual([3, 3])
    expect(measureRoutes([], 5)).toEqual({ requests: 0, total: 0, routes: [] })
  })
})
