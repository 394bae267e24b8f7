// The rows of the platform's database as JSON in a bundle. Rows are written into a database that this release's own migrations
// made, so a bundle cannot bring triggers, views or indexes.
import type { z } from 'zod'
import { parseJson } from '../../../core/json.ts'
import type { SystemDb } from '../../../database/system-db/system-db.ts'
import { BundledRecords, RECORD_TABLES, type Row } from './record-tables.ts'

/** Returns the content of `records.json`. */
export function dumpRecords(db: Pick<SystemDb, 'prepare'>): string {
  const counters = db
    .prepare<[], { name: string; seq: number }>('select name, seq from sqlite_sequence')
    .all()
    .filter(({ name }) => RECORD_TABLES.has(name))
  return JSON.stringify({
    counters: Object.fromEntries(counters.map(({ name, seq }) => [name, seq])),
    tables: Object.fromEntries(
      [...RECORD_TABLES].map(([name, row]) => [name, rowsOf(db, name, row)]),
    ),
  })
}

// Reads rows in the order of their rowids, on which the platform's lists rely. A table `without rowid` is ordered by its first
// two columns.
function rowsOf(db: Pick<SystemDb, 'prepare'>, table: string, row: z.ZodObject): readonly Row[] {
  const columns = columnsOf(row)
  const hasRowid =
    db
      .prepare<[string], { wr: number }>('select wr from pragma_table_list where name = ?')
      .get(table)?.wr === 0
  const order = hasRowid ? 'rowid' : '1, 2'
  return db.prepare<[], Row>(`select ${columns} from "${table}" order by ${order}`).all()
}

/**
 * Parses `records.json`.
 * @returns `undefined` for a text that is not what `dumpRecords` of this release writes
 */
export function parseRecords(text: string): BundledRecords | undefined {
  return BundledRecords.safeParse(parseJson(text)).data
}

/** @param db an empty database with the tables of this release @throws {Error} of SQLite for rows that contradict each other */
export function loadRecords(db: SystemDb, { counters, tables }: BundledRecords): void {
  db.transaction(() => {
    for (const [table, row] of RECORD_TABLES) {
      const names = Object.keys(row.shape)
      const insert = db.prepare<(string | number | null)[]>(
        `insert into "${table}" (${columnsOf(row)}) values (${names.map(() => '?').join(', ')})`,
      )
      for (const cells of tables[table] ?? [])
        insert.run(...names.map((name) => cells[name] ?? null))
    }
    const count = db.prepare<[number, string]>(
      'update sqlite_sequence set seq = max(seq, ?) where name = ?',
    )
    const begin = db.prepare<[string, number]>(
      'insert into sqlite_sequence (name, seq) values (?, ?)',
    )
    for (const [table, seq] of Object.entries(counters))
      if (count.run(seq, table) === 0) begin.run(table, seq)
  })
}

function columnsOf(row: z.ZodObject): string {
  return Object.keys(row.shape)
    .map((name) => `"${name}"`)
    .join(', ')
}
