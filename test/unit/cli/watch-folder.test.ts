// Which saves the watcher of `tenantry dev` reports: those after the folder was read, but not those before.
import { watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { watchFolder } from '../../../emulator/cli/commands/dev/watch-folder.ts'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { temporaryFolder } from '../../support/cli-process.ts'
import { until } from '../../support/until.ts'

it('does not report files that were saved before the folder was read', async () => {
  const folder = temporaryFolder()
  const wallClock = new ManualClock(epochMillis(0))
  let events = 0
  const witness = watch(folder.path, () => {
    events += 1
  })
  let reports = 0
  const watched = watchFolder(folder.path, {
    wallClock,
    ignored: () => [],
    onChange: () => {
      reports += 1
    },
    onProblem: () => {},
  })
  /** Writes a file, and waits until a second watcher of the folder has received the change. */
  const save = async (name: string): Promise<void> => {
    const before = events
    writeFileSync(join(folder.path, name), 'text')
    await until(() => events > before)
  }
  try {
    await save('before')
    watched.noteRead()
    wallClock.advance(1_000)
    expect(reports).toBe(0)
    await save('after')
    wallClock.advance(1_000)
    expect(reports).toBe(1)
  } finally {
    watched.close()
    witness.close()
    folder.remove()
  }
})
