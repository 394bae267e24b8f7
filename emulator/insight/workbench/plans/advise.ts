// Proposes statements of the owner that could make a statement read less: indexes, policies that call a function once, and fresh
// statistics. try-advice.ts measures them. Pure.
import type { PlanAdvice, PlanNode } from '../../../contract/query-plans.ts'
import { quoteIdentifier } from '../../../database/sql.ts'
import type { SqlParser, TreeFields } from '../../../database/sql-parser.ts'
import { isFields, namesOf, numberOf } from '../../../database/sql-tree.ts'
import { applyEdits, type Edit } from '../../../platform/owner-sql/rewrite-script.ts'
import { placeTokens } from '../../explain/policies/split-expression.ts'
import { alterPolicySql } from '../../explain/suggested-fixes/policy-changes.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { type Scan, scansOf } from './scans.ts'

/** Advice that has not been tried yet. */
export interface Proposal extends Pick<PlanAdvice, 'kind' | 'title' | 'reason' | 'sql'> {
  /** Only the best of the proposals with the same subject becomes advice. */
  readonly subject: string
}

/** Scans of fewer rows need no index. */
const FEW_ROWS = 100
const MAX_SCANS = 3
const MAX_COLUMNS = 3

/** @param steady names of the project's functions that return the same value during a statement */
export function adviseOn(
  parser: SqlParser,
  nodes: readonly PlanNode[],
  tables: readonly SecuredTable[],
  steady: ReadonlySet<string>,
): readonly Proposal[] {
  const stored = new Map(tables.map((table) => [table.name, table]))
  const scans = scansOf(parser, nodes).filter(({ relation, rows }) => {
    const kind = stored.get(relation)?.kind
    return rows >= FEW_ROWS && (kind === 'table' || kind === 'partitioned_table')
  })
  return [
    ...scans.slice(0, MAX_SCANS).flatMap((scan) => indexesFor(scan, stored.get(scan.relation))),
    ...policiesToRewrite(parser, nodes, stored, steady),
    ...statisticsFor(nodes, stored),
  ]
}

function indexesFor(scan: Scan, table: SecuredTable | undefined): readonly Proposal[] {
  const { either, equal, order, ranges, relation } = scan
  const quoted = (columns: readonly string[]) => columns.map(quoteIdentifier)
  const known = new Set(table?.columns.map(({ name }) => name))
  const isKnown = (column: string) => known.has(column)
  const equals = equal.filter(isKnown).slice(0, MAX_COLUMNS)
  const between = ranges.filter((column) => isKnown(column) && !equals.includes(column))
  // Rows that all have the same value in a column need not be sorted by it.
  const sorted = order.filter(
    (part) => !quoted(equals).some((name) => part === name || part.startsWith(`${name} `)),
  )
  const sets = [
    quoted([...equals, ...between.slice(0, 1)]),
    ...equals.map((column) => quoted([column])),
    ...(sorted.length > 0 ? [[...quoted(equals), ...sorted]] : []),
  ]
  const single = [...new Set(sets.filter(({ length }) => length > 0).map((set) => set.join(', ')))]
  const proposals = single.map((list) => ({ lists: [list], columns: columnsOf(list) }))
  const sides = [...new Set(either.filter(isKnown))]
  if (sides.length > 1 && sides.length === new Set(either).size)
    proposals.push({ lists: quoted(sides), columns: sides.join(' or ') })
  return proposals.map(({ columns, lists }) => ({
    kind: 'index',
    subject: `index ${relation}`,
    title: `Index ${relation} by ${columns}`,
    reason: reasonOf(scan, table, columns),
    sql: lists.map((list) => `create index on ${quoteIdentifier(relation)} (${list});`).join('\n'),
  }))
}

function columnsOf(list: string): string {
  return list.replaceAll('"', '').replaceAll(' DESC', ' descending')
}

function reasonOf(
  { kept, policies, relation, rows }: Scan,
  table: SecuredTable | undefined,
  columns: string,
): string {
  const [first = ''] = columns.split(/, | or /)
  const key = table?.foreignKeys.find((one) => one.columns[0] === first)
  const counted = `The statement reads ${rows.toLocaleString('en-US')} rows of ${relation} and keeps ${kept.toLocaleString('en-US')}.`
  const policy =
    policies.length === 0
      ? ''
      : ` ${policies.length === 1 ? 'The policy' : 'The policies'} ${policies.join(', ')} ${policies.length === 1 ? 'applies' : 'apply'} to each of them.`
  const foreign =
    key === undefined
      ? ''
      : ` ${first} refers to ${key.target_table}, and has no index that serves this.`
  return `${counted}${policy}${foreign}`
}

