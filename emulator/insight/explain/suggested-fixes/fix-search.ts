// Lists changes that reverse the verdict on one row for an identity: grants, policies, other values of the row, other claims.
// Evaluates every change on a copy of the table's description before listing it.
import type { ClauseVerdict } from '../../../contract/explain.ts'
import type { SuggestedFix } from '../../../contract/suggested-fixes.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import { quoteIdentifier, quoteLiteral } from '../../../database/sql.ts'
import { loadSqlParser, type SqlParser } from '../../../database/sql-parser.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { isAlwaysTrueText } from '../policies/always-true.ts'
import type { ExplainDeps } from '../rows/explain-rows.ts'
import { makeNewRows, type NewRow } from '../rows/make-new-rows.ts'
import { type StoredRow, storedRow } from '../rows/stored-rows.ts'
import {
  type Comparison,
  type Condition,
  comparisonsOf,
  publicFlags,
  relationsTo,
  rolesOf,
} from './conditions.ts'
import { type Membership, memberships, relatedNames, siblingNames } from './memberships.ts'
import { policyChange } from './policy-changes.ts'
import {
  allowedRows,
  evaluationOf,
  judge,
  type RowTexts,
  type Statement,
  type World,
  withNewRows,
} from './what-if.ts'

/** The row that the identity asks for. */
export interface Target {
  readonly stored: StoredRow | undefined
  readonly texts: RowTexts
}

/** A change that lets the identity reach the row. */
export interface Proposal {
  readonly title: string
  readonly sql: readonly string[]
  readonly changes: SuggestedFix['changes']
  readonly world: World
  /** Set if the proposal changes the row itself. */
  readonly texts?: RowTexts
}

export interface SearchOrder {
  readonly world: World
  readonly statement: Statement
  readonly target: Target
  /** The same table and identity, with the missing privileges granted. */
  readonly granted: World
  /** Whether privileges are missing. */
  readonly needsGrant: boolean
}

type PolicyEdit = Parameters<typeof policyChange>[4]

const MAX_PROPOSALS = 40
const MAX_RELATED = 12

/** Yields the kinds of change that open the fewest rows first. */
export async function* searchFixes(
  deps: ExplainDeps,
  order: SearchOrder,
): AsyncGenerator<Proposal> {
  const search = new FixSearch(deps, order)
  const { granted, needsGrant, target, world } = order
  if (needsGrant && (await search.passes(granted, target.texts))) {
    const title = `Grant ${world.principal.role} the missing privileges`
    yield { title, sql: [], changes: 'grant', world: granted }
    return
  }
  const tried = new Set<string>()
  for (const proposal of await search.proposals()) {
    const text = proposal.sql.join('\n')
    if (tried.size >= MAX_PROPOSALS || tried.has(text)) continue
    tried.add(text)
    if (await search.passes(proposal.world, proposal.texts ?? target.texts)) yield proposal
  }
}

/** Returns conditions that follow foreign keys from rows of the table to users. */
export async function membershipsOf(
  { findTable }: ExplainDeps,
  facts: SecuredTable,
): Promise<readonly Membership[]> {
  const load = async (names: readonly string[]): Promise<readonly SecuredTable[]> => {
    const some = names.slice(0, MAX_RELATED)
    const found = await Promise.all(some.map((name) => findTable(facts.schemaName, name)))
    return found.filter((table) => table !== undefined)
  }
  const nearest = await load(relatedNames(facts))
  const known = new Set(nearest.map(({ name }) => name))
  const siblings = siblingNames(facts, nearest).filter((name) => !known.has(name))
  return memberships(facts, [...nearest, ...(await load(siblings))])
}

class FixSearch {
  readonly #deps: ExplainDeps
  readonly #order: SearchOrder

  constructor(deps: ExplainDeps, order: SearchOrder) {
    this.#deps = deps
    this.#order = order
  }

