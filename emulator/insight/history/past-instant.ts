// Finds the sequence of a past instant, and the changes since then.
import type { PastState } from '../../contract/history.ts'
import type { JournalEntry } from '../../contract/journal.ts'
import type { SchemaName } from '../../core/names.ts'
import { parseInstant, toIso } from '../../core/time.ts'
import { cellText, type Engine } from '../../database/engine.ts'
import { join, literal, readScript, type Sql, sql } from '../../database/sql.ts'
import { InspectorError } from '../api-kit/errors.ts'
import type { Journal } from '../journal/journal.ts'
import {
  type ChangedPolicies,
  policiesSince,
  policyGaps,
  restorePolicies,
} from './past-policies.ts'
import { presentTables } from './present-tables.ts'
import { readLaterChanges } from './read-versions.ts'
import { takeBack } from './take-back.ts'

export interface PastDeps {
  readonly engine: Pick<Engine, 'admin'>
  readonly journal: Pick<Journal, 'read'>
}

export interface TakenBackState {
  readonly state: PastState
  /** Statements of the owner that take rows back. */
  readonly statements: readonly Sql[]
  /** Statements of the owner that restore policies, for `unrestoredPolicies`. */
  readonly restoring: readonly Sql[]
  readonly policies: readonly ChangedPolicies[]
}

/** The number of changes that are taken back at most. */
export const MOST_CHANGES = 50_000

/** @throws {InspectorError} `invalid_request` for an unknown instant, or one that is too long ago */
export async function takeBackTo(
  deps: PastDeps,
  schemaName: SchemaName,
  instant: string,
): Promise<TakenBackState> {
  const { from, ...found } = await instantOf(deps, schemaName, instant)
  const later = await readLaterChanges(deps.engine, schemaName, from, MOST_CHANGES)
  if (later.count > MOST_CHANGES)
    throw new InspectorError(
      'invalid_request',
      `More than ${MOST_CHANGES} changes happened since ${instant}.`,
      { hint: 'Name a later instant.' },
    )
  const { gaps, statements } = takeBack(
    schemaName,
    later,
    await presentTables(deps.engine, schemaName),
  )
  const unknown = await unknownBefore(deps.engine, schemaName, from, instant)
  const policies = await policiesSince(deps.engine, schemaName, from)
  const first = await firstChange(deps.engine, schemaName, from)
  return {
    state: {
      before_sequence: from,
      at: found.at ?? first?.at ?? null,
      request_id: found.requestId ?? first?.requestId ?? null,
      changes_taken_back: later.count,
      gaps: [...unknown, ...gaps, ...policyGaps(policies)],
    },
    statements,
    restoring: restorePolicies(schemaName, policies.changed),
    policies: policies.changed,
  }
}

/** Returns the first sequence that is not before the instant. @throws {InspectorError} `invalid_request` for an unknown one */
export async function sequenceOf(
  deps: PastDeps,
  schemaName: SchemaName,
  instant: string,
): Promise<number> {
  return (await instantOf(deps, schemaName, instant)).from
}

interface FoundInstant {
  /** The first sequence that is not before the instant. */
  readonly from: number
  /** ISO 8601 UTC. */
  readonly at?: string
  readonly requestId?: string
}

async function instantOf(
  { engine, journal }: PastDeps,
  schemaName: SchemaName,
  instant: string,
): Promise<FoundInstant> {
  if (/^\d{1,15}$/.test(instant)) return { from: Number(instant) }
  const moment = isMoment(instant) ? parseInstant(instant) : undefined
  if (moment !== undefined) {
    const at = toIso(moment)
    return { from: await firstSequence(engine, schemaName, after(at)), at }
  }
  const wrote = await firstSequence(engine, schemaName, sql`request_id = ${literal(instant)}`)
  if (wrote !== NEVER) return { from: wrote, requestId: instant }
  const [request] = journal.read({ requestId: instant, schemaName, limit: 1 })
  if (request === undefined)
    throw new InspectorError('invalid_request', `There is no request ${instant}.`, {
      hint: 'Name the id of a kept request, a sequence, or a time such as 2026-01-31T09:00:00Z.',
    })
  const from = await firstSequence(engine, schemaName, afterRequest(journal, request))
  return { from, at: request.received_at, requestId: instant }
}

