import { describe, expect, it } from 'vitest'
import { addressesOf, routeOf } from '../../../emulator/server/hosts.ts'

describe('routeOf', () => {
  it.each([
    ['127.0.0.1:7357', '/patients', 'data', '/patients'],
    ['127.0.0.1:7357', '/', 'data', '/'],
    ['127.0.0.1:7357', '/rest/v1/patients', 'data', '/patients'],
    ['127.0.0.1:7357', '/rest/v1', 'data', '/'],
    ['127.0.0.1:7357', '/platform', 'data', '/platform'],
    ['127.0.0.1:7357', '/groups', 'data', '/groups'],
    ['127.0.0.1:7357', '/platform/v1/groups', 'control', '/platform/v1/groups'],
    ['127.0.0.1:7357', '/platform/v2/groups', 'control', '/platform/v2/groups'],
    ['127.0.0.1:7357', '/groups/', 'control', '/groups/'],
    ['127.0.0.1:7357', '/auth/x', 'auth', '/auth/x'],
    ['127.0.0.1:7357', '/st/x', 'storageToken', '/st/x'],
    ['127.0.0.1:7357', '/rt/x', 'realtimeToken', '/rt/x'],
    ['127.0.0.1:7357', '/rest/v1/groups/x', 'data', '/groups/x'],
    ['127.0.0.1:7357', '/groups/v1/grp_a/tenants', 'control', '/groups/v1/grp_a/tenants'],
    ['127.0.0.1:7357', '/st/v1/token', 'storageToken', '/st/v1/token'],
    ['127.0.0.1:7357', '/rt/v1/token', 'realtimeToken', '/rt/v1/token'],
    ['127.0.0.1:7357', '/.well-known/jwks.json', 'wellKnown', '/.well-known/jwks.json'],
    ['127.0.0.1:7357', '/_emulator/v1/health', 'emulator', '/_emulator/v1/health'],
    ['api.localhost:7357', '/patients', 'data', '/patients'],
    ['API.localhost:7357', '/rest/v1/patients', 'data', '/patients'],
    ['auth.localhost:7357', '/auth/v1/user', 'auth', '/auth/v1/user'],
    ['storage.localhost:7357', '/object/public/x/y', 'storage', '/object/public/x/y'],
    ['realtime.localhost:7357', '/socket', 'realtime', '/socket'],
  ])('sends %s%s to %s', (host, path, mount, mountedPath) => {
    expect(routeOf(host, path)).toEqual({ kind: 'mount', mount, path: mountedPath })
  })

  it('names the right host for paths that the data host does not have', () => {
    expect(routeOf('api.localhost', '/auth/v1/signin')).toEqual({
      kind: 'elsewhere',
      belongsTo: 'auth',
    })
    expect(routeOf('api.localhost', '/storage/v1/bucket')).toEqual({
      kind: 'elsewhere',
      belongsTo: 'storage',
    })
  })

  it.each(['/platform/v1/groups', '/groups/v1/x', '/auth/x', '/st/v1/token', '/rt/v1/token'])(
    'does not serve %s on the data host',
    (path) => expect(routeOf('api.localhost', path)).toEqual({ kind: 'nothing' }),
  )

  it('routes no tables on the auth host', () => {
    expect(routeOf('auth.localhost', '/patients')).toEqual({ kind: 'nothing' })
  })
})

describe('addressesOf', () => {
  it('puts every service on a single origin', () => {
    expect(addressesOf('http://127.0.0.1:7357')).toEqual({
      authUrl: 'http://127.0.0.1:7357',
      dataUrl: 'http://127.0.0.1:7357',
      storageUrl: 'http://127.0.0.1:7357/storage/v1',
      realtimeUrl: 'ws://127.0.0.1:7357/realtime/v1',
    })
  })

  it('returns the sibling hosts when the request used one of them', () => {
    expect(addressesOf('http://api.localhost:7357')).toEqual({
      authUrl: 'http://auth.localhost:7357',
      dataUrl: 'http://api.localhost:7357',
      storageUrl: 'http://storage.localhost:7357',
      realtimeUrl: 'ws://realtime.localhost:7357/socket',
    })
  })

  it('uses secure sockets behind a secure public address', () => {
    expect(addressesOf('https://tunnel.example').realtimeUrl).toBe(
      'wss://tunnel.example/realtime/v1',
    )
  })
})
