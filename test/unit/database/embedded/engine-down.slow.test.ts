// An engine that died and does not start again: work fails at once with the reason, and continues once an engine starts.
import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureClusterImage } from '../../../../emulator/database/embedded/cluster/cluster-image.ts'
import { sql } from '../../../../emulator/database/sql.ts'
import { temporaryFolder } from '../../../support/cli-process.ts'
import {
  createTestTenant,
  lastCell,
  type OpenedTestEngine,
  openEmbeddedEngine,
  runAsOwner,
  runAsRole,
} from '../../../support/test-engine.ts'
import { until } from '../../../support/until.ts'

const TENANT = 'proj_down'
const folder = temporaryFolder()
const image = join(folder.path, 'image')
let opened: OpenedTestEngine
beforeAll(async () => {
  copyFileSync(await ensureClusterImage(), image)
  opened = await openEmbeddedEngine({ dataDir: join(folder.path, 'data'), clusterImage: image })
  await createTestTenant(opened.engine, TENANT)
  await runAsOwner(
    opened.engine,
    TENANT,
    // Two nested blocks catch the cancellation, so that one of them is active at any moment.
    `create function never_ends() returns void language plpgsql as $$
     begin
       loop
         begin
           loop
             begin loop null; end loop; exception when query_canceled then null; end;
           end loop;
         exception when query_canceled then null;
         end;
       end loop;
     end $$`,
  )
})
afterAll(async () => {
  await opened.engine.close()
  folder.remove()
})

describe('an engine that does not start again', () => {
  it('fails all work at once, and accepts work again after a later start succeeds', async () => {
    const { engine, observed } = opened
    renameSync(image, `${image}.away`)
    const endless = runAsRole(engine, TENANT, 'service_role', [sql`select never_ends()`], {
      // Even on a busy machine, the function enters the loop that ignores cancellation before this deadline.
      timeoutMillis: 2_000,
    })
    const queued = runAsOwner(engine, TENANT, 'select 1')
    await expect(endless).rejects.toMatchObject({ code: '57P02' })
    await expect(queued).rejects.toMatchObject({ code: '57P03', retryAfterSeconds: 1 })
    await expect(engine.setTime({ kind: 'offset', offsetMillis: 0 })).rejects.toMatchObject({
      code: '57P03',
      message: expect.stringContaining('ENOENT'),
    })
    expect(engine.stats().down).toContain('ENOENT')
    renameSync(`${image}.away`, image)
    await until(() => observed.some(({ kind }) => kind === 'engineRestarted'), 30_000)
    expect(lastCell(await runAsOwner(engine, TENANT, 'select count(*) from notes'))).toBe('2')
    expect(engine.stats().down).toBeUndefined()
  })
})
