// Counts for each table of a project how many of its rows an identity can read (contract/readable-tables.ts). Every table is counted
// in a job of its own, so that a slow or raising policy does not affect the other tables.

import type { ReadableTable, ReadableTables } from '../../../contract/readable-tables.ts'
import { ownerRoleOf } from '../../../core/names.ts'
import { searchPathOf } from '../../../database/as-principal.ts'
import { cellText, SqlError, type StatementResult } from '../../../database/engine.ts'
import { PLAIN_FORMATS } from '../../../database/row-reader.ts'
import { type Sql, sql } from '../../../database/sql.ts'
import type { ResolvedIdentity } from '../../api-kit/identities.ts'
import { loadSecuredTables, type SecuredTable, tableOf } from '../../tables/table.ts'
import { readAs } from '../../visibility/ask-identities.ts'
import { judgeTable } from '../policies/table-verdict.ts'
import { isTooSlow, timeLeft } from './evaluate.ts'
import type { ExplainDeps } from './explain-rows.ts'

/** Maximum duration of counting one table, in wall-clock milliseconds. */
const COUNT_MILLIS = 2_000

type Verdict = ReturnType<typeof judgeTable>

/** @throws {SqlError} when the catalogue cannot be read */
export async function readableTables(
  deps: ExplainDeps,
  { identity, principal }: ResolvedIdentity,
): Promise<ReadableTables> {
  const startedAt = deps.wallClock.now()
  const left = timeLeft(deps.wallClock)
  const counter = new Counter(deps, principal, left)
  const answers: ReadableTable[] = []
  for (const table of await loadSecuredTables(deps.reader, principal.schemaName)) {
    const { role } = identity
    const verdict = judgeTable({
      relation: table.name,
      table,
      role,
      command: 'select',
      written: [],
    })
    answers.push({ name: table.name, ...(await counter.count(table, verdict)) })
  }
  return { identity, tables: answers, duration_ms: deps.wallClock.now() - startedAt }
}

type Answer = Omit<ReadableTable, 'name'>

class Counter {
  readonly #deps: ExplainDeps
  readonly #principal: ResolvedIdentity['principal']
  readonly #left: () => number

  constructor(deps: ExplainDeps, principal: ResolvedIdentity['principal'], left: () => number) {
    this.#deps = deps
    this.#principal = principal
    this.#left = left
  }

  async count(table: SecuredTable, { verdict, sentence }: Verdict): Promise<Answer> {
    const refused = verdict === 'missing_grant' || verdict === 'closed_table'
    if (refused) return { reads: 'refused', visible: null, total: null, sentence }
    try {
      const total = await this.#total(table)
      if (verdict === 'no_policy') return { reads: 'none', visible: 0, total, sentence }
      if (verdict === 'rls_off' || verdict === 'bypasses_policies')
        return { reads: readsOf(total, total), visible: total, total, sentence }
      const visible = await this.#visible(table)
      return { reads: readsOf(visible, total), visible, total, sentence }
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      const reason = isTooSlow(error)
        ? `Counting ${table.name} took too long.`
        : `Postgres cannot count ${table.name}: ${error.message} (SQLSTATE ${error.code}).`
      return { reads: 'unknown', visible: null, total: null, sentence: reason }
    }
  }

  async #total(table: SecuredTable): Promise<number> {
    const { engine, reader } = this.#deps
    const { schemaName } = table
    const statements = [countOf(table)]
    if (table.kind !== 'view' && table.kind !== 'foreign_table')
      return numberOf((await reader.read(schemaName, statements))[0]?.rows)
    // A view may run the tenant's code, so its owner counts its rows.
    const { results } = await engine.run({
      actor: { schemaName, role: ownerRoleOf(schemaName) },
      settings: { search_path: searchPathOf(schemaName), ...PLAIN_FORMATS },
      mode: 'readOnly',
      statements,
      end: 'rollback',
      timeoutMillis: this.#millis(),
    })
    return numberOf(results[0]?.rows)
  }

  async #visible(table: SecuredTable): Promise<number> {
    const { name: relation } = table
    const reading = { relation, statement: countOf(table), timeoutMillis: this.#millis() }
    return numberOf(await readAs(this.#deps.engine, this.#principal, reading))
  }

  #millis(): number {
    return Math.max(1, Math.min(COUNT_MILLIS, this.#left()))
  }
}

function countOf(table: SecuredTable): Sql {
  return sql`select pg_catalog.count(*) from ${tableOf(table.schemaName, table)}`
}

function numberOf(rows: StatementResult['rows'] | undefined): number {
  return Number(cellText(rows?.[0]?.[0]))
}

function readsOf(visible: number, total: number): Answer['reads'] {
  if (total === 0) return 'empty'
  if (visible === 0) return 'none'
  return visible < total ? 'some' : 'all'
}
