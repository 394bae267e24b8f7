// Which engine the environment chooses for emulators that tests start.
import { afterEach, expect, it, vi } from 'vitest'
import { withEngineOfEnvironment } from '../../../emulator/assembly/testing/vitest-engine.ts'

afterEach(() => vi.unstubAllEnvs())

const URL = 'postgres://localhost/test'

it.each([
  ['the default engine', {}, {}, {}],
  ['the engine of the environment', { TENANTRY_ENGINE: 'postgres' }, {}, { engine: 'postgres' }],
  ['the server of the environment', { TENANTRY_DATABASE_URL: URL }, {}, { databaseUrl: URL }],
  [
    'the embedded engine when the environment also names a server',
    { TENANTRY_ENGINE: 'embedded', TENANTRY_DATABASE_URL: URL },
    {},
    { engine: 'embedded' },
  ],
  [
    'the engine of the configuration before the engine of the environment',
    { TENANTRY_ENGINE: 'postgres' },
    { engine: 'embedded' },
    { engine: 'embedded' },
  ],
] as const)('a test uses %s', (_, environment, config, expected) => {
  vi.stubEnv('TENANTRY_ENGINE', undefined)
  vi.stubEnv('TENANTRY_DATABASE_URL', undefined)
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  expect(withEngineOfEnvironment(config)).toEqual(expected)
})
