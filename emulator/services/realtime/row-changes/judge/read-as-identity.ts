// Queries which rows each identity can currently read. Each identity gets one query for all rows of a table. The queries of
// all identities of one role share a round trip.
import { claimSettings, searchPathOf } from '../../../../database/as-principal.ts'
import type { RowChange, WatchedTable } from '../../../../database/changes/row-change.ts'
import {
  type Answer,
  BEYOND_RELATION,
  cellText,
  type Engine,
  SqlError,
  type TenantQuestions,
} from '../../../../database/engine.ts'
import {
  identifier,
  join,
  type Sql,
  type SqlParam,
  sql,
  verbatim,
} from '../../../../database/sql.ts'
import { arrayText } from '../../../../database/values/row-text.ts'
import type { Identity } from './verdict.ts'

export type RowAnswer =
  | { readonly kind: 'rows'; readonly seen: ReadonlySet<RowChange> }
  /** `isBeyond` is true when the query failed because a policy reads another table. */
  | { readonly kind: 'failed'; readonly reason: string; readonly isBeyond: boolean }

export type RowAnswers = ReadonlyMap<Identity, RowAnswer>

/** Time limit in wall-clock milliseconds for the queries of all identities of one role together. */
const TIME_LIMIT_MILLIS = 2_000
/** Maximum number of attempts. After a policy that takes too long, the remaining identities are queried again. */
const MAX_ROUNDS = 3
const ROWS_PER_QUESTION = 500
const CANCELLED = '57014'

/** Returns an answer for each identity, even when policies fail. */
export function askAboutRows(
  engine: Engine,
  table: WatchedTable,
  changes: readonly RowChange[],
  identities: readonly Identity[],
): Promise<RowAnswers> {
  return askLookups(engine, table, lookupsOf(table, changes), identities)
}

/** Runs all lookups for each identity. If one lookup fails, the identity's whole answer is a failure. */
export async function askLookups(
  engine: Engine,
  table: WatchedTable,
  lookups: readonly Lookup[],
  identities: readonly Identity[],
): Promise<RowAnswers> {
  const answers = new Map<Identity, RowAnswer>()
  for (const group of Map.groupBy(identities, ({ role }) => role).values())
    for (const lookup of lookups) await askGroup(engine, table, lookup, group, answers)
  return answers
}

/** A query about some rows, with its parameters. */
export interface Lookup {
  readonly statement: Sql
  readonly params: readonly SqlParam[]
  /** The changes of each row. The statement returns the row's number, which starts at 1. */
  readonly changes: readonly (readonly RowChange[])[]
}

async function askGroup(
  engine: Engine,
  table: WatchedTable,
  lookup: Lookup,
  identities: readonly Identity[],
  answers: Map<Identity, RowAnswer>,
): Promise<void> {
  let pending = identities
  for (let round = 0; pending.length > 0 && round < MAX_ROUNDS; round++) {
    const given = await askOnce(engine, questionsOf(table, lookup, pending), round === 0)
    if (given === undefined) continue
    for (const [index, answer] of given.entries()) {
      const identity = pending[index]
      if (identity === undefined) continue
      if (answer instanceof SqlError) answers.set(identity, failed(answer))
      else addSeen(answers, identity, lookup, answer)
    }
    pending = pending.slice(given.length)
  }
  for (const identity of pending)
    answers.set(identity, { kind: 'failed', reason: TOO_LONG, isBeyond: false })
}

// If other work stopped the engine, a second attempt succeeds. If one of these policies stopped the engine, every attempt fails,
// so there is only one retry.
async function askOnce(
  engine: Engine,
  questions: TenantQuestions,
  mayTryAgain: boolean,
): Promise<readonly Answer[] | undefined> {
  try {
    return await engine.ask(questions)
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    return mayTryAgain ? undefined : questions.questions.map(() => error)
  }
}

const TOO_LONG = 'the policies take too long'

function failed({ code, message, facts }: SqlError): RowAnswer {
  return {
    kind: 'failed',
    reason: code === CANCELLED ? TOO_LONG : message,
    isBeyond: facts.routine === BEYOND_RELATION,
  }
}

