// Computes what an identity could do with other grants, policies, claims or rows. Explains a changed copy of the table's
// description, and never changes the database.
import type { ClauseVerdict, TableVerdict } from '../../../contract/explain.ts'
import type { RowCommand } from '../../../contract/values.ts'
import type { Principal, PrincipalRole } from '../../../core/principal.ts'
import { SqlError } from '../../../database/engine.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { clausesOf } from '../policies/clauses.ts'
import { grantSql, isUnprotected, type Privilege, protection } from '../policies/grants.ts'
import { judgeTable } from '../policies/table-verdict.ts'
import { type Evaluation, METHODS } from '../rows/evaluate.ts'
import type { ExplainDeps } from '../rows/explain-rows.ts'
import { judgeRows } from '../rows/judge-rows.ts'
import { makeNewRows, type NewRow } from '../rows/make-new-rows.ts'

/** A row before and after the statement, as texts of records. INSERT has no old row; SELECT and DELETE have no new row. */
export interface RowTexts {
  readonly old: string | undefined
  readonly fresh: string | undefined
}

/** A table and an identity, possibly with hypothetical changes. */
export interface World {
  readonly facts: SecuredTable
  readonly principal: Principal & { readonly role: PrincipalRole }
}

export interface Statement {
  readonly command: RowCommand
  readonly newRow: NewRow | undefined
}

export function evaluationOf(
  { engine, timeLeft }: ExplainDeps,
  { facts, principal }: World,
  { command }: Statement,
): Evaluation {
  const limit = timeLeft === undefined ? {} : { timeLeft }
  return { engine, table: facts, principal, method: METHODS[command], ...limit }
}

/** Returns the verdicts of the statement's clauses on each row, or `undefined` when the clauses cannot be evaluated. */
export async function judge(
  deps: ExplainDeps,
  world: World,
  statement: Statement,
  rows: readonly RowTexts[],
  isDetailed = false,
): Promise<readonly (readonly ClauseVerdict[])[] | undefined> {
  const hasNew = rows.some(({ fresh }) => fresh !== undefined)
  const { facts, principal } = world
  const clauses = clausesOf(facts.policies, principal.role, statement.command, hasNew)
  const split = await deps.split()
  const verdicts: ClauseVerdict[][] = rows.map(() => [])
  for (const side of ['old_row', 'new_row'] as const) {
    const asked = clauses.filter((clause) => clause.of === side)
    if (asked.length === 0) continue
    const texts = rows.map(({ old, fresh }) => (side === 'old_row' ? old : fresh) ?? '()')
    const evaluation = evaluationOf(deps, world, statement)
    const judged = await judgeRows(evaluation, split, asked, texts, isDetailed)
    if (judged instanceof SqlError) return undefined
    for (const [index, found] of judged.entries()) verdicts[index]?.push(...found)
  }
  return verdicts
}

/** Returns whether each row would be allowed, or `undefined` when the clauses cannot be evaluated. */
export async function allowedRows(
  deps: ExplainDeps,
  world: World,
  statement: Statement,
  rows: readonly RowTexts[],
): Promise<readonly boolean[] | undefined> {
  switch (tableVerdict(world, statement)) {
    case 'rls_off':
    case 'bypasses_policies':
      return rows.map(() => true)
    case 'policies_decide':
    case 'no_policy': {
      const verdicts = await judge(deps, world, statement, rows)
      return verdicts?.map((clauses) => clauses.every(({ allowed }) => allowed))
    }
    case 'view':
    case 'error':
      return undefined
    case 'missing_grant':
    case 'closed_table':
    case 'unknown_relation':
      return rows.map(() => false)
  }
}

export function tableVerdict(
  { facts, principal }: World,
  { command, newRow = {} }: Statement,
): TableVerdict {
  const written = Object.keys(newRow)
  const question = { relation: facts.name, table: facts, role: principal.role, command, written }
  return judgeTable(question).verdict
}

/** Adds to each old row the new row that the statement would create. @throws {InspectorError} `invalid_request` */
export async function withNewRows(
  deps: ExplainDeps,
  world: World,
  statement: Statement,
  old: readonly string[],
): Promise<readonly RowTexts[]> {
  const { command, newRow } = statement
  const evaluation = evaluationOf(deps, world, statement)
  if (command === 'insert') {
    const [fresh] = await makeNewRows(evaluation, newRow ?? {}, undefined)
    return [{ old: undefined, fresh }]
  }
  if (command !== 'update' || newRow === undefined || old.length === 0)
    return old.map((text) => ({ old: text, fresh: undefined }))
  const fresh = await makeNewRows(evaluation, newRow, old)
  return old.map((text, index) => ({ old: text, fresh: fresh[index] }))
}

interface Granted {
  readonly facts: SecuredTable
  /** Statements that enable missing row-level security and grant the privileges. Empty when the role has all privileges. */
  readonly sql: readonly string[]
}

/**
 * Grants the privileges that a statement lacks, in the order in which Postgres checks them, and only on the columns that it
 * needs. Enables row-level security first, because without it a grant would open every row of the table. Returns `undefined` when
 * no grant on the table would help.
 */
export function withGrants(world: World, statement: Statement): Granted | undefined {
  const role: PrincipalRole = world.principal.role
  if (tableVerdict(world, statement) !== 'missing_grant') return { facts: world.facts, sql: [] }
  const isOpen = isUnprotected(world.facts)
  let facts: SecuredTable = isOpen ? { ...world.facts, hasRowSecurity: true } : world.facts
  const granted: Privilege[] = []
  for (const privilege of [statement.command.toUpperCase(), 'SELECT']) {
    if (tableVerdict({ ...world, facts }, statement) !== 'missing_grant') continue
    const columns = columnsOf(facts, privilege, statement)
    facts = withGrant(facts, role, privilege, columns)
    granted.push({ privilege, columns })
  }
  if (tableVerdict({ ...world, facts }, statement) === 'missing_grant') return undefined
  return { facts, sql: [...protection(world.facts), grantSql(facts, role, granted)] }
}

/** The columns that a statement needs; empty for the whole table. */
function columnsOf(
  { key }: SecuredTable,
  privilege: string,
  { command, newRow = {} }: Statement,
): readonly string[] {
  if (privilege === 'SELECT') return command === 'select' ? [] : key
  return privilege === 'DELETE' ? [] : Object.keys(newRow)
}

function withGrant(
  facts: SecuredTable,
  role: PrincipalRole,
  privilege: string,
  columns: readonly string[],
): SecuredTable {
  const access = facts.access[role]
  const granted =
    columns.length === 0
      ? { ...access, privileges: [...access.privileges, privilege] }
      : {
          ...access,
          columns: {
            ...access.columns,
            [privilege]: [...new Set([...(access.columns[privilege] ?? []), ...columns])],
          },
        }
  return { ...facts, access: { ...facts.access, [role]: granted } }
}
