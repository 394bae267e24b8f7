// Remembers the texts of steps that ran, because a ledger contains only their checksums. When a step changes, its new text is
// compared with the text that ran.
import type { SystemDb } from '../../../database/system-db/system-db.ts'
import type { Step } from '../steps/step.ts'

/** Appended to the migrations of `fleet/step-store.ts`. */
export const CREATE_TEXTS = `
    create table step_texts (
      seq integer primary key autoincrement,
      checksum text not null unique,
      sql text not null
    ) strict;
    `

/** Maximum number of texts. The store forgets the oldest ones first. */
const MAX_TEXTS = 2_000
/** Maximum length of a text in characters. The store keeps no longer text. */
const MAX_CHARACTERS = 1_048_576

export interface TextStore {
  remember(steps: readonly Step[]): void
  /** Returns the text with this checksum (`Step.checksum`). */
  of(checksum: string): string | undefined
}

export function createTextStore(db: SystemDb): TextStore {
  const find = db.prepare<[string], { sql: string }>(
    'select sql from step_texts where checksum = ?',
  )
  const isKept = db.prepare<[string], unknown>('select 1 from step_texts where checksum = ?')
  const insert = db.prepare<[string, string]>(
    'insert or ignore into step_texts (checksum, sql) values (?, ?)',
  )
  const prune = db.prepare<[number]>(
    'delete from step_texts where seq <= (select max(seq) from step_texts) - ?',
  )
  return {
    remember: (steps) => {
      // Reads the table each time, because restoring a snapshot may replace it by an older one.
      const added = steps.filter(
        ({ checksum, sql }) => sql.length <= MAX_CHARACTERS && isKept.get(checksum) === undefined,
      )
      if (added.length === 0) return
      db.transaction(() => {
        for (const { checksum, sql } of added) insert.run(checksum, sql)
        prune.run(MAX_TEXTS)
      })
    },
    of: (checksum) => find.get(checksum)?.sql,
  }
}
