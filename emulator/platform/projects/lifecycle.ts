// Interface through which the control plane informs services about changes of projects. assembly/ registers the listeners.
import type { Project } from './project.ts'

/** The reason given when a restored state closes sockets and subscriptions. */
export const STATE_REPLACED = 'the platform was put back into another state'

/** Numbers of buckets and objects that a purge removed (docs/wire/platform.md#purge). */
export interface Erased {
  readonly bucketsDeleted: number
  readonly objectsDeleted: number
}

/**
 * Callbacks for a project's transitions. Each callback must be safe to repeat, because the next start after a crash calls it
 * again.
 */
export interface LifecycleListener {
  /**
   * The project will go offline, or its keys will be replaced. The listener finishes work that needs the present state. It
   * resolves within a few seconds, and never rejects.
   */
  leaving?(project: Project): Promise<void>
  /** The project went offline. The listener drops caches and closes sockets. */
  offline?(project: Project): void
  /** Older keys and their tokens are refused from now on. */
  keysReplaced?(project: Project): void
  /** The tenant's tables, functions or policies may have changed. */
  schemaChanged?(project: Project): void
  /** The platform's state was restored. The listener drops the caches of all projects. */
  stateReplaced?(): void
  /** The listener erases the service's data of the project. */
  purge?(project: Project): Promise<Erased>
}

/** Calls all listeners in the order in which they were added. */
export class Lifecycle {
  readonly #listeners: LifecycleListener[] = []

  listen(listener: LifecycleListener): void {
    this.#listeners.push(listener)
  }

  async leaving(project: Project): Promise<void> {
    for (const listener of this.#listeners) await listener.leaving?.(project)
  }

  offline(project: Project): void {
    for (const listener of this.#listeners) listener.offline?.(project)
  }

  keysReplaced(project: Project): void {
    for (const listener of this.#listeners) listener.keysReplaced?.(project)
  }

  schemaChanged(project: Project): void {
    for (const listener of this.#listeners) listener.schemaChanged?.(project)
  }

  stateReplaced(): void {
    for (const listener of this.#listeners) listener.stateReplaced?.()
  }

  async purge(project: Project): Promise<Erased> {
    let bucketsDeleted = 0
    let objectsDeleted = 0
    for (const listener of this.#listeners) {
      const erased = await listener.purge?.(project)
      bucketsDeleted += erased?.bucketsDeleted ?? 0
      objectsDeleted += erased?.objectsDeleted ?? 0
    }
    return { bucketsDeleted, objectsDeleted }
  }
}
