// Lists what expires next on the platform clock: issued tokens, codes and links, sign-ins under way, bans and unfinished
// uploads. The rows of a tenant are read once after each write to its schema.

import type { Expiry, ExpiryList, ExpiryReceipt } from '../../contract/clock.ts'
import type { Clock } from '../../core/clock.ts'
import type { SchemaName } from '../../core/names.ts'
import type { PlatformClock, PlatformTime } from '../../core/platform-clock.ts'
import { type EpochMillis, epochMillis, MINUTE_MILLIS, plusMillis, toIso } from '../../core/time.ts'
import { type Sql, sql } from '../../database/sql.ts'
import type { WriteVersions } from '../../database/write-versions.ts'
import { CredentialError } from '../../platform/credentials/credential-error.ts'
import type { IssuedTokens } from '../../platform/credentials/issued-tokens.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import type { AuthTables } from '../../services/auth/auth-tables.ts'
import type { UnfinishedUpload } from '../../services/storage/resumable/resumable-store.ts'

/** Something with an expiry. `at` is platform time. */
type Expiring = Omit<Expiry, 'at' | 'count'> & { readonly at: EpochMillis }

export interface ExpiriesDeps {
  /** Runs a statement on the tenant's `auth_*` tables. */
  readonly read: AuthTables['read']
  readonly writes: Pick<WriteVersions, 'of'>
  readonly projects: Pick<ProjectRegistry, 'listInState'>
  readonly issued: Pick<IssuedTokens, 'list'>
  /** Lists unfinished uploads. */
  readonly uploads: (limit: number) => readonly UnfinishedUpload[]
  readonly clock: PlatformClock
  readonly wallClock: Clock
}

export interface Expiries {
  /** Lists the next expiries, soonest first. */
  list(limit: number): Promise<ExpiryList>
  /**
   * Lists what expired when the clock was last moved forward. Returns `undefined` when the clock was never moved, or was moved
   * back last.
   */
  receipt(limit: number): Promise<ExpiryReceipt | undefined>
}

interface KnownRows {
  readonly version: string | undefined
  readonly rows: readonly Expiring[]
}

const MAX_UPLOADS = 500

/**
 * The clock's last move forward. `uploads` are the unfinished uploads before the move, because expired uploads are removed at
 * once.
 */
interface Move {
  readonly from: EpochMillis
  readonly to: EpochMillis
  readonly uploads: readonly UnfinishedUpload[]
}

export function createExpiries(deps: ExpiriesDeps): Expiries {
  const { clock, issued, projects, uploads, writes } = deps
  const lastMove = watchMoves(deps)
  let known = new Map<SchemaName, KnownRows>()

  async function rowsOfTenants(): Promise<readonly Expiring[]> {
    const schemas = projects.listInState('active').map(({ schemaName }) => schemaName)
    const fresh = new Map<SchemaName, KnownRows>()
    const missing: SchemaName[] = []
    for (const schemaName of schemas) {
      const kept = known.get(schemaName)
      const version = writes.of(schemaName)
      if (version !== undefined && kept?.version === version) fresh.set(schemaName, kept)
      else missing.push(schemaName)
    }
    for (const schemaName of missing) {
      // Reads the version first. A write during the read changes the version, so that the next list reads the rows again.
      const version = writes.of(schemaName)
      fresh.set(schemaName, { version, rows: await readRows(deps, schemaName) })
    }
    known = fresh
    return [...fresh.values()].flatMap(({ rows }) => rows)
  }

  /** Returns everything that expires or has expired, soonest first. */
  async function allWith(unfinished: readonly UnfinishedUpload[]): Promise<readonly Expiring[]> {
    const rows = await rowsOfTenants()
    return [
      ...rows,
      ...issued.list().map(expiringToken),
      ...unfinished.map(expiringUpload),
    ].toSorted((one, other) => one.at - other.at)
  }

  return {
    list: async (limit) => {
      const all = await allWith(uploads(MAX_UPLOADS))
      const now = clock.now()
      const coming = counted(all.filter(({ at }) => at > now))
      return { now: toIso(now), total: coming.length, expiries: onWire(coming, limit) }
    },
    receipt: async (limit) => {
      const move = lastMove()
      if (move === undefined) return undefined
      const { from, to } = move
      const all = await allWith(move.uploads)
      const expired = all.filter(({ at }) => at > from && at <= to)
      return {
        from: toIso(from),
        to: toIso(to),
        total: expired.length,
        expired: onWire(counted(expired), limit),
      }
    },
  }
}

