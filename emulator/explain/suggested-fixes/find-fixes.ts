// Finds changes that reverse the verdict on one row for an identity: grants, policies, other row values, other claims. Evaluates
// every change before suggesting it, and counts the other rows that it would expose. Applies no change (contract/explain.ts,
// SuggestedFixes).

import { InspectorError } from '../../api-kit/errors.ts'
import type { ResolvedIdentity } from '../../api-kit/identities.ts'
import type { ClauseVerdict, SuggestedFix } from '../../contract/explain.ts'
import { EmulatorError } from '../../core/errors.ts'
import type { SchemaName } from '../../core/names.ts'
import { quoteIdentifier, quoteLiteral } from '../../database/sql.ts'
import type { Cells } from '../../tables/select-rows.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { timeLeft } from '../rows/evaluate.ts'
import type { ExplainDeps } from '../rows/explain-rows.ts'
import { makeNewRows, type NewRow } from '../rows/make-new-rows.ts'
import { readRows, type StoredRow, storedRow } from '../rows/stored-rows.ts'
import { claimChange } from './claim-changes.ts'
import {
  type Comparison,
  type Condition,
  comparisonsOf,
  EVERY_ROW,
  relationsTo,
  sameValue,
} from './conditions.ts'
import { policyChange } from './policy-changes.ts'
import {
  allowedRows,
  evaluationOf,
  judge,
  type RowTexts,
  type Statement,
  tableVerdict,
  type World,
  withGrants,
  withNewRows,
} from './what-if.ts'

export interface FixOrder extends Statement {
  readonly schemaName: SchemaName
  readonly relation: string
  readonly identity: ResolvedIdentity
  readonly key: Cells
}

/** Maximum number of other rows to evaluate. The number of exposed rows is unknown in a table with more rows. */
const MAX_OTHERS = 10_000
const MAX_OTHERS_REMADE = 1_000
const MAX_PROPOSALS = 40
const MAX_FIXES = 12

/** @throws {InspectorError} `not_found` for an unknown relation or row */
export async function findFixes(
  deps: ExplainDeps,
  order: FixOrder,
): Promise<readonly SuggestedFix[]> {
  const facts = await deps.findTable(order.schemaName, order.relation)
  if (facts === undefined)
    throw new InspectorError('not_found', `The project has no table or view ${order.relation}.`)
  const world: World = { facts, principal: order.identity.principal }
  const granted = withGrants(world, order)
  if (granted === undefined || facts.isClosed) return []
  const verdict = tableVerdict({ ...world, facts: granted.facts }, order)
  if (verdict === 'view') return granted.sql.length === 0 ? [] : [viewGrant(granted.sql)]
  if (verdict === 'error') return []
  const target = await targetOf(deps, world, order)
  const timed = { ...deps, timeLeft: timeLeft(deps.wallClock) }
  const search = new FixSearch(timed, order, world, target)
  return search.find({ ...world, facts: granted.facts }, granted.sql)
}

interface Target {
  readonly stored: StoredRow | undefined
  readonly texts: RowTexts
}

interface Proposal {
  readonly title: string
  readonly sql: readonly string[]
  readonly changes: SuggestedFix['changes']
  readonly world: World
  /** Set if the proposal changes the row itself. */
  readonly texts?: RowTexts
}

function viewGrant(sql: readonly string[]): SuggestedFix {
  return {
    title: 'Grant the missing privileges',
    sql: sql.join('\n'),
    exposes_rows: null,
    changes: 'grant',
  }
}

async function targetOf(deps: ExplainDeps, world: World, order: FixOrder): Promise<Target> {
  if (order.command === 'insert') {
    const [texts] = await withNewRows(deps, world, order, [])
    return { stored: undefined, texts: texts ?? { old: undefined, fresh: undefined } }
  }
  const selection = { keys: [order.key], limit: 1, offset: 0 }
  const [stored] = (await readRows(deps.reader, world.facts, selection)).rows
  if (stored === undefined)
    throw new InspectorError('not_found', `${order.relation} has no row with this key.`)
  const [texts] = await withNewRows(deps, world, order, [stored.text])
  return { stored, texts: texts ?? { old: stored.text, fresh: undefined } }
}

/** Returns whether a fix adds a policy or alters an existing policy. */
type PolicyEdit = 'new' | 'alter'
const BOTH: readonly PolicyEdit[] = ['new', 'alter']

class FixSearch {
  readonly #deps: ExplainDeps
  readonly #order: FixOrder
  readonly #world: World
  readonly #target: Target
  #closed: Promise<readonly RowTexts[] | undefined> | undefined

  constructor(deps: ExplainDeps, order: FixOrder, world: World, target: Target) {
    this.#deps = deps
    this.#order = order
    this.#world = world
    this.#target = target
  }

