// The faults of an installation that a test cannot provoke: another Node, missing native parts, an engine that does not start.
import { describe, expect, it } from 'vitest'
import { checkMachine } from '../../../emulator/cli/commands/doctor/check-machine.ts'
import type { Finding } from '../../../emulator/cli/commands/doctor/finding.ts'
import type { Machine } from '../../../emulator/cli/commands/doctor/machine.ts'

const HEALTHY: Machine = {
  nodeVersion: '24.1.0',
  platform: 'linux',
  arch: 'x64',
  env: {},
  missingFile: () => undefined,
  load: () => Promise.resolve(),
  startEngine: () => Promise.resolve(),
  findBrowser: () => '/usr/bin/chromium',
  answersAt: () => Promise.resolve(true),
  refusesWrites: () => undefined,
  cacheFolder: '/home/ana/.cache/tenantry',
}

async function findingOf(check: string, changed: Partial<Machine>): Promise<Finding | undefined> {
  const found = await checkMachine({ ...HEALTHY, ...changed }, { startsEngine: true })
  return found.find((finding) => finding.check === check)
}

describe('checkMachine', () => {
  it('finds no fault in a healthy installation', async () => {
    const found = await checkMachine(HEALTHY, { startsEngine: true })
    expect(found.filter(({ state }) => state !== 'ok')).toEqual([])
  })

  it.each(['20.20.2', '22.11.0', '21.99.0'])(
    'refuses Node %s, and does not start the engine',
    async (nodeVersion) => {
      const found = await checkMachine(
        { ...HEALTHY, nodeVersion, startEngine: () => Promise.reject(new Error('was started')) },
        { startsEngine: true },
      )
      expect(found).toContainEqual({
        check: 'node',
        state: 'problem',
        found: `This is Node ${nodeVersion}. Tenantry needs Node 22.12 or newer.`,
        repair: expect.stringContaining('Install a newer Node'),
      })
      expect(found.find(({ check }) => check === 'engine')?.state).toBe('note')
    },
  )

  it.each(['22.12.0', '23.0.0', '24.0.0-nightly'])('accepts Node %s', async (nodeVersion) => {
    expect((await findingOf('node', { nodeVersion }))?.state).toBe('ok')
  })

  it('names the native part that does not load, and how to install it again', async () => {
    const load = (name: string) =>
      name === 'better-sqlite3'
        ? Promise.reject(new Error('NODE_MODULE_VERSION 115\nmore lines'))
        : Promise.resolve()
    const found = await findingOf('native_parts', { load })
    expect(found).toMatchObject({
      state: 'problem',
      found: 'better-sqlite3 does not load on Node 24.1.0, linux x64: NODE_MODULE_VERSION 115.',
    })
    expect(found?.repair).toContain('npm rebuild better-sqlite3')
  })

  it('reports an engine that does not start with its reason', async () => {
    const startEngine = () => Promise.reject(new Error('out of memory'))
    expect(await findingOf('engine', { startEngine })).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('out of memory'),
    })
  })

  it('reports a package with missing files', async () => {
    const found = await findingOf('package', { missingFile: () => 'dist/cluster.img' })
    expect(found).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('dist/cluster.img'),
    })
  })

  it('only notes a machine without a browser', async () => {
    expect((await findingOf('browser', { findBrowser: () => undefined }))?.state).toBe('note')
  })

  it('only notes a cache folder that cannot be written', async () => {
    const found = await findingOf('cache', { refusesWrites: () => 'Your account may not use it' })
    expect(found?.state).toBe('note')
    expect(found?.found).toContain('/home/ana/.cache/tenantry')
  })
})
