// Remembers which tenants failed their last rehearsal, until the steps or the tenant's structure change.
import type { Lifecycle } from '../../../platform/projects/lifecycle.ts'

export interface RehearsalNotes {
  /** @param failure why the rehearsal failed; `undefined` when it succeeded */
  note(schemaName: string, digest: string | undefined, failure: string | undefined): void
  /** Returns why the last rehearsal of these steps failed. */
  failureOf(schemaName: string, digest: string | undefined): string | undefined
}

interface Failure {
  /** Digest of all steps. */
  readonly digest: string | undefined
  readonly message: string
}

export function createRehearsalNotes(lifecycle: Pick<Lifecycle, 'listen'>): RehearsalNotes {
  const failures = new Map<string, Failure>()
  const forget = ({ schemaName }: { readonly schemaName: string }): void => {
    failures.delete(schemaName)
  }
  lifecycle.listen({
    schemaChanged: forget,
    offline: forget,
    stateReplaced: () => failures.clear(),
  })
  return {
    note: (schemaName, digest, message) => {
      if (message === undefined) failures.delete(schemaName)
      else failures.set(schemaName, { digest, message })
    },
    failureOf: (schemaName, digest) => {
      const failure = failures.get(schemaName)
      return failure?.digest === digest ? failure?.message : undefined
    },
  }
}
