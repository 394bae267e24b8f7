// Says what changed after a request and decides it: the rows that it concerned, the policies of its table, and tables that these
// policies read. Pure.
import type { ChangeSince, ConditionNode, Explanation } from '../../../contract/explain.ts'
import { parseInstant } from '../../../core/time.ts'
import { spanText } from '../../api-kit/span-text.ts'
import type { ChangedPolicies } from '../../history/past-policies.ts'
import type { RecordedChange } from '../../history/read-history.ts'
import { keyOf, shownChange } from '../../history/show-history.ts'

export interface Since {
  /** ISO 8601 UTC, platform time. */
  readonly receivedAt: string
  /** The explanation with the state just before the request, and the one with the present state. */
  readonly former: Explanation
  readonly present: Explanation
  /** Columns that the filters of the request read. */
  readonly filtered: readonly string[]
  /** Newest first. */
  readonly changes: readonly RecordedChange[]
  readonly policies: readonly ChangedPolicies[]
}

const MOST_ROWS = 3

/** Returns the first change of each row and table, in the order in which they happened within each kind. */
export function changedSince(since: Since): readonly ChangeSince[] {
  return [...rowSentences(since), ...policySentences(since), ...otherTables(since)]
}

function rowSentences(since: Since): readonly ChangeSince[] {
  const { former, present } = since
  const shown = new Set([...former.rows, ...present.rows].map(({ key }) => JSON.stringify(key)))
  const first = new Map<string, RecordedChange>()
  for (const change of since.changes.toReversed()) {
    const key = JSON.stringify(keyOf(change))
    if (change.table.name !== former.relation || first.has(key) || !shown.has(key)) continue
    if (change.kind !== 'UPDATE' || decidingColumn(since, change) !== undefined)
      first.set(key, change)
  }
  const rows = [...first.values()]
  const rest = rows.length - MOST_ROWS
  return [
    ...rows.slice(0, MOST_ROWS).map((change) => sentenceOf(since, change)),
    ...(rest > 0
      ? [
          {
            sentence: `${rest} more ${rest === 1 ? 'row' : 'rows'} changed since.`,
            request_id: null,
          },
        ]
      : []),
  ]
}

function sentenceOf(since: Since, change: RecordedChange): ChangeSince {
  const { kind, requestId, table } = change
  const key = table.key.length === 0 ? [] : Object.entries(keyOf(change))
  const row = `${['The row', ...key.map(([name, value]) => `${name}=${value}`)].join(' ')} of ${table.name}`
  const by = actorOf(change)
  const later = laterText(since, change.at)
  const said = (sentence: string) => ({ sentence, request_id: requestId ?? null })
  if (kind === 'INSERT') return said(`${row} was created by ${by}, ${later}.`)
  if (kind === 'DELETE') return said(`${row} existed until ${by} deleted it, ${later}.`)
  const column = decidingColumn(since, change) ?? ''
  const [old] = shownChange(change).columns[column] ?? []
  const had =
    old === null || old === undefined
      ? `had no ${column}`
      : ownerColumns(since.former).has(column) || ownerColumns(since.present).has(column)
        ? `belonged to ${old}`
        : `had ${column} ${old}`
  return said(`${row} ${had} until ${by}, ${later}.`)
}

function actorOf({ requestId, role }: Pick<RecordedChange, 'requestId' | 'role'>): string {
  return requestId === undefined ? `a change by ${role}` : `request ${requestId}`
}

function laterText({ receivedAt }: Since, at: string): string {
  const millis = Math.max(0, Number(parseInstant(at)) - Number(parseInstant(receivedAt)))
  return millis < 1_000 ? 'less than a second later' : `${spanText(millis)} later`
}

/** Returns the changed column that a policy or the request's filter reads; one that names the owner first. */
function decidingColumn(since: Since, change: RecordedChange): string | undefined {
  const changed = Object.keys(shownChange(change).columns)
  const owners = ownerColumns(since.former)
  const texts = policyTexts(since)
  return (
    changed.find((name) => owners.has(name)) ??
    changed.find((name) => since.filtered.includes(name) || mentions(texts, name))
  )
}

/** Returns the columns that a policy compares with the identity. */
function ownerColumns({ columns, rows }: Explanation): ReadonlySet<string> {
  const names = new Set(columns.map(({ name }) => name))
  const trees = rows.flatMap(({ clauses }) =>
    clauses.flatMap(({ policies }) => policies.map(({ tree }) => tree)),
  )
  return new Set(
    trees
      .flatMap(leavesOf)
      .filter(
        ({ operands, operator }) =>
          operator === '=' && operands.some(({ from }) => from === 'identity'),
      )
      .flatMap(({ operands }) => operands.filter(({ from }) => from === 'row'))
      .map(({ text }) => text)
      .filter((text) => names.has(text)),
  )
}

function leavesOf(node: ConditionNode): readonly Extract<ConditionNode, { kind: 'leaf' }>[] {
  return node.kind === 'leaf' ? [node] : node.children.flatMap(leavesOf)
}

function policyTexts({ former, present }: Pick<Since, 'former' | 'present'>): string {
  return [...former.policies, ...present.policies]
    .flatMap(({ check, using }) => [using, check])
    .join('\n')
}

function mentions(text: string, name: string): boolean {
  return text.split(/[^\p{L}\p{N}_$]+/u).includes(name)
}

function policySentences(since: Since): readonly ChangeSince[] {
  return since.policies
    .filter(({ table }) => table === since.former.relation)
    .map(({ at, former, isLate, present, requestId, table }) => {
      const isOnlyGrants =
        JSON.stringify({ ...former, grants: [] }) === JSON.stringify({ ...present, grants: [] })
      const what = isOnlyGrants ? `The grants on ${table}` : `The policies of ${table}`
      const by = requestId === undefined ? '' : ` by request ${requestId}`
      const when = isLate ? 'since' : `${laterText(since, at)}${by}`
      return { sentence: `${what} changed ${when}.`, request_id: requestId ?? null }
    })
}

function otherTables(since: Since): readonly ChangeSince[] {
  const texts = policyTexts(since)
  const first = new Map<string, RecordedChange>()
  for (const change of since.changes.toReversed()) {
    const { name } = change.table
    if (name !== since.former.relation && !first.has(name) && mentions(texts, name))
      first.set(name, change)
  }
  return [...first.values()].map((change) => ({
    sentence: `Rows of ${change.table.name}, which a policy reads, changed ${laterText(since, change.at)} by ${actorOf(change)}.`,
    request_id: change.requestId ?? null,
  }))
}
