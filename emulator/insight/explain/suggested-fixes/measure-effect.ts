// Measures which rows statements of the owner open and hide: applies them in a transaction that is rolled back and compares what
// identities see. For writes, evaluates the policies that the table has after the statements.

import type { SchemaName } from '../../../core/names.ts'
import { searchPathOf } from '../../../database/as-principal.ts'
import { type Answer, SqlError, wasNotBegun } from '../../../database/engine.ts'
import type { EngineRehearsals, RehearsalQuestions } from '../../../database/rehearsal.ts'
import { tenantScript } from '../../../database/sql.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { analyseScript } from '../../../platform/owner-sql/analyse-script.ts'
import { type SecuredTable, securedTableQuery } from '../../tables/table.ts'
import { affectedPairs, pairRelations } from '../../visibility/affected.ts'
import { readStates } from '../../visibility/read-states.ts'
import {
  ownerQuestion,
  type RehearseScripts,
  scriptRehearsal,
} from '../../visibility/rehearse-scripts.ts'
import { countsQuery } from '../../visibility/relations.ts'
import { findVisibility } from '../../visibility/visibility.ts'
import type { ExplainDeps } from '../rows/explain-rows.ts'
import { type MeasuredEffect, pairExchanged } from './effect.ts'
import type { MeasuredIdentity } from './measured-identities.ts'
import type { RowTexts, Statement } from './what-if.ts'
import { type WriteRows, writeChanges } from './write-effect.ts'

export interface EffectDeps {
  readonly explain: ExplainDeps
  readonly rehearsals: EngineRehearsals
}

export interface EffectOrder {
  /** The statements; empty when only the claims of the identity change. */
  readonly sql: string
  readonly relation: string
  readonly statement: Statement
  readonly identities: readonly MeasuredIdentity[]
  /** The row before and after the statements, when they change the row itself. */
  readonly row?: { readonly before: RowTexts; readonly after: RowTexts } | undefined
}

/** Measures fixes of one project one after another, and reads the state without a fix only once. */
export class EffectMeter {
  readonly #deps: EffectDeps
  readonly #schemaName: SchemaName
  readonly #nothing: RehearseScripts

  constructor(deps: EffectDeps, schemaName: SchemaName) {
    this.#deps = deps
    this.#schemaName = schemaName
    const nothing = this.#rehearsalOf([])
    let known: ReturnType<RehearseScripts> | undefined
    this.#nothing = (questions) => {
      known ??= nothing(questions)
      return known
    }
  }

  /** Returns the error when the statements cannot run. @throws {SqlError} when the engine did not begin the work */
  async measure(order: EffectOrder): Promise<MeasuredEffect | SqlError> {
    const text = await this.#textOf(order.sql)
    if (text instanceof SqlError) return text
    const rehearse = text === '' ? this.#rehearsalOf([]) : this.#rehearsalOf([text])
    try {
      return await this.#compare(order, rehearse)
    } catch (error) {
      if (!(error instanceof SqlError) || wasNotBegun(error)) throw error
      return { changes: [], notes: [`The rows were not compared: ${error.message}.`] }
    }
  }

  async #compare(
    order: EffectOrder,
    rehearse: RehearseScripts,
  ): Promise<MeasuredEffect | SqlError> {
    const counts = ownerQuestion(this.#schemaName, countsQuery(this.#schemaName))
    const table = tableQuestion(this.#schemaName, order.relation)
    const tried = await rehearse({
      before: [counts, table.question],
      after: [counts, table.question],
    })
    const error = tried.scripts.at(-1)?.error
    if (error !== undefined) return error
    const { after, before } = await readStates(
      { rehearse, nothing: this.#nothing },
      this.#schemaName,
      tried,
    )
    const hasOtherClaims = order.identities.some(({ principalAfter }) => principalAfter)
    const pairs = hasOtherClaims ? pairRelations(before, after) : affectedPairs(before, after)
    const seen = await findVisibility(rehearse, pairs, order.identities)
    const reads = seen.changes.flatMap(
      ({ gainedExample, hasKey, identity: reader, lostExample, ...change }) => {
        const identity = order.identities.find((one) => one === reader)
        const example = gainedExample ?? lostExample
        const rows =
          hasKey || order.row === undefined ? { ...change, changed: 0 } : pairExchanged(change)
        return identity === undefined
          ? []
          : [{ ...change, ...rows, command: 'select' as const, identity, example }]
      },
    )
    const writes = await this.#writes(
      order,
      table.decode(tried.before[1]),
      table.decode(tried.after[1]),
    )
    return { changes: [...reads, ...writes.changes], notes: [...seen.notes, ...writes.notes] }
  }

  async #writes(
    order: EffectOrder,
    before: SecuredTable | undefined,
    after: SecuredTable | undefined,
  ): Promise<MeasuredEffect> {
    if (before === undefined || after === undefined) return { changes: [], notes: [] }
    const rows: WriteRows = { statement: order.statement, row: order.row }
    return writeChanges(this.#deps.explain, { before, after }, order.identities, rows)
  }

  async #textOf(sql: string): Promise<string | SqlError> {
    if (sql === '') return ''
    const analysis = analyseScript(await loadSqlParser(), sql, this.#schemaName)
    switch (analysis.kind) {
      case 'ready':
        return analysis.text
      case 'refused':
        return new SqlError(analysis.refusal.code, analysis.refusal.message)
      case 'broken':
        return new SqlError(analysis.code, analysis.message)
      default:
        return analysis satisfies never
    }
  }

  #rehearsalOf(texts: readonly string[]): RehearseScripts {
    return scriptRehearsal(this.#deps.rehearsals, this.#schemaName, texts.map(tenantScript), {})
  }
}

/** Returns the question that reads a table's description with its policies and grants. */
export function tableQuestion(
  schemaName: SchemaName,
  relation: string,
): {
  readonly question: RehearsalQuestions
  readonly decode: (answer: Answer | undefined) => SecuredTable | undefined
} {
  const { decode, statement } = securedTableQuery(schemaName, relation)
  const settings = { search_path: searchPathOf(schemaName) }
  return {
    question: { ...ownerQuestion(schemaName, statement), settings },
    decode: (answer) =>
      answer === undefined || answer instanceof SqlError ? undefined : decode(answer),
  }
}
