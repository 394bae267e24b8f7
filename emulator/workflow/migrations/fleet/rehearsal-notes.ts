// Remembers the last rehearsal of each project, until the steps or the project's structure change.
import type { ProjectRehearsal } from '../../../contract/rehearsals.ts'
import type { Lifecycle } from '../../../platform/projects/lifecycle.ts'

export interface RehearsalNotes {
  /** @param digest digest of all steps that were rehearsed in the project */
  note(schemaName: string, digest: string | undefined, rehearsal: ProjectRehearsal): void
  /** Returns the last rehearsal, if exactly these steps were rehearsed. */
  rehearsalOf(schemaName: string, digest: string | undefined): ProjectRehearsal | undefined
  /** Returns why the last rehearsal of these steps failed. */
  failureOf(schemaName: string, digest: string | undefined): string | undefined
}

interface Note {
  readonly digest: string | undefined
  readonly rehearsal: ProjectRehearsal
}

export function createRehearsalNotes(lifecycle: Pick<Lifecycle, 'listen'>): RehearsalNotes {
  const notes = new Map<string, Note>()
  const forget = ({ schemaName }: { readonly schemaName: string }): void => {
    notes.delete(schemaName)
  }
  lifecycle.listen({
    schemaChanged: forget,
    offline: forget,
    stateReplaced: () => notes.clear(),
  })
  const find: RehearsalNotes['rehearsalOf'] = (schemaName, digest) => {
    const note = notes.get(schemaName)
    return note?.digest === digest ? note?.rehearsal : undefined
  }
  return {
    note: (schemaName, digest, rehearsal) => {
      notes.set(schemaName, { digest, rehearsal })
    },
    rehearsalOf: find,
    failureOf: (schemaName, digest) => find(schemaName, digest)?.error?.message,
  }
}