  /** @param granted the table and the identity with `grants` applied */
  async find(granted: World, grants: readonly string[]): Promise<readonly SuggestedFix[]> {
    if (await this.#passes(this.#world, this.#target.texts)) return []
    const grantAlone: Proposal = {
      title: `Grant ${this.#world.principal.role} the missing privileges`,
      sql: [],
      changes: 'grant',
      world: granted,
    }
    const isGranted = grants.length > 0 && (await this.#passes(granted, this.#target.texts))
    const proposals = isGranted ? [grantAlone] : await this.#proposals(granted)
    const fixes = new Map<string, SuggestedFix>()
    for (const proposal of proposals.slice(0, MAX_PROPOSALS)) {
      const sql = [...grants, ...proposal.sql].join('\n')
      if (fixes.size >= MAX_FIXES || fixes.has(sql)) continue
      if (!(await this.#passes(proposal.world, proposal.texts ?? this.#target.texts))) continue
      const { title, changes } = proposal
      fixes.set(sql, { title, sql, exposes_rows: await this.#exposed(proposal), changes })
    }
    return [...fixes.values()].sort((a, b) => exposure(a) - exposure(b))
  }

  async #passes(world: World, texts: RowTexts): Promise<boolean> {
    const allowed = await allowedRows(this.#deps, world, this.#order, [texts])
    return allowed?.[0] === true
  }

  async #proposals(granted: World): Promise<readonly Proposal[]> {
    const judged = await judge(this.#deps, granted, this.#order, [this.#target.texts], true)
    const clauses = judged?.[0]?.filter(({ allowed }) => !allowed) ?? []
    const comparisons = comparisonsOf(clauses, granted.facts.columns)
    const { facts, principal } = granted
    const rows = [this.#target.texts.old, this.#target.texts.fresh].flatMap((text) =>
      text === undefined ? [] : [storedRow(facts, text).cells],
    )
    const related = rows.flatMap((row) => relationsTo(principal.claims, facts.columns, row))
    return [
      ...related.flatMap((condition) => this.#policies(granted, clauses, condition, BOTH)),
      ...(await this.#rows(granted, comparisons)),
      ...this.#claims(granted, comparisons),
      ...this.#policies(granted, clauses, EVERY_ROW, ['new']),
      ...comparisons.flatMap((comparison) =>
        this.#policies(granted, clauses, sameValue(comparison), BOTH),
      ),
    ]
  }

  #policies(
    world: World,
    clauses: readonly ClauseVerdict[],
    condition: Condition,
    edits: readonly PolicyEdit[],
  ): readonly Proposal[] {
    const { facts, principal } = world
    return edits.flatMap((edit) => {
      const change = policyChange(facts, principal.role, clauses, condition, edit)
      return change === undefined ? [] : [policyProposal(world, change)]
    })
  }

  #claims(world: World, comparisons: readonly Comparison[]): readonly Proposal[] {
    return comparisons.flatMap((comparison) => {
      const change = claimChange(world, comparison)
      if (change === undefined) return []
      const { title, sql, principal } = change
      return [{ title, sql: [sql], changes: 'claims' as const, world: { ...world, principal } }]
    })
  }

  async #rows(world: World, comparisons: readonly Comparison[]): Promise<readonly Proposal[]> {
    const { stored } = this.#target
    // Policies may hide the row even from the owner's UPDATE if the table has FORCE ROW LEVEL SECURITY.
    if (stored === undefined || world.facts.forcesRowSecurity) return []
    const proposals: Proposal[] = []
    for (const { column, other } of comparisons) {
      if (other.value === null || column.generation !== null) continue
      const texts = await this.#remade(world, stored.text, { [column.name]: other.value })
      if (texts === undefined) continue
      proposals.push({
        title: `Set the row’s ${column.name} to ${other.value}`,
        sql: [updateSql(world.facts, stored, column.name, other.value)],
        changes: 'row',
        world,
        texts,
      })
    }
    return proposals
  }

  async #remade(world: World, text: string, values: NewRow): Promise<RowTexts | undefined> {
    const order = this.#order
    try {
      const [old] = await makeNewRows(evaluationOf(this.#deps, world, order), values, [text])
      if (old === undefined) return undefined
      return (await withNewRows(this.#deps, world, order, [old]))[0]
    } catch (error) {
      if (error instanceof EmulatorError) return undefined
      throw error
    }
  }

  // Counts the other rows that a fix would expose. The count is unknown for INSERT, because the rows do not exist yet.
  async #exposed({ world, changes }: Proposal): Promise<number | null> {
    if (changes === 'row') return 0
    if (this.#order.command === 'insert') return null
    this.#closed ??= this.#closedToday()
    const closed = await this.#closed
    if (closed === undefined) return null
    const allowed = await allowedRows(this.#deps, world, this.#order, closed)
    return allowed?.filter(Boolean).length ?? null
  }

  /** Returns the other rows that the identity may not access at present. */
  async #closedToday(): Promise<readonly RowTexts[] | undefined> {
    const max = this.#order.newRow === undefined ? MAX_OTHERS : MAX_OTHERS_REMADE
    const selection = { limit: max, offset: 0 }
    const { rows, total } = await readRows(this.#deps.reader, this.#world.facts, selection)
    if (total > max) return undefined
    const own = this.#target.stored?.text
    const at = rows.findIndex(({ text }) => text === own)
    const others = rows.filter((_, index) => index !== at).map(({ text }) => text)
    const texts = await withNewRows(this.#deps, this.#world, this.#order, others)
    const allowed = await allowedRows(this.#deps, this.#world, this.#order, texts)
    return allowed && texts.filter((_, index) => allowed[index] !== true)
  }
}

function policyProposal(
  world: World,
  {
    title,
    sql,
    facts,
  }: { readonly title: string; readonly sql: readonly string[]; readonly facts: SecuredTable },
): Proposal {
  return { title, sql, changes: 'policy', world: { ...world, facts } }
}

function exposure({ exposes_rows: rows }: SuggestedFix): number {
  return rows ?? Number.POSITIVE_INFINITY
}

function updateSql(facts: SecuredTable, { key }: StoredRow, column: string, value: string): string {
  const where = Object.entries(key).map(([name, cell]) =>
    cell === null
      ? `${quoteIdentifier(name)} is null`
      : `${quoteIdentifier(name)} = ${quoteLiteral(cell)}`,
  )
  return `update ${quoteIdentifier(facts.name)} set ${quoteIdentifier(column)} = ${quoteLiteral(value)} where ${where.join(' and ')};`
}