function policiesToRewrite(
  parser: SqlParser,
  nodes: readonly PlanNode[],
  stored: ReadonlyMap<string, SecuredTable>,
  steady: ReadonlySet<string>,
): readonly Proposal[] {
  const named = new Map<string, readonly [SecuredTable, string]>()
  for (const { policies } of nodes)
    for (const table of stored.values())
      for (const { name } of table.policies)
        if (policies.includes(name)) named.set(`${table.name} ${name}`, [table, name])
  return [...named.values()].flatMap(([table, name]) => {
    const policy = table.policies.find((one) => one.name === name)
    const using = policy?.using == null ? undefined : callOnce(parser, policy.using, steady)
    const check = policy?.check == null ? undefined : callOnce(parser, policy.check, steady)
    if (using === undefined && check === undefined) return []
    const calls = [...new Set([...(using?.calls ?? []), ...(check?.calls ?? [])])]
    return [
      {
        kind: 'policy_call',
        subject: `policy ${name} on ${table.name}`,
        title: `Let the policy ${name} on ${table.name} call ${calls.join(', ')} once`,
        reason: `Postgres calls ${calls.join(', ')} for each row. In a subquery, it is called once for the statement.`,
        sql: alterPolicySql(table.name, name, {
          using: using?.text ?? null,
          check: check?.text ?? null,
        }),
      },
    ]
  })
}

/** An estimate counts as wrong when it differs by at least this factor and by at least this number of rows. */
const WRONG = { factor: 10, rows: 100 }

function statisticsFor(
  nodes: readonly PlanNode[],
  stored: ReadonlyMap<string, SecuredTable>,
): readonly Proposal[] {
  const wrong = nodes.filter(({ measured, relation, rows }) => {
    if (measured === null || measured.loops === 0 || !stored.has(relation ?? '')) return false
    const [less = 0, more = 0] = [rows, measured.rows].toSorted((one, other) => one - other)
    return more >= WRONG.factor * Math.max(1, less) && more - less >= WRONG.rows
  })
  const [first] = wrong
  if (first === undefined) return []
  const names = [...new Set(wrong.flatMap(({ relation }) => relation ?? []))]
  const hasJoin = nodes.some(({ details }) => details['Join Type'] !== undefined)
  const found = Math.round(first.measured?.rows ?? 0).toLocaleString('en-US')
  return [
    {
      kind: 'statistics',
      subject: 'statistics',
      title: `Collect statistics of ${names.join(', ')}`,
      reason: `Postgres expected ${first.rows.toLocaleString('en-US')} rows of ${first.relation} and found ${found}${hasJoin ? ', so it may join in a slow order' : ''}.`,
      sql: `analyze ${names.map(quoteIdentifier).join(', ')};`,
    },
  ]
}

// Rewrites the expression of a policy. Calls that return the same value for each row become subqueries, which Postgres
// evaluates once for the statement. Pure.

const HEAD = 'select '

interface CalledOnce {
  readonly text: string
  /** e.g. `auth.uid()` */
  readonly calls: readonly string[]
}

/**
 * @param steady names of functions, besides those of `auth`, that return the same value during a statement
 * @returns `undefined` when the expression calls no such function, or when it cannot be parsed
 */
export function callOnce(
  parser: SqlParser,
  expression: string,
  steady: ReadonlySet<string>,
): CalledOnce | undefined {
  const whole = HEAD + expression
  const tokens = placeTokens(parser, whole)
  const edits: Edit[] = []
  for (const location of locationsIn(parser, whole, steady)) {
    const start = parser.indexOf(whole, location)
    const opening = tokens.find((token) => token.start >= start && token.word === '(')
    const closing = opening?.closing === undefined ? undefined : tokens[opening.closing]
    if (closing === undefined) return undefined
    edits.push({ start, end: closing.end, text: `(select ${whole.slice(start, closing.end)})` })
  }
  if (edits.length === 0) return undefined
  edits.sort((one, other) => one.start - other.start)
  return {
    text: applyEdits(whole, edits).slice(HEAD.length),
    calls: edits.map(({ start, end }) => whole.slice(start, end)),
  }
}

/** Byte offsets of the calls, outermost first. */
function locationsIn(
  parser: SqlParser,
  whole: string,
  steady: ReadonlySet<string>,
): readonly number[] {
  try {
    const found: number[] = []
    for (const { fields } of parser.parse(whole)) collect(fields, steady, found)
    return found
  } catch {
    return []
  }
}

function collect(value: unknown, steady: ReadonlySet<string>, found: number[]): void {
  if (Array.isArray(value)) for (const one of value) collect(one, steady, found)
  if (!isFields(value)) return
  for (const [kind, inner] of Object.entries(value)) {
    if (kind === 'SubLink') continue
    if (kind === 'FuncCall' && isFields(inner) && isSteady(inner, steady))
      found.push(numberOf(inner, 'location') ?? 0)
    else collect(inner, steady, found)
  }
}

function isSteady(call: TreeFields, steady: ReadonlySet<string>): boolean {
  const names = namesOf(call['funcname'])
  const isKnown = names.at(-2) === 'auth' || steady.has(names.at(-1) ?? '')
  return isKnown && !readsRow(call['args'])
}

function readsRow(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(readsRow)
  if (!isFields(value)) return false
  return Object.entries(value).some(
    ([kind, inner]) => kind === 'ColumnRef' || kind === 'SubLink' || readsRow(inner),
  )
}
