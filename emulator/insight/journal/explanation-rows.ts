// Reads and writes the explanations of refusals in SQLite. The journal keeps an explanation as long as its entry, because the state
// that decided a request may be gone later.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { AccessChain } from '../../contract/explain.ts'
import type { JournalEntry } from '../../contract/journal.ts'
import type { SystemDb } from '../../database/system-db/system-db.ts'

/** One statement for a migration. `packed` is compressed JSON: 1 to 3 KB become a third (measured). */
export const EXPLANATIONS_TABLE =
  'create table explanations (sequence integer primary key, packed blob not null) strict'

export type ExplainedEntry = Pick<JournalEntry, 'sequence' | 'request_id'>

export interface ExplanationRows {
  /** Keeps the explanation of an entry. The entry need not be written yet. @throws SQLite's error */
  keep(entry: ExplainedEntry, explanation: AccessChain): void
  find(entry: ExplainedEntry): AccessChain | undefined
  clear(): void
}

export function openExplanationRows(db: SystemDb): ExplanationRows {
  const insert = db.prepare<[number, Uint8Array]>(
    'insert or replace into main.explanations (sequence, packed) values (?, ?)',
  )
  const select = db.prepare<[number], { readonly packed: Uint8Array }>(
    'select packed from main.explanations where sequence = ?',
  )
  return {
    keep: ({ sequence }, explanation) => {
      insert.run(sequence, deflateRawSync(JSON.stringify(explanation)))
    },
    find: ({ sequence, request_id: requestId }) => {
      const row = select.get(sequence)
      if (row === undefined) return undefined
      // Only `keep` writes this column.
      const explanation = JSON.parse(inflateRawSync(row.packed).toString()) as AccessChain
      // After a crash, an entry can get the number of an entry that was explained but not yet written.
      return explanation.request_id === requestId ? explanation : undefined
    },
    clear: () => {
      db.prepare('delete from main.explanations').run()
    },
  }
}