function addSeen(
  answers: Map<Identity, RowAnswer>,
  identity: Identity,
  { changes }: Lookup,
  rows: readonly (readonly (Uint8Array | null)[])[],
): void {
  const before = answers.get(identity)
  if (before?.kind === 'failed') return
  const seen = rows.flatMap(([place]) => changes[Number(cellText(place)) - 1] ?? [])
  answers.set(identity, { kind: 'rows', seen: new Set([...(before?.seen ?? []), ...seen]) })
}

function questionsOf(
  table: WatchedTable,
  { statement, params }: Lookup,
  identities: readonly Identity[],
): TenantQuestions {
  const { schemaName } = table
  return {
    actor: { schemaName, role: identities[0]?.role ?? 'anon' },
    settings: {
      search_path: searchPathOf(schemaName),
      'request.method': 'GET',
      'request.path': `/${table.name}`,
      'request.headers': '{}',
      'request.cookies': '{}',
    },
    statement,
    questions: identities.map((identity) => ({ settings: claimSettings(identity), params })),
    onlyRelation: table.oid,
    timeoutMillis: TIME_LIMIT_MILLIS,
  }
}

/** All changes of one row, with the texts of its key. */
interface KeyedChanges {
  readonly key: readonly SqlParam[]
  readonly changes: readonly RowChange[]
}

function lookupsOf(table: WatchedTable, changes: readonly RowChange[]): readonly Lookup[] {
  const keyOf = ({ row }: RowChange) => table.key.map((place) => row?.texts[place] ?? null)
  const rows = [...Map.groupBy(changes, (change) => JSON.stringify(keyOf(change))).values()].map(
    (alike) => ({ key: alike[0] === undefined ? [] : keyOf(alike[0]), changes: alike }),
  )
  if (rows.length < 2 || table.key.some((place) => isArray(table, place)))
    return rows.map((row) => oneRow(table, row))
  return chunksOf(rows, ROWS_PER_QUESTION).map((chunk) => manyRows(table, chunk))
}

/** Splits a list into consecutive parts of at most `size` items. */
export function chunksOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}

// A key column of an array type needs other SQL, because arrays in an array of arrays lose their bounds.
function isArray(table: WatchedTable, place: number): boolean {
  return table.columns[place]?.sqlType.endsWith('[]') === true
}

function relationOf(table: WatchedTable): Sql {
  return identifier(table.schemaName, table.name)
}

function keyColumns(table: WatchedTable): readonly { readonly name: Sql; readonly type: Sql }[] {
  return table.key.flatMap((place) => {
    const column = table.columns[place]
    return column === undefined
      ? []
      : [{ name: identifier(column.name), type: verbatim(column.sqlType) }]
  })
}

function oneRow(table: WatchedTable, { key, changes }: KeyedChanges): Lookup {
  const conditions = keyColumns(table).map(
    ({ name, type }, index) => sql`${name} = ${key[index] ?? null}::${type}`,
  )
  const statement = sql`select 1 from ${relationOf(table)} where ${join(conditions, ' and ')}`
  return { statement, params: key, changes: [changes] }
}

// Makes one index look-up per row. Without `limit`, the planner might read the whole table and evaluate the policies on all
// rows.
function manyRows(table: WatchedTable, rows: readonly KeyedChanges[]): Lookup {
  const columns = keyColumns(table)
  const lists = columns.map((_, index) => arrayText(rows.map(({ key }) => key[index] ?? null)))
  const names = columns.map((_, index) => identifier(`key${index}`))
  const conditions = columns.map(
    ({ name }, index) => sql`row.${name} = wanted.${names[index] ?? name}`,
  )
  const sources = columns.map(({ type }, index) => sql`${lists[index] ?? null}::${type}[]`)
  const statement = sql`select wanted.place
from unnest(${join(sources)}) with ordinality as wanted (${join([...names, identifier('place')])})
cross join lateral (select from ${relationOf(table)} as row where ${join(conditions, ' and ')} limit 1) as found`
  return { statement, params: lists, changes: rows.map(({ changes }) => changes) }
}
