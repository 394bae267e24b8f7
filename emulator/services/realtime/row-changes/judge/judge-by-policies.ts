// Decides which identities see a row change (docs/wire/realtime.md#changes). The judge reads the row again by its key as each
// distinct identity. The table's policies apply. A policy that reads another table fails.
import type {
  RowChange,
  WatchedPolicy,
  WatchedTable,
} from '../../../../database/changes/row-change.ts'
import type { Engine } from '../../../../database/engine.ts'
import {
  identifier,
  join,
  type Sql,
  type SqlParam,
  sql,
  verbatim,
} from '../../../../database/sql.ts'
import { changeJson } from './change-json.ts'
import {
  askAboutRows,
  askLookups,
  chunksOf,
  type Lookup,
  type RowAnswer,
  type RowAnswers,
} from './read-as-identity.ts'
import type { ChangeJudge, Identity, Verdict } from './verdict.ts'

/** Creates the judge, which evaluates policies in the engine. */
export function createChangeJudge(engine: Engine): ChangeJudge {
  return {
    judge: async (changes, identities) => {
      const distinct = distinctIdentities(identities)
      const judged = new Map<RowChange, readonly Verdict[]>()
      for (const [table, ofTable] of Map.groupBy(changes, (change) => change.table))
        for (const [change, verdicts] of await judgeTable(
          engine,
          table,
          ofTable,
          distinct.identities,
        ))
          judged.set(change, verdicts)
      return changes.map((change) => ({
        change,
        verdicts: distinct.places.map((place) => judged.get(change)?.[place] ?? HIDDEN),
        dataJson: (role, only) => changeJson(change, role, refusalOf(change, role), only),
      }))
    },
  }
}

type Role = Identity['role']

const VISIBLE: Verdict = { kind: 'visible' }
const RLS_OFF: Verdict = { kind: 'rlsOff' }
const HIDDEN: Verdict = { kind: 'hidden', policies: [] }

interface Distinct {
  readonly identities: readonly Identity[]
  /** For each identity that the caller gave, the index of the equal identity in `identities`. */
  readonly places: readonly number[]
}

function distinctIdentities(all: readonly Identity[]): Distinct {
  const identities: Identity[] = []
  const known = new Map<string, number>()
  const places = all.map((identity) => {
    const key = `${identity.role} ${identity.claimsText}`
    const place = known.get(key) ?? identities.push(identity) - 1
    known.set(key, place)
    return place
  })
  return { identities, places }
}

async function judgeTable(
  engine: Engine,
  table: WatchedTable,
  changes: readonly RowChange[],
  identities: readonly Identity[],
): Promise<ReadonlyMap<RowChange, readonly Verdict[]>> {
  const isAsked = (change: RowChange) =>
    change.row !== undefined && table.hasRowSecurity && table.key.length > 0
  const asked = changes.filter(isAsked)
  const readers = identities.filter(({ role }) => mayReadKey(table, role))
  const answers =
    asked.length === 0 || readers.length === 0
      ? new Map<Identity, RowAnswer>()
      : await askAboutRows(engine, table, asked, readers)
  const counted = await countBeyond(engine, table, asked, answers)
  return new Map(
    changes.map((change) => [
      change,
      identities.map((identity) =>
        counted.get(identity)?.has(change) === true
          ? VISIBLE
          : verdictOn(change, identity, answers.get(identity)),
      ),
    ]),
  )
}

// A policy that reads another table fails the whole query. If the role has further policies, this function evaluates each
// policy separately, so that the other policies still apply.
async function countBeyond(
  engine: Engine,
  table: WatchedTable,
  changes: readonly RowChange[],
  answers: RowAnswers,
): Promise<ReadonlyMap<Identity, ReadonlySet<RowChange>>> {
  const counted = new Map<Identity, ReadonlySet<RowChange>>()
  for (const role of ['anon', 'authenticated'] as const) {
    const policies = policiesOf(table, role)
    const beyond = [...answers].flatMap(([identity, answer]) =>
      identity.role === role && answer.kind === 'failed' && answer.isBeyond ? [identity] : [],
    )
    if (beyond.length === 0 || policies.length < 2) continue
    const seen = await countPolicies(engine, table, policies, changes, beyond)
    for (const [identity, visible] of seen) counted.set(identity, visible)
  }
  return counted
}

