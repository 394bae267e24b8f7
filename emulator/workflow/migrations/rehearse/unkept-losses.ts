// Finds the rows and values that steps lose permanently in one project, because its ledger does not keep them.
import { SqlError } from '../../../database/engine.ts'
import type { TenantScript } from '../../../database/sql.ts'
import { tenantScript } from '../../../database/sql.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import type { RehearseScripts } from '../../../insight/visibility/rehearse-scripts.ts'
import { mayChangeData } from '../redo/data-statements.ts'
import { type Loss, lossesOf, WOULD_LOSE } from '../redo/losses.ts'
import { findChanged, findLost, HAS_CHANGED, watchBefore } from '../redo/unkept-losses.ts'
import type { StepScript } from './step-scripts.ts'

export interface WatchedScripts {
  /** Scripts that succeeded in the rehearsal. */
  readonly scripts: readonly StepScript[]
  /** Index of the first script whose losses are found. */
  readonly from: number
  /** Whether rows that the ledger keeps also count as lost. */
  readonly withKept: boolean
}

/**
 * Rehearses the scripts again to find the tables that they change, and then once more with copies of these tables.
 * @throws {SqlError} when the engine did not carry the work out
 */
export async function findUnkeptLosses(
  rehearsalOf: (scripts: readonly TenantScript[]) => RehearseScripts,
  parser: SqlParser,
  { from, scripts, withKept }: WatchedScripts,
): Promise<readonly Loss[]> {
  if (!scripts.slice(from).some(({ text }) => mayChangeData(parser, text))) return []
  const texts = scripts.map(({ withoutEntry }) => withoutEntry)
  const watched = async (copied: readonly string[], question: string): Promise<unknown> => {
    const rehearse = rehearsalOf([
      ...texts.slice(0, from),
      tenantScript(watchBefore(copied, withKept)),
      ...texts.slice(from),
      tenantScript(question),
    ])
    return (await rehearse({ before: [], after: [] })).scripts.at(-1)?.error
  }
  const changed = await watched([], findChanged())
  if (changed === undefined) return []
  const lost = await watched(namesOf(changed), findLost())
  if (lost === undefined) return []
  if (lost instanceof SqlError && lost.code === WOULD_LOSE) return lossesOf(lost.message)
  throw lost
}

function namesOf(changed: unknown): readonly string[] {
  if (changed instanceof SqlError && changed.code === HAS_CHANGED)
    return JSON.parse(changed.message) as readonly string[]
  throw changed
}
