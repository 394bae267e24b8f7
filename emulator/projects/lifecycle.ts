// How services hear of a project's fate without the control plane knowing them: a port declared here, wired in layer 5.
import type { Project } from './project.ts'

/** What closes a socket or ends a subscription when the platform is put into another state. */
export const STATE_REPLACED = 'the platform was put back into another state'

/** What a purge removed, summed over all listeners (docs/wire/platform.md#purge). */
export interface Erased {
  readonly bucketsDeleted: number
  readonly objectsDeleted: number
}

/** Told about a project's steps. Each must be safe to repeat: the sweep at start calls it again after a crash. */
export interface LifecycleListener {
  /** The project is offline from now on: drop caches, close sockets. */
  offline?(project: Project): void
  /** Older keys and all that was issued for them are refused from now on. */
  keysReplaced?(project: Project): void
  /** The tenant's tables, functions or policies may have changed. */
  schemaChanged?(project: Project): void
  /** The whole platform is in another state than before: whatever was remembered of any project may be wrong. */
  stateReplaced?(): void
  /** Erase what this service keeps of the project. */
  purge?(project: Project): Promise<Erased>
}

export interface Lifecycle {
  listen(listener: LifecycleListener): void
  offline(project: Project): void
  keysReplaced(project: Project): void
  schemaChanged(project: Project): void
  stateReplaced(): void
  purge(project: Project): Promise<Erased>
}

/** Calls all listeners in the order in which they were added. */
export function createLifecycle(): Lifecycle {
  const listeners: LifecycleListener[] = []
  return {
    listen: (listener) => {
      listeners.push(listener)
    },
    offline: (project) => {
      for (const listener of listeners) listener.offline?.(project)
    },
    keysReplaced: (project) => {
      for (const listener of listeners) listener.keysReplaced?.(project)
    },
    schemaChanged: (project) => {
      for (const listener of listeners) listener.schemaChanged?.(project)
    },
    stateReplaced: () => {
      for (const listener of listeners) listener.stateReplaced?.()
    },
    purge: async (project) => {
      let bucketsDeleted = 0
      let objectsDeleted = 0
      for (const listener of listeners) {
        const erased = await listener.purge?.(project)
        bucketsDeleted += erased?.bucketsDeleted ?? 0
        objectsDeleted += erased?.objectsDeleted ?? 0
      }
      return { bucketsDeleted, objectsDeleted }
    },
  }
}
