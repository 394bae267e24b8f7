// Which pages the management plane answers.
import { describe, expect, it } from 'vitest'
import { createOriginRule } from '../../../emulator/server/web-pages.ts'

const rules = { allowed: [], publicUrl: undefined, trustsHost: false }
const admits = (origin: string, address: string, given: Partial<typeof rules> | object = {}) =>
  createOriginRule({ ...rules, ...given })(origin, new URL('/platform/v1/groups', address))

describe('createOriginRule', () => {
  it.each([
    'http://127.0.0.1:7357',
    'http://localhost:7357',
    'http://[::1]:7357',
    'http://auth.localhost:7357',
  ])('admits the inspector at %s', (address) => {
    expect(admits(address, address)).toBe(true)
  })

  it.each([
    ['another port', 'http://127.0.0.1:7358'],
    ['another name of this machine', 'http://localhost:7357'],
    ['another scheme', 'https://127.0.0.1:7357'],
    ['a longer name', 'http://127.0.0.1:7357.evil.example'],
    ['the opaque origin', 'null'],
  ])('refuses %s', (_what, origin) => {
    expect(admits(origin, 'http://127.0.0.1:7357')).toBe(false)
  })

  it('admits its own host name beyond loopback only when it trusts the Host header', () => {
    const address = 'http://devbox.lan:7357'
    expect(admits(address, address)).toBe(false)
    expect(admits(address, address, { trustsHost: true })).toBe(true)
  })

  it('admits another origin only when the origin is on the allowed list', () => {
    const given = { allowed: ['http://localhost:3000'] }
    expect(admits('http://localhost:3000', 'http://127.0.0.1:7357', given)).toBe(true)
    expect(admits('http://localhost:3001', 'http://127.0.0.1:7357', given)).toBe(false)
  })

  it.each(['https://api.tunnel.example', 'https://auth.tunnel.example'])(
    'admits %s when a public address has one host for each service',
    (origin) => {
      const given = { publicUrl: 'https://api.tunnel.example/x' }
      expect(admits(origin, 'http://127.0.0.1:7357', given)).toBe(true)
    },
  )
})
