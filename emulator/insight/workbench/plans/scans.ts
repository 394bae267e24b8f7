// Reads from a plan which rows its scans read, and which columns the conditions of a scan compare. Pure.
import type { PlanCondition, PlanNode } from '../../../contract/query-plans.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import { fieldsOf, isFields, listOf, namesOf } from '../../../database/sql-tree.ts'
import { type Condition, splitExpression } from '../../explain/policies/split-expression.ts'
import { partsOf } from '../sql/policy-conditions.ts'

/** Returns the rows that scans of tables read, whether or not a condition removed them. `null` when nothing was measured. */
export function rowsRead(nodes: readonly PlanNode[]): number | null {
  const scans = nodes.filter(isScan)
  const read = scans.flatMap(rowsOfScan)
  return scans.length > 0 && read.length === 0 ? null : read.reduce((sum, rows) => sum + rows, 0)
}

function rowsOfScan({ measured, rows_removed: removed }: PlanNode): readonly number[] {
  return measured === null ? [] : [Math.round(measured.rows * measured.loops) + (removed ?? 0)]
}

/**
 * Whether the node scans a table. The index scan of a bitmap scan does not count, because the heap scan above it counts the rows.
 */
function isScan({ relation, type }: PlanNode): boolean {
  return relation !== null && type.endsWith('Scan') && type !== 'CTE Scan'
}

/** The columns that a condition compares with values that are known before the scan. */
interface Compared {
  /** Columns that must equal a value. Columns from the statement's own conditions come before those from policies. */
  readonly equal: readonly string[]
  readonly ranges: readonly string[]
  /** One column of each side of an OR; empty when a side compares no column. */
  readonly either: readonly string[]
}

export interface Scan extends Compared {
  readonly relation: string
  /** Rows that the scan read, or the estimated rows when the statement did not run. */
  readonly rows: number
  readonly kept: number
  /** Policies whose conditions the scan evaluates. */
  readonly policies: readonly string[]
  /** The columns by which the statement sorts the scan's rows, written as in an index. */
  readonly order: readonly string[]
}

/** Returns the scans that evaluate a condition or whose rows are sorted. Scans that read the most rows come first. */
export function scansOf(parser: SqlParser, nodes: readonly PlanNode[]): readonly Scan[] {
  return nodes
    .flatMap((node, index) => {
      if (!isScan(node) || node.relation === null) return []
      const order = orderAbove(nodes, index)
      const compared = comparedBy(parser, node)
      const isPlain = [...compared.equal, ...compared.ranges, ...compared.either].length === 0
      if (isPlain && order.length === 0) return []
      const { measured, policies, relation, rows: estimated } = node
      const [read = estimated] = rowsOfScan(node)
      const kept = measured === null ? estimated : Math.round(measured.rows * measured.loops)
      return [{ ...compared, relation, rows: read, kept, policies, order }]
    })
    .toSorted((one, other) => other.rows - one.rows)
}

function comparedBy(parser: SqlParser, node: PlanNode): Compared {
  const own = node.conditions.filter(({ kind }) => kind === 'Filter')
  const found = [...own]
    .sort((one, other) => Number(one.is_policy) - Number(other.is_policy))
    .flatMap(({ text }) => partsOf(withValues(text)))
    .map((part) => comparedIn(splitExpression(parser, part), columnReader(parser, node)))
  const all = (read: (one: Compared) => readonly string[]) => [...new Set(found.flatMap(read))]
  return {
    equal: all(({ equal }) => equal),
    ranges: all(({ ranges }) => ranges),
    either: found.find(({ either }) => either.length > 0)?.either ?? [],
  }
}

/** Replaces the values of subqueries, which Postgres prints as `(InitPlan 1).col1`. The parser cannot parse this form. */
function withValues(text: PlanCondition['text']): string {
  return text.replaceAll(/\((?:hashed )?(?:Init|Sub)Plan \d+\)(?:\.col\d+)?/g, "'…'")
}

const NOTHING: Compared = { equal: [], ranges: [], either: [] }
const RANGES = new Set(['<', '<=', '>', '>='])

function comparedIn(condition: Condition, columnOf: ColumnReader): Compared {
  switch (condition.kind) {
    case 'and': {
      const parts = condition.children.map((child) => comparedIn(child, columnOf))
      return {
        equal: parts.flatMap(({ equal }) => equal),
        ranges: parts.flatMap(({ ranges }) => ranges),
        either: parts.find(({ either }) => either.length > 0)?.either ?? [],
      }
    }
    case 'or': {
      const sides = condition.children.map((child) => comparedIn(child, columnOf))
      const columns = sides.flatMap(({ equal, ranges }) => [...equal, ...ranges].slice(0, 1))
      return columns.length < sides.length ? NOTHING : { ...NOTHING, either: columns }
    }
    case 'not':
      return NOTHING
    case 'leaf': {
      const { operands, operator } = condition
      const columns = operands.map(({ text }) => columnOf(text))
      const [column, ...others] = columns.filter((one) => one !== undefined)
      if (column === undefined || others.length > 0) return NOTHING
      if (operator === '=' || operator === '= ANY' || operator === 'IS NULL')
        return { ...NOTHING, equal: [column] }
      return operator !== null && RANGES.has(operator) ? { ...NOTHING, ranges: [column] } : NOTHING
    }
    default:
      return condition satisfies never
  }
}

/** Returns the column of the scan that a text names, without a cast; `undefined` for any other expression. */
type ColumnReader = (text: string) => string | undefined

function columnReader(parser: SqlParser, { alias }: PlanNode): ColumnReader {
  return (text) => {
    if (!/^[("\w]/.test(text)) return undefined
    const [table, column, ...others] = namesOfColumn(parser, text)
    return table === alias && others.length === 0 ? column : undefined
  }
}

function namesOfColumn(parser: SqlParser, text: string): readonly string[] {
  try {
    const [statement] = parser.parse(`select ${text}`)
    const [target] = statement === undefined ? [] : listOf(statement.fields, 'targetList')
    let node: unknown = target && fieldsOf(target, 'ResTarget')?.['val']
    while (isFields(node) && isFields(node['TypeCast'])) node = node['TypeCast']['arg']
    return isFields(node) && isFields(node['ColumnRef']) ? namesOf(node['ColumnRef']['fields']) : []
  } catch {
    return []
  }
}

/** Reads the keys of a sort whose only input is the scan. */
function orderAbove(nodes: readonly PlanNode[], index: number): readonly string[] {
  const node = nodes[index]
  const parent = node?.parent ?? null
  const above = parent === null ? undefined : nodes[parent]
  if (above === undefined || node === undefined || !above.type.endsWith('Sort')) return []
  const keys = (above.details['Sort Key'] ?? '').split(', ').map((key) => {
    const [, table, column, direction = ''] = SORT_KEY.exec(key) ?? []
    return table === node.alias && column !== undefined ? `"${column}"${direction}` : undefined
  })
  const known = keys.filter((key) => key !== undefined)
  return known.length === keys.length ? known : []
}

const SORT_KEY = /^"?(\w+)"?\."?(\w+)"?((?: DESC)?(?: NULLS (?:FIRST|LAST))?)$/
