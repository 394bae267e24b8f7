// Decides which identities see a row change (docs/wire/realtime.md#changes). The judge reads the row again by its key as each
// distinct identity. The table's policies apply. A policy that reads another table fails.

import type { RowChange, WatchedTable } from '../../../../database/changes/row-change.ts'
import type { Engine } from '../../../../database/engine.ts'
import { changeJson } from './change-json.ts'
import { countPolicies } from './judge-single-policies.ts'
import { askAboutRows, type RowAnswer, type RowAnswers } from './read-as-identity.ts'
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
  /** The index in `identities` of each given identity. */
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
