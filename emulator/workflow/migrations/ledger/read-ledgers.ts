// Reads the ledgers of many projects with one query. The platform's own queries may not read rows of a project, but may read the
// comments of the ledgers' tables, which repeat the rows (ledger/ledger.ts).
import { LEDGER_TABLE, type SchemaName } from '../../../core/names.ts'
import type { Engine } from '../../../database/engine.ts'
import { readTogether } from '../../../database/read-together.ts'
import { literal, sql } from '../../../database/sql.ts'
import type { Exec } from '../apply/fleet.ts'
import { type Ledger, ledgerOfComment, NO_LEDGER } from './ledger.ts'
import { type ReadLedger, readLedger } from './read-ledger.ts'

/** A ledger, and a text that is equal for equal ledgers. */
export interface KnownLedger {
  readonly ledger: Ledger
  readonly key: string
}

export interface LedgerReader {
  /** Returns the ledger, or why it cannot be read. */
  of(
    schemaName: string,
    exec: Exec,
  ): Promise<KnownLedger | (ReadLedger & { readonly kind: 'failed' })>
}

/** @throws {SqlError} when the database does not answer */
export async function readLedgers(
  engine: Engine,
  schemaNames: readonly SchemaName[],
): Promise<LedgerReader> {
  const comments = await readComments(engine, schemaNames)
  // Ledgers by comment. Clones of one version have the same comment, and therefore share one ledger object.
  const parsed = new Map<string, KnownLedger>()
  return {
    of: async (schemaName, exec) => {
      if (!comments.has(schemaName)) return { ledger: NO_LEDGER, key: '' }
      const comment = comments.get(schemaName) ?? ''
      const ledger = ledgerOfComment(comment)
      const known =
        parsed.get(comment) ?? (ledger === undefined ? undefined : { ledger, key: comment })
      if (known === undefined) return fromRows(exec)
      parsed.set(comment, known)
      return known
    },
  }
}

// Reads the rows of a ledger whose comment was replaced by the owner.
async function fromRows(
  exec: Exec,
): Promise<KnownLedger | (ReadLedger & { readonly kind: 'failed' })> {
  const read = await readLedger(exec)
  if (read.kind === 'failed') return read
  const key = JSON.stringify(
    read.ledger.applied.map(({ checksum, statements_done, version }) => [
      version,
      checksum,
      statements_done,
    ]),
  )
  return { ledger: read.ledger, key }
}

async function readComments(
  engine: Engine,
  schemaNames: readonly SchemaName[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const read = await readTogether(engine, schemaNames, () => [
    sql`select n.nspname as name, obj_description(c.oid, 'pg_class') as comment
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relname = ${literal(LEDGER_TABLE)} and c.relkind = 'r' and n.nspname like 'proj\\_%'`,
  ])
  return new Map(read.map(({ comment, name = '' }) => [name, comment]))
}
