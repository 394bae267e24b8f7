// A process killed while it prepares clones leaves none behind, and no list of the platform contains one.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../../emulator/core/clock.ts'
import { SystemIdSource } from '../../../../emulator/core/id-source.ts'
import { epochMillis } from '../../../../emulator/core/time.ts'
import { createSchemaBuilder } from '../../../../emulator/database/template/schema-builder.ts'
import { listPrepared } from '../../../../emulator/database/template/stock/prepared-schemas.ts'
import { spawnCli, temporaryFolder } from '../../../support/cli-process.ts'
import { settleStock } from '../../../support/settle-stock.ts'
import { openEmbeddedEngine } from '../../../support/test-engine.ts'
import { until } from '../../../support/until.ts'

// After this many new files, a clone is incomplete. A clone of the demo's template has more than 100 files.
const SOME_FILES = 30

const folder = temporaryFolder()
afterAll(() => folder.remove())

describe('a process killed while it prepares clones', () => {
  it('leaves no clone behind, and lists no prepared clone', async () => {
    const { child, ended, ready } = spawnCli([
      'start',
      '--data-dir',
      folder.path,
      '--port',
      '0',
      '--json',
    ])
    const { auth_url: url, groups, platform } = await ready
    const [group] = groups
    const call = async (path: string, key: string | undefined, body?: unknown) => {
      const response = await fetch(`${url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return await response.text()
    }
    const tenants = `/groups/v1/${group?.id}/tenants`
    await call(tenants, group?.group_api_key, { slug: 'first_victim' })
    const cluster = join(folder.path, 'postgres')
    const before = filesIn(cluster)
    await until(() => filesIn(cluster) > before + SOME_FILES, 30_000)
    const lists = await Promise.all([
      call(tenants, group?.group_api_key),
      call('/platform/v1/projects', platform.session_token),
      call('/_emulator/v1/info', platform.session_token),
      call('/_emulator/v1/overview', platform.session_token),
    ])
    child.kill('SIGKILL')
    await ended
    for (const list of lists) expect(list).not.toContain('prepared')
    expect(lists[0]).toContain('first_victim')

    const { engine } = await openEmbeddedEngine({ dataDir: cluster })
    const closing = new AbortController()
    try {
      expect(await listPrepared(engine)).toHaveLength(1)
      const wallClock = new ManualClock(epochMillis(0))
      createSchemaBuilder({
        engine,
        lifecycle: { listen: () => {} },
        fidelity: 'full',
        stock: {
          wallClock,
          ids: new SystemIdSource(),
          observe: (observation) => expect.unreachable(observation.kind),
          closing: closing.signal,
        },
      })
      await settleStock(engine, wallClock)
      expect(await listPrepared(engine)).toEqual([])
    } finally {
      closing.abort()
      await engine.close()
    }
  }, 120_000)
})

function filesIn(cluster: string): number {
  const databases = readdirSync(join(cluster, 'base'))
  return Math.max(
    ...databases.map((database) => readdirSync(join(cluster, 'base', database)).length),
  )
}
