// Remembers when a project's structure and keys changed last, so that the home screen can tell whether a problem was seen since.
import type { Clock } from '../../../core/clock.ts'
import type { EpochMillis } from '../../../core/time.ts'
import type { Lifecycle } from '../../../platform/projects/lifecycle.ts'

export interface LastChange {
  readonly change: 'start' | 'restored' | 'structure' | 'keys'
  /** Wall-clock time. */
  readonly at: EpochMillis
}

export interface LastChanges {
  /** Returns the last change of the structure or keys. When none is known, returns the emulator's start or its last restore. */
  of(schemaName: string | null, what: 'structure' | 'keys'): LastChange
}

export function watchChanges(lifecycle: Pick<Lifecycle, 'listen'>, wallClock: Clock): LastChanges {
  const structures = new Map<string, EpochMillis>()
  const keys = new Map<string, EpochMillis>()
  let oldest: LastChange = { change: 'start', at: wallClock.now() }
  lifecycle.listen({
    schemaChanged: ({ schemaName }) => {
      structures.set(schemaName, wallClock.now())
    },
    keysReplaced: ({ schemaName }) => {
      keys.set(schemaName, wallClock.now())
    },
    offline: ({ schemaName }) => {
      structures.delete(schemaName)
      keys.delete(schemaName)
    },
    stateReplaced: () => {
      structures.clear()
      keys.clear()
      oldest = { change: 'restored', at: wallClock.now() }
    },
  })
  return {
    of: (schemaName, what) => {
      const at = (what === 'keys' ? keys : structures).get(schemaName ?? '')
      return at === undefined ? oldest : { change: what, at }
    },
  }
}
