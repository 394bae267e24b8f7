// Remembers the texts of steps that ran, because a ledger has only their checksums. A step that changed is compared with the
// text that ran.
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

/** Number of texts that are kept. The oldest ones are forgotten first. */
const MAX_TEXTS = 2_000
/** Longer texts are not kept, in characters. */
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
      // Asks the table each time: a restored snapshot brings an older one.
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