function verdictOn(change: RowChange, { role }: Identity, answer: RowAnswer | undefined): Verdict {
  const { table } = change
  if (!table.hasRowSecurity) return RLS_OFF
  const error = refusalOf(change, role)
  if (error !== undefined) return { kind: 'refused', error }
  // The row no longer exists, so its policies cannot be evaluated. Every subscriber gets the key.
  if (change.row === undefined) return VISIBLE
  if (answer === undefined) return HIDDEN
  if (answer.kind === 'rows') return answer.seen.has(change) ? VISIBLE : hiddenBy(table, role)
  return { kind: 'notEvaluable', policies: suspects(table, role), reason: answer.reason }
}

const NO_KEY = 'Error 400: Bad Request, no primary key'
const NO_RIGHT = 'Error 401: Unauthorized'

function refusalOf({ table, row }: RowChange, role: Role): string | undefined {
  if (table.key.length === 0) return row === undefined ? undefined : NO_KEY
  return mayReadKey(table, role) ? undefined : NO_RIGHT
}

function mayReadKey(table: WatchedTable, role: Role): boolean {
  return table.key.every((place) => table.columns[place]?.readers.has(role) === true)
}

function policiesOf(table: WatchedTable, role: Role): WatchedTable['policies'] {
  return table.policies.filter((policy) => policy.roles.has(role))
}

function hiddenBy(table: WatchedTable, role: Role): Verdict {
  return { kind: 'hidden', policies: policiesOf(table, role).map(({ name }) => name) }
}

/** Returns the policies that could have failed: those that read another table, or all when none does. */
function suspects(table: WatchedTable, role: Role): readonly string[] {
  const policies = policiesOf(table, role)
  const reading = policies.filter(({ otherRelations }) => otherRelations.length > 0)
  return (reading.length > 0 ? reading : policies).map(({ name }) => name)
}

// Evaluates the policies of a table one by one on the committed row. When one policy reads another table, Postgres refuses the
// combined query. Evaluated alone, that policy counts as false and the other policies still apply
// (docs/wire/realtime.md#changes).

const ROWS_PER_QUESTION = 50
// A column alias that no column of a table is likely to have.
const PLACE = identifier('the place of this row in the question of realtime')

/** Returns for each identity the changes whose row its policies let it read. All identities must have the same role. */
async function countPolicies(
  engine: Engine,
  table: WatchedTable,
  policies: readonly WatchedPolicy[],
  changes: readonly RowChange[],
  identities: readonly Identity[],
): Promise<ReadonlyMap<Identity, ReadonlySet<RowChange>>> {
  const answered: { readonly isPermissive: boolean; readonly answers: RowAnswers }[] = []
  for (const { using, isPermissive } of policies)
    if (using !== undefined) {
      const lookups = chunksOf(changes, ROWS_PER_QUESTION).map((chunk) =>
        lookupOf(table, using, chunk),
      )
      const answers = await askLookups(engine, table, lookups, identities)
      answered.push({ isPermissive, answers })
    }
  const seenBy = (identity: Identity, answers: RowAnswers, change: RowChange): boolean => {
    const answer = answers.get(identity)
    return answer?.kind === 'rows' && answer.seen.has(change)
  }
  const maySee = (identity: Identity, change: RowChange): boolean =>
    answered.some((each) => each.isPermissive && seenBy(identity, each.answers, change)) &&
    answered.every((each) => each.isPermissive || seenBy(identity, each.answers, change))
  return new Map(
    identities.map((identity) => [
      identity,
      new Set(changes.filter((change) => maySee(identity, change))),
    ]),
  )
}

// The alias of the values is the table's name, because the policy's expression can refer to columns by the table's name.
function lookupOf(table: WatchedTable, using: string, changes: readonly RowChange[]): Lookup {
  const { columns } = table
  const params: SqlParam[] = []
  const rows = changes.map((change, index): Sql => {
    const cells = columns.map(({ sqlType }, column) => {
      const text = change.row?.texts[column] ?? null
      params.push(text)
      return sql`${text}::${verbatim(sqlType)}`
    })
    return sql`(${join([verbatim(String(index + 1)), ...cells])})`
  })
  const names = columns.map(({ name }) => identifier(name))
  const statement = sql`select ${PLACE}
from (values ${join(rows)}) as ${identifier(table.name)} (${join([PLACE, ...names])})
where ${verbatim(using)}`
  return { statement, params, changes: changes.map((change) => [change]) }
}
