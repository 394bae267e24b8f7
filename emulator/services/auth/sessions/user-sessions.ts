// Lists and ends a user's sessions for the emulator's own tools (docs/wire/auth.md#refresh).
import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import { type Sql, sql } from '../../../database/sql.ts'
import type { AuthTables, TextRow } from '../auth-tables.ts'
import { endStatement } from './session-statements.ts'

/** A session as the emulator's tools list it. Timestamps are ISO 8601 UTC. */
export interface UserSessionRecord extends JsonObject {
  readonly id: string
  readonly aal: 'aal1' | 'aal2'
  readonly amr: readonly JsonObject[]
  readonly user_agent: string | null
  readonly created_at: string
  readonly refreshed_at: string | null
  readonly revoked_at: string | null
}

const MOST = 100

/** Lists the user's sessions, newest first. @throws {SqlError} */
export async function sessionsOf(
  tables: AuthTables,
  schemaName: SchemaName,
  userId: string,
): Promise<readonly UserSessionRecord[]> {
  const [rows = []] = await tables.read(
    schemaName,
    sql`select id, aal, amr::text, user_agent, ${iso(sql`created_at`)}, ${iso(sql`refreshed_at`)}, ${iso(sql`revoked_at`)}
      from auth_sessions where user_id = ${userId}
      order by auth_sessions.created_at desc, id limit ${MOST}`,
  )
  return rows.map(sessionOf)
}

/** Ends one session of the user, or all when `sessionId` is absent. Returns the number of ended sessions. @throws {SqlError} */
export async function endSessionsOf(
  tables: AuthTables,
  schemaName: SchemaName,
  userId: string,
  sessionId?: string,
): Promise<number> {
  const [rows] = await tables.write(
    schemaName,
    sessionId === undefined
      ? endStatement({ userId, sessionId: userId }, 'global')
      : endStatement({ userId, sessionId }, 'local'),
  )
  return Number(rows?.[0]?.[0] ?? 0)
}

function iso(column: Sql): Sql {
  return sql`pg_catalog.to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

function sessionOf([id, aal, amr, agent, created, refreshed, revoked]: TextRow): UserSessionRecord {
  const methods = parseJson(amr ?? '[]')
  return {
    id: id ?? '',
    aal: aal === 'aal2' ? 'aal2' : 'aal1',
    amr: Array.isArray(methods) ? methods.filter(isJsonObject) : [],
    user_agent: agent ?? null,
    created_at: created ?? '',
    refreshed_at: refreshed ?? null,
    revoked_at: revoked ?? null,
  }
}