function onWire(counted: readonly Counted[], limit: number): readonly Expiry[] {
  return counted.slice(0, limit).map((each) => ({ ...each, at: toIso(each.at) }))
}

/**
 * Returns the function that reads the last move. Freezing the clock, or resuming it at the frozen instant, does not count as a
 * move.
 */
function watchMoves({
  clock,
  uploads,
  wallClock,
}: Pick<ExpiriesDeps, 'clock' | 'uploads' | 'wallClock'>): () => Move | undefined {
  let time = clock.time
  let move: Move | undefined
  clock.onMove((next) => {
    const wall = wallClock.now()
    const [from, to] = [instantAt(time, wall), instantAt(next, wall)]
    time = next
    if (to > from) move = { from, to, uploads: uploads(MAX_UPLOADS) }
    else if (to < from) move = undefined
  })
  return () => move
}

function instantAt(time: PlatformTime, wall: EpochMillis): EpochMillis {
  return time.kind === 'frozen' ? time.at : plusMillis(wall, time.offsetMillis)
}

type Counted = Expiring & { readonly count: number }

// Combines equal entries, because a program that signs in often gets many equal tokens, which would hide the other entries.
function counted(sorted: readonly Expiring[]): readonly Counted[] {
  const groups = Map.groupBy(sorted, ({ at, detail, kind, schema_name, subject }) =>
    JSON.stringify([kind, schema_name, subject, detail, Math.floor(at / MINUTE_MILLIS)]),
  )
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : { ...first, count: 1 + others.length },
  )
}

function expiringUpload(upload: UnfinishedUpload): Expiring {
  return {
    kind: 'resumable_upload',
    at: upload.expiresAt,
    schema_name: upload.schemaName,
    subject: null,
    detail: `${upload.bucket}/${upload.objectKey}`,
  }
}

function expiringToken({
  kind,
  expiresAt,
  schemaName,
  subject,
  url,
}: ReturnType<IssuedTokens['list']>[number]): Expiring {
  const isUrl = kind === 'signed_url'
  return {
    kind,
    at: expiresAt,
    schema_name: schemaName ?? null,
    subject: isUrl ? null : (subject ?? null),
    detail: url ?? null,
  }
}

// An erased project has no tables.
async function readRows(
  { read }: Pick<ExpiriesDeps, 'read'>,
  schemaName: SchemaName,
): Promise<readonly Expiring[]> {
  try {
    const [rows = []] = await read(schemaName, EXPIRING_ROWS)
    return rows.flatMap((cells) => expiringOf(schemaName, cells))
  } catch (error) {
    if (error instanceof CredentialError) return []
    throw error
  }
}

function expiringOf(
  schemaName: SchemaName,
  [kind, subject = null, detail = null, at]: readonly (string | null)[],
): readonly Expiring[] {
  if (kind !== 'one_time_code' && kind !== 'sign_in' && kind !== 'ban') return []
  const millis = Number(at)
  if (!(Math.abs(millis) < MAX_MILLIS)) return []
  return [{ kind, at: epochMillis(millis), schema_name: schemaName, subject, detail }]
}

/** The range of `Date`, in milliseconds. */
const MAX_MILLIS = 8.64e15

const ROWS_PER_SCHEMA = 500

// Leaves out rows of `auth_one_time_codes` with the purpose `totp_tries`: they count wrong codes, and their expiry has no effect.
const EXPIRING_ROWS: Sql = sql`select kind, subject, detail, pg_catalog.trunc(extract(epoch from at) * 1000)
from (
  select 'one_time_code' as kind, coalesce(code.target, users.email, users.phone) as subject,
    code.purpose as detail, code.expires_at as at
  from auth_one_time_codes as code left join auth_users as users on users.id = code.user_id
  where code.spent_at is null and code.purpose <> 'totp_tries'
  union all
  select 'sign_in', null, provider, coalesce(code_expires_at, expires_at)
  from auth_flow_states where spent_at is null
  union all
  select 'ban', coalesce(email, phone, id::text), null, banned_until
  from auth_users where pg_catalog.isfinite(banned_until)
) as expiring
order by at desc
limit ${ROWS_PER_SCHEMA}`
