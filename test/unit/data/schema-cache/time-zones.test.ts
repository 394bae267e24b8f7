// The list of time zones is loaded once, and a failed load is tried again once.
import { expect, it } from 'vitest'
import type { Engine } from '../../../../emulator/database/engine.ts'
import { createSchemaCaches } from '../../../../emulator/services/data/schema-cache/cache.ts'

it('does not discard a newer load when the handlers of an older failed load run late', async () => {
  const failures: ((error: Error) => void)[] = []
  const admin: Engine['admin'] = () =>
    new Promise((_, reject) => {
      failures.push(reject)
    })
  const caches = createSchemaCaches({ admin } as Pick<Engine, 'admin'> as Engine)
  const asked: Promise<unknown>[] = []
  const ask = (): void => {
    asked.push(caches.timeZones().catch(() => undefined))
  }
  // Calls after the first one must not add a handler that would clear a newer load.
  const first = caches.timeZones().catch(ask)
  ask()
  ask()
  failures[0]?.(new Error('the engine stopped'))
  await first
  await Promise.resolve()
  ask()
  expect(failures.length).toBe(2)
})