/** The most requests of one millisecond that are read. */
const MOST_AT_ONCE = 1_000

// The history has no order of requests inside a millisecond. The journal has one, also while the platform's clock is frozen.
function afterRequest(journal: PastDeps['journal'], request: JournalEntry): Sql {
  const { received_at: at, sequence: before } = request
  const earlier = journal
    .read({ before, limit: MOST_AT_ONCE })
    .filter(({ received_at: received }) => received === at)
    .map(({ request_id: id }) => literal(id))
  const instant = sql`${literal(at)}::timestamptz`
  const millisecond = sql`pg_catalog.date_trunc('milliseconds', at)`
  return sql`(${millisecond} > ${instant} or (${millisecond} = ${instant}
  and request_id <> '' and request_id not in (${join([sql`''`, ...earlier])})))`
}

const isMoment = (instant: string): boolean => /^\d{4}-/.test(instant)
const NEVER = Number.MAX_SAFE_INTEGER
const after = (iso: string): Sql => sql`at >= ${literal(iso)}::timestamptz`

async function firstSequence(
  engine: PastDeps['engine'],
  schemaName: SchemaName,
  condition: Sql,
): Promise<number> {
  const results = await engine.admin(
    schemaName,
    readScript([sql`select min(id) from platform.history_entries where ${condition}`]),
  )
  return Number(cellText(results.at(-1)?.rows[0]?.[0]) ?? NEVER)
}

/** Whether all changes since the instant of the request are recorded. @throws {SqlError} */
export async function coversRequest(
  { engine }: Pick<PastDeps, 'engine'>,
  schemaName: SchemaName,
  receivedAt: string,
): Promise<boolean> {
  const results = await engine.admin(
    schemaName,
    readScript([
      sql`select from platform.history_projects
where project = (select oid from pg_catalog.pg_namespace where nspname = ${literal(schemaName)})
  and pg_catalog.date_trunc('milliseconds', complete_since) <= ${literal(receivedAt)}::timestamptz`,
    ]),
  )
  return results.at(-1)?.rows.length === 1
}

/** Returns the time and the request of the project's first change that is not before the sequence. */
async function firstChange(
  engine: PastDeps['engine'],
  schemaName: SchemaName,
  from: number,
): Promise<Omit<FoundInstant, 'from'> | undefined> {
  const results = await engine.admin(
    schemaName,
    readScript([
      sql`select pg_catalog.to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), nullif(request_id, '')
from platform.history_entries
where id >= ${literal(String(from))}::bigint and relation in (
  select known.relation from platform.history_tables as known
  join pg_catalog.pg_namespace as namespace on namespace.oid = known.project
  where namespace.nspname = ${literal(schemaName)})
order by id limit 1`,
    ]),
  )
  const [at, requestId] = (results.at(-1)?.rows[0] ?? []).map(cellText)
  return at === undefined ? undefined : { at, ...(requestId !== undefined && { requestId }) }
}

/** Says when changes between the instant and the beginning of the history are not known. */
async function unknownBefore(
  engine: PastDeps['engine'],
  schemaName: SchemaName,
  from: number,
  instant: string,
): Promise<readonly string[]> {
  const isEarlier = isMoment(instant)
    ? sql`complete_since > ${literal(instant)}::timestamptz`
    : sql`complete_from > ${literal(String(from))}::bigint`
  const results = await engine.admin(
    schemaName,
    readScript([
      sql`select pg_catalog.to_char(complete_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
from platform.history_projects
where project = (select oid from pg_catalog.pg_namespace where nspname = ${literal(schemaName)}) and ${isEarlier}`,
    ]),
  )
  const since = cellText(results.at(-1)?.rows[0]?.[0])
  return since === undefined ? [] : [`Changes before ${since} are not known.`]
}
