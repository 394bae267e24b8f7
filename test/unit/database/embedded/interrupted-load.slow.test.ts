// When a process is killed during a restore, the next start completes the restore.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadOf, stateFiles } from '../../../../emulator/database/embedded/cluster/cluster-files.ts'
import { announceLoad } from '../../../../emulator/database/embedded/cluster/pending-load.ts'
import {
  createTestTenant,
  lastCell,
  openTestEngine,
  runAsOwner,
} from '../../../support/test-engine.ts'

it('completes the load of a state at the next start when the process was killed during the load', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'interrupted-load-'))
  const cluster = join(folder, 'cluster')
  const image = join(folder, 'killed')
  const { engine } = await openTestEngine({ folder })
  await createTestTenant(engine, 'proj_a')
  await engine.save(image)
  await runAsOwner(engine, 'proj_a', 'drop table notes cascade; create table other_table ()')
  await engine.close()
  announceLoad(cluster, loadOf(cluster, image))
  for (const path of stateFiles(cluster).slice(0, 20)) rmSync(join(cluster, path))

  const { engine: again } = await openTestEngine({ folder })
  const tables = "select count(*) || ' ' || (to_regclass('other_table') is null) from notes"
  const found = lastCell(await runAsOwner(again, 'proj_a', tables))
  await again.close()
  rmSync(folder, { recursive: true })
  expect(found).toBe('2 true')
})
