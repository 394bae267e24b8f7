// Collects the row changes of a block of a test, as plain objects that are the same in every run.
import type { RowHistory, RowHistoryEntry } from '../../contract/history.ts'
import { printable, shortened } from '../../core/printable.ts'
import { callEmulator, type Platform, TestingError } from './platform.ts'

/** Selects changes. */
export interface ChangesFilter {
  /** Only changes of these tables. Default: the project's own tables, without the platform's such as `auth_users`. */
  readonly tables?: readonly string[]
  /** Only changes of this user. */
  readonly userId?: string
}

/** A committed change of a row. Values are Postgres's texts, null, or placeholders such as `<uuid 1>` and `<time 1>`. */
export interface TestChange {
  readonly kind: 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE' | 'DROP'
  readonly table: string
  /** The row of an INSERT or DELETE. */
  readonly row?: Readonly<Record<string, string | null>>
  /** The primary key of an UPDATE. */
  readonly key?: Readonly<Record<string, string | null>>
  /** The changed columns of an UPDATE: old and new value. */
  readonly columns?: Readonly<Record<string, readonly [string | null, string | null]>>
}

/** Number of changes that the API returns at once. */
const PAGE = 1_000

/** @throws {TestingError} `no_history` when the emulator records no changes */
export async function changesDuring(
  platform: Platform,
  schemaName: string,
  block: () => unknown,
  filter: ChangesFilter,
): Promise<readonly TestChange[]> {
  const last = await lastChange(platform, schemaName)
  if (last === undefined)
    throw new TestingError(
      'no_history',
      'The emulator records no changes of rows. Start it with the configuration { history: true }.',
    )
  await block()
  const found: RowHistoryEntry[] = []
  const query = `after=${last}&limit=${PAGE}`
  for (let page = await readHistory(platform, schemaName, query); ; ) {
    found.push(...page.changes)
    const oldest = page.changes.at(-1)?.sequence
    if (!page.has_more || oldest === undefined) break
    page = await readHistory(platform, schemaName, `${query}&before=${oldest}`)
  }
  return stableChanges(found.reverse().filter((change) => isWanted(change, filter)))
}

/** Returns the sequence of the newest change, or `undefined` when the emulator records no changes. */
export async function lastChange(
  platform: Platform,
  schemaName: string,
): Promise<number | undefined> {
  const answer = await readHistory(platform, schemaName, 'limit=0')
  return answer.is_recorded ? answer.last_sequence : undefined
}

/** Number of changes that the report of a failed test shows. */
const SHOWN = 20
/** Maximum characters of a shown change. */
const MOST_CHARACTERS = 400

/** Returns the last row changes after a sequence as lines for the report of a failed test; an empty text without changes. */
export async function changesText(
  platform: Platform,
  schemaName: string,
  after: number,
): Promise<string> {
  const page = await readHistory(platform, schemaName, `after=${after}&limit=${PAGE}`)
  const changes = stableChanges(page.changes.toReversed().filter((change) => isWanted(change, {})))
  if (changes.length === 0) return ''
  const count = `${page.has_more ? 'at least ' : ''}${changes.length}`
  const rows = changes.length === 1 ? 'row' : 'rows'
  const left = changes.length > SHOWN ? `. The last ${SHOWN}` : ''
  const lines = changes
    .slice(-SHOWN)
    .map((change) => `  ${shortened(printable(JSON.stringify(change)), MOST_CHARACTERS)}`)
  return [`The test changed ${count} ${rows} of ${schemaName}${left}:`, ...lines].join('\n')
}

function readHistory(platform: Platform, schemaName: string, query: string): Promise<RowHistory> {
  return callEmulator<RowHistory>(platform, 'GET', `/projects/${schemaName}/history?${query}`)
}

function isWanted(
  { role, table, user_id }: RowHistoryEntry,
  { tables, userId }: ChangesFilter,
): boolean {
  // Only this role writes the platform's tables. Cascades from there to the project's tables have the same role.
  const isOfPlatform = role === 'auth_admin' && table.startsWith('auth_')
  return (
    (tables === undefined ? !isOfPlatform : tables.includes(table)) &&
    (userId === undefined || user_id === userId)
  )
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?:[+-]\d\d(?::\d\d)?)?$/

/** Replaces uuids and times by numbered placeholders. The same value gets the same placeholder. */
function stableChanges(changes: readonly RowHistoryEntry[]): readonly TestChange[] {
  const names = new Map<string, string>()
  const counts = { uuid: 0, time: 0 }
  const stable = (value: string | null): string | null => {
    const kind =
      value === null ? undefined : UUID.test(value) ? 'uuid' : TIME.test(value) ? 'time' : undefined
    if (value === null || kind === undefined) return value
    const known = names.get(value)
    if (known !== undefined) return known
    counts[kind] += 1
    const name = `<${kind} ${counts[kind]}>`
    names.set(value, name)
    return name
  }
  const all = <Value, Stable>(
    cells: Readonly<Record<string, Value>>,
    change: (value: Value) => Stable,
  ): Record<string, Stable> =>
    Object.fromEntries(Object.entries(cells).map(([name, value]) => [name, change(value)]))
  return changes.map(({ columns, key, kind, table }) => {
    if (kind === 'TRUNCATE' || kind === 'DROP') return { kind, table }
    if (kind === 'UPDATE')
      return {
        kind,
        table,
        key: all(key, stable),
        columns: all(columns, ([old, fresh]) => [stable(old), stable(fresh)] as const),
      }
    return {
      kind,
      table,
      row: all(columns, ([old, fresh]) => stable(kind === 'INSERT' ? fresh : old)),
    }
  })
}
