// The settings of a transaction, as one prepared statement, and the errors of values that Postgres refuses.
import { SqlError } from '../../engine.ts'
import type { FrontendMessages } from '../../wire-protocol/frontend-messages.ts'
import type { PreparedStatements } from '../../wire-protocol/prepared-statements.ts'
import type { ServerConnection } from '../connections/server-connection.ts'

export type Settings = readonly (readonly [name: string, value: string])[]

// The isolation level must be set before the transaction's first query.
const ISOLATION = 'transaction_isolation'
const LEVELS: ReadonlySet<string> = new Set([
  'read uncommitted',
  'read committed',
  'repeatable read',
  'serializable',
])
export const READ_ONLY = ['transaction_read_only', 'on'] as const

// A function takes at most 100 arguments (FUNC_MAX_ARGS).
const MAX_CALLS = 50
const texts = new Map<string, string>()

// Calls set_config for each setting, in their order, and returns no row. `num_nulls` takes any number of values.
function textFor(count: number, isLocal: boolean, unlocks: boolean): string {
  const key = `${count} ${isLocal} ${unlocks}`
  const known = texts.get(key)
  if (known !== undefined) return known
  const calls = Array.from(
    { length: count },
    (_, index) => `pg_catalog.set_config($${2 * index + 1}, $${2 * index + 2}, ${isLocal})`,
  )
  if (unlocks) calls.push('pg_catalog.pg_advisory_unlock_all()')
  const text = `select where pg_catalog.num_nulls(${calls.join(', ')}) operator(pg_catalog.<) 0`
  texts.set(key, text)
  return text
}

/** Throws for a value that no setting can have. @throws {SqlError} 22023 */
export function requireSettable(settings: Settings): void {
  for (const [name, value] of settings) {
    const isLevel = name !== ISOLATION || LEVELS.has(value.toLowerCase())
    if (value.includes('\0') || !isLevel) throw invalidSetting(name)
  }
}

/**
 * Appends the beginning of work: resets what earlier work left in the session, and applies the settings to the transaction.
 * @returns the number of statements that the caller must skip in the reply
 */
export function appendBeginning(
  messages: FrontendMessages,
  connection: ServerConnection,
  settings: Settings,
): number {
  const { isUntidy } = connection.beginWork(messages)
  const count = appendSettings(messages, connection.prepared, settings, isUntidy)
  return count + (isUntidy ? 1 : 0)
}

/**
 * Appends the statements that apply the settings to the open transaction.
 * @param unlocks whether to release the session's advisory locks
 * @returns the number of statements that the caller must skip in the reply
 */
export function appendSettings(
  messages: FrontendMessages,
  prepared: PreparedStatements,
  settings: Settings,
  unlocks = false,
): number {
  const isolation = settings.find(([name]) => name === ISOLATION)?.[1]
  const others =
    isolation === undefined ? settings : settings.filter(([name]) => name !== ISOLATION)
  if (isolation !== undefined) messages.statement(`set transaction isolation level ${isolation}`)
  return (
    (isolation === undefined ? 0 : 1) +
    appendCalls(messages, prepared, others, { isLocal: true, unlocks })
  )
}

const OF_THE_SESSION: Readonly<Record<string, string>> = {
  [ISOLATION]: 'default_transaction_isolation',
  [READ_ONLY[0]]: 'default_transaction_read_only',
}

/** Appends the beginning of a script. The settings apply to the session, so that they outlive the script's transactions. */
export function appendSessionSettings(
  messages: FrontendMessages,
  connection: ServerConnection,
  settings: Settings,
): void {
  const { isUntidy } = connection.beginWork(messages)
  const named = settings.map(([name, value]) => [OF_THE_SESSION[name] ?? name, value] as const)
  appendCalls(messages, connection.prepared, named, { isLocal: false, unlocks: isUntidy })
}

interface CallOptions {
  readonly isLocal: boolean
  readonly unlocks: boolean
}

function appendCalls(
  messages: FrontendMessages,
  prepared: PreparedStatements,
  settings: Settings,
  { isLocal, unlocks }: CallOptions,
): number {
  let count = 0
  for (let from = 0; from < settings.length || (unlocks && from === 0); from += MAX_CALLS) {
    const some = settings.slice(from, from + MAX_CALLS)
    const text = textFor(some.length, isLocal, unlocks && from === 0)
    messages.bind(prepared.keptName(messages, text), some.flat()).execute()
    count += 1
  }
  return count
}

/** The error of work whose settings Postgres refused. */
export function refusedSetting(error: SqlError, settings: Settings): SqlError {
  const named = settings.find(([name]) => error.message.includes(`"${name}"`))
  return invalidSetting(named?.[0] ?? error.message)
}

function invalidSetting(name: string): SqlError {
  return new SqlError('22023', `invalid value for setting "${name}"`)
}
