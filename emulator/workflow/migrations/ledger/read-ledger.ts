// Reads the ledger of a project.
import type { Exec } from '../apply/fleet.ts'
import { type Ledger, ledgerOfRows, NO_LEDGER, READ_LEDGER, UNDEFINED_TABLE } from './ledger.ts'

/** A project's ledger, or why it cannot be read. */
export type ReadLedger =
  | { readonly kind: 'read'; readonly ledger: Ledger }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }

export async function readLedger(exec: Exec): Promise<ReadLedger> {
  const outcome = await exec(READ_LEDGER)
  if (outcome.kind === 'done') return { kind: 'read', ledger: ledgerOfRows(outcome.rows) }
  if (outcome.code === UNDEFINED_TABLE) return { kind: 'read', ledger: NO_LEDGER }
  return outcome
}
