import { describe, expect, it } from 'vitest'
import { execEnvironment } from '../../../emulator/cli/commands/exec/run-exec.ts'
import { configOf } from '../../../emulator/cli/emulator-options.ts'
import type { ReadyLine, ReadyTenant } from '../../../emulator/contract/addresses.ts'

const tenant = (slug: string): ReadyTenant => ({
  id: slug,
  slug,
  schema_name: `proj_${slug}`,
  project_id: slug,
  anon_key: `anon ${slug} ${'x'.repeat(700)}`,
  service_role_key: `service ${slug} ${'x'.repeat(700)}`,
  buckets: [],
  management_key: 'key',
  postgres_url: null,
  users: [],
})

const readyWith = (count: number): ReadyLine => ({
  auth_url: 'http://127.0.0.1:1',
  data_url: 'http://127.0.0.1:1',
  storage_url: 'http://127.0.0.1:1/storage/v1',
  realtime_url: 'ws://127.0.0.1:1/realtime/v1',
  inspector_url: 'http://127.0.0.1:1/_emulator/',
  postgres_url: null,
  data_dir: null,
  platform: { email: 'dev@x.test', password: 'secret', session_token: 'token' },
  groups: [
    {
      id: 'grp',
      name: 'Group',
      group_api_key: 'key',
      template_project_id: 'proj_template',
      tenants: Array.from({ length: count }, (_, index) => tenant(`t${index}`)),
    },
  ],
})

const slugsIn = (info: string | undefined) =>
  (JSON.parse(info ?? '') as ReadyLine).groups[0]?.tenants.map(({ slug }) => slug)

describe('execEnvironment', () => {
  it('contains one tenant’s settings, and all tenants as JSON', () => {
    const env = execEnvironment(readyWith(3), 't1')
    expect(env).toMatchObject({ TENANTRY_PROJECT: 't1', TENANTRY_SCHEMA: 'proj_t1' })
    expect(slugsIn(env['TENANTRY_INFO'])).toEqual(['t0', 't1', 't2'])
  })

  it('leaves out other tenants when the environment would become too large', () => {
    const env = execEnvironment(readyWith(100), 't42')
    expect(slugsIn(env['TENANTRY_INFO'])).toEqual(['t42'])
    expect(env['TENANTRY_INFO']?.length).toBeLessThan(128 * 1024)
  })
})

describe('configOf', () => {
  const none = {
    fixture: undefined,
    log: 'none',
    deterministic: false,
    seed: undefined,
    freeze: undefined,
  } as const

  it('sets neither a seed nor a frozen time by default', () => {
    expect(configOf(none)).toEqual({ allowOrigins: [] })
  })

  it('sets the default seed, the given seed or a frozen time', () => {
    const allowOrigins: string[] = []
    expect(configOf({ ...none, deterministic: true })).toEqual({
      deterministicSeed: 'tenantry',
      allowOrigins,
    })
    expect(configOf({ ...none, deterministic: true, seed: 'mine' })).toEqual({
      deterministicSeed: 'mine',
      allowOrigins,
    })
    expect(configOf({ ...none, freeze: '2030-01-01T00:00:00Z' })).toEqual({
      frozenAt: '2030-01-01T00:00:00Z',
      allowOrigins,
    })
  })
})
