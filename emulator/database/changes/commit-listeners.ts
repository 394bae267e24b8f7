// The listeners of an engine's commits. Both engines call them through this class.
import type { SchemaName } from '../../core/names.ts'
import type { Commit, CommitListener } from '../engine-changes.ts'

export class CommitListeners {
  readonly #listeners: CommitListener[] = []

  add(listener: CommitListener): void {
    this.#listeners.push(listener)
  }

  async committed(commit: Commit): Promise<void> {
    for (const listener of this.#listeners) {
      const done = listener.onCommit(commit)
      if (done !== undefined) await done
    }
  }

  /** Resolves when no listener reads rows of earlier commits any more. */
  async judged(schemaName: SchemaName): Promise<void> {
    await Promise.all(this.#listeners.map((listener) => listener.judged?.(schemaName)))
  }

  missed(schemaName: SchemaName, reason: string): void {
    for (const listener of this.#listeners) listener.onMissed(schemaName, reason)
  }
}
