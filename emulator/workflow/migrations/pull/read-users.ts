// Reads the users that rows refer to. Their addresses do not leave the project.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import { identifier, join, literal, sql, verbatim } from '../../../database/sql.ts'
import type { Exec } from '../apply/fleet.ts'
import { RemoteError } from '../remote/remote-error.ts'
import { selectRows } from './owner-sql.ts'
import type { KeyRecord } from './read-keys.ts'
import type { PulledRows } from './read-rows.ts'

/** The platform's table of users. */
export const USERS = 'auth_users'

/** A user as a fixture describes it. */
export interface PulledUser {
  readonly id: string
  /** A made-up address, so that no real address leaves the project. */
  readonly email: string
  readonly data?: JsonObject
  readonly app_metadata?: JsonObject
}

export interface PulledUsers {
  readonly users: readonly PulledUser[]
  /** Whether the project's owner may read the table of users. If not, the pulled users have no metadata. */
  readonly isReadable: boolean
}

/** Returns the ids of the users that the rows refer to. */
export function usersIn(
  rows: readonly PulledRows[],
  keys: readonly KeyRecord[],
): readonly string[] {
  const found = new Set<string>()
  for (const { columns, table, target } of keys) {
    const [column] = columns
    if (target?.table !== USERS || column === undefined) continue
    for (const text of rows.find((one) => one.table === table)?.rows ?? []) {
      const row = parseJson(text)
      const value = isJsonObject(row) ? row[column] : undefined
      if (typeof value === 'string') found.add(value)
    }
  }
  return [...found]
}

const AT_ONCE = 200

/** Reads users in the order of their ids. @throws {RemoteError} */
export async function readUsers(
  exec: Exec,
  schemaName: SchemaName,
  ids: readonly string[],
): Promise<PulledUsers> {
  const known = new Map<string, JsonObject>()
  let isReadable = true
  for (let from = 0; from < ids.length && isReadable; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    const found = await selectUsers(exec, schemaName, some)
    isReadable = found !== undefined
    for (const user of found ?? []) known.set(String(user['id']), user)
  }
  const users = ids.toSorted().map((id, index) => userOf(id, index + 1, known.get(id) ?? {}))
  return { users, isReadable }
}

/** Returns `undefined` when the project refuses the query. */
async function selectUsers(
  exec: Exec,
  schemaName: SchemaName,
  ids: readonly string[],
): Promise<readonly JsonObject[] | undefined> {
  const query = sql`select (to_jsonb(own) - array['email', 'phone'])::text as found
from ${identifier(schemaName, USERS)} as own where own.id::text in (${join(ids.map(literal))}) limit ${verbatim(String(ids.length))}`
  try {
    const rows = await selectRows(exec, [query])
    return rows.map(({ found }) => parseJson(String(found))).filter(isJsonObject)
  } catch (error) {
    if (error instanceof RemoteError && error.code === 'sql_failed') return undefined
    throw error
  }
}

function userOf(id: string, number: number, found: JsonObject): PulledUser {
  const email = `user${number}@example.test`
  const data = withoutAddresses(found['user_metadata'], email)
  const app = withoutAddresses(found['app_metadata'], email)
  // Leaves out these members, because the emulator sets them itself.
  const { provider: _, providers: _all, ...more } = isJsonObject(app) ? app : {}
  return {
    id,
    email,
    ...(isJsonObject(data) && Object.keys(data).length > 0 ? { data } : {}),
    ...(Object.keys(more).length > 0 ? { app_metadata: more } : {}),
  }
}

const ADDRESS = /[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+/g

/** Replaces e-mail addresses in the texts of a value. */
function withoutAddresses(value: JsonValue | undefined, email: string): JsonValue | undefined {
  if (typeof value === 'string') return value.replaceAll(ADDRESS, email)
  if (Array.isArray(value)) return value.map((item) => withoutAddresses(item, email) ?? null)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutAddresses(member, email)]),
  )
}