  async passes(world: World, texts: RowTexts): Promise<boolean> {
    const allowed = await allowedRows(this.#deps, world, this.#order.statement, [texts])
    return allowed?.[0] === true
  }

  async proposals(): Promise<readonly Proposal[]> {
    const { granted, statement, target } = this.#order
    const judged = await judge(this.#deps, granted, statement, [target.texts], true)
    const clauses = judged?.[0]?.filter(({ allowed }) => !allowed) ?? []
    const comparisons = comparisonsOf(clauses, granted.facts.columns)
    const { own, others } = await this.#conditions(clauses)
    return [
      ...own.flatMap((condition) => this.#policies(clauses, condition, ['new', 'alter'])),
      ...(await this.#rows(comparisons)),
      ...others.flatMap((condition) => this.#policies(clauses, condition, ['new'])),
      ...this.#claims(comparisons),
    ]
  }

  /** `own` are conditions on the user's own rows; `others` also let in users of the same kind. */
  async #conditions(
    clauses: readonly ClauseVerdict[],
  ): Promise<Readonly<Record<'own' | 'others', readonly Condition[]>>> {
    const { granted, target } = this.#order
    const { facts, principal } = granted
    const rows = [target.texts.old, target.texts.fresh].flatMap((text) =>
      text === undefined ? [] : [storedRow(facts, text).cells],
    )
    if (principal.role === 'anon')
      return { own: rows.flatMap((row) => publicFlags(facts.columns, row)), others: [] }
    const parser = await loadSqlParser()
    return {
      own: [
        ...rows.flatMap((row) => relationsTo(principal.claims, facts.columns, row)),
        ...(await membershipsOf(this.#deps, facts)),
      ],
      others: [...ofOtherPolicies(parser, facts), ...rolesOf(clauses)],
    }
  }

  #policies(
    clauses: readonly ClauseVerdict[],
    condition: Condition,
    edits: readonly PolicyEdit[],
  ): readonly Proposal[] {
    const world = this.#order.granted
    return edits.flatMap((edit) => {
      const change = policyChange(world.facts, world.principal.role, clauses, condition, edit)
      if (change === undefined) return []
      const { facts, sql, title } = change
      return [{ title, sql, changes: 'policy' as const, world: { ...world, facts } }]
    })
  }

  #claims(comparisons: readonly Comparison[]): readonly Proposal[] {
    const world = this.#order.granted
    return comparisons.flatMap((comparison) => {
      const change = claimChange(world, comparison)
      if (change === undefined) return []
      const { title, sql, principal } = change
      return [{ title, sql: [sql], changes: 'claims' as const, world: { ...world, principal } }]
    })
  }

  async #rows(comparisons: readonly Comparison[]): Promise<readonly Proposal[]> {
    const { granted: world, target } = this.#order
    const { stored } = target
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
    const { statement } = this.#order
    try {
      const evaluation = evaluationOf(this.#deps, world, statement)
      const [old] = await makeNewRows(evaluation, values, [text])
      if (old === undefined) return undefined
      return (await withNewRows(this.#deps, world, statement, [old]))[0]
    } catch (error) {
      if (error instanceof EmulatorError) return undefined
      throw error
    }
  }
}

/**
 * Returns the conditions of the table's policies, for example those of another command. Leaves out conditions that are always
 * true.
 */
function ofOtherPolicies(parser: SqlParser, { policies }: SecuredTable): readonly Condition[] {
  return policies.flatMap(({ check, name, permissive, roles, using }) => {
    const text = using ?? check
    if (!permissive || text === null || roles.includes('service_role')) return []
    if (isAlwaysTrueText(parser, text)) return []
    return [{ text, words: `that pass the condition of ${name}` }]
  })
}

function updateSql(facts: SecuredTable, { key }: StoredRow, column: string, value: string): string {
  const where = Object.entries(key).map(([name, cell]) =>
    cell === null
      ? `${quoteIdentifier(name)} is null`
      : `${quoteIdentifier(name)} = ${quoteLiteral(cell)}`,
  )
  return `update ${quoteIdentifier(facts.name)} set ${quoteIdentifier(column)} = ${quoteLiteral(value)} where ${where.join(' and ')};`
}

// Suggests claims with which a row would pass: sets the claim that a policy compares to the row's value. Pure.

interface ClaimChange {
  readonly title: string
  /** A statement that sets the claims for its transaction. */
  readonly sql: string
  readonly principal: World['principal']
}

/** Returns `undefined` when the leaf reads no claim, or when the row has no value to set. */
function claimChange(
  { principal }: World,
  { other, cell, column }: Comparison,
): ClaimChange | undefined {
  const path = claimPath(other.text)
  if (path === undefined || cell === null) return undefined
  const claims = withClaim(principal.claims, path, cell)
  const claimsText = JSON.stringify(claims)
  return {
    title: `A token whose claim ${path.join('.')} is ${cell}, as the row’s ${column.name}`,
    sql: `select set_config('request.jwt.claims', ${quoteLiteral(claimsText)}, true);`,
    principal: { ...principal, claims, claimsText },
  }
}

function claimPath(text: string): readonly string[] | undefined {
  if (/\bauth\.uid\(\)/.test(text)) return ['sub']
  if (/\bauth\.email\(\)/.test(text)) return ['email']
  if (!/\bauth\.jwt\(\)|request\.jwt\.claims/.test(text)) return undefined
  const path = [...text.matchAll(/->>?\s*'((?:[^']|'')+)'/g)].map(([, name = '']) =>
    name.replaceAll("''", "'"),
  )
  return path.length === 0 ? undefined : path
}

function withClaim(claims: JsonObject, path: readonly string[], value: string): JsonObject {
  const [name = '', ...rest] = path
  const inner = claims[name]
  const next: JsonValue =
    rest.length === 0 ? value : withClaim(isJsonObject(inner) ? inner : {}, rest, value)
  return { ...claims, [name]: next }
}
