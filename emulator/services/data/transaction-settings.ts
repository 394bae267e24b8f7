// Isolation, settings and timeout of a request's transaction, from its role and function (PostgREST, "Transactions: Isolation
// Level, Impersonated Role Settings, Hoisted Function Settings"). Pure.
import type { IsolationLevel } from '../../database/as-principal.ts'
import type { RowsPlan } from './plan/plan.ts'
import type { DataSettings } from './settings.ts'

export interface TransactionSettings {
  /** `undefined` for read committed, which is Postgres's default. */
  readonly isolation: IsolationLevel | undefined
  /** The role's settings from `ALTER ROLE … SET`. The request's own settings override them. */
  readonly ofRole: Readonly<Record<string, string>>
  /** The function's settings that apply to its whole transaction. */
  readonly ofRoutine: Readonly<Record<string, string>>
  /** Maximum duration of the statement, in wall-clock milliseconds. */
  readonly timeoutMillis: number
}

export function transactionSettings(
  settings: DataSettings,
  role: string,
  plan: RowsPlan | undefined,
): TransactionSettings {
  const roleSettings = settings.roleSettings?.get(role)
  const ofRole = roleSettings?.settings ?? {}
  const own = plan?.kind === 'call' ? plan.routine.settings : []
  const ofRoutine = Object.fromEntries(
    own.filter(([name]) => settings.hoistedTxSettings.includes(name)),
  )
  const routineIsolation = own.find(([name]) => name === 'default_transaction_isolation')?.[1]
  const isolation =
    routineIsolation === undefined ? roleSettings?.isolation : isolationOf(routineIsolation)
  return {
    isolation,
    ofRole,
    ofRoutine,
    timeoutMillis:
      hoistedTimeout(ofRoutine['statement_timeout'] ?? ofRole['statement_timeout']) ??
      settings.timeoutMillis,
  }
}

/** Returns `undefined` for any other level, which leaves Postgres's default. */
export function isolationOf(text: string): IsolationLevel | undefined {
  const level = text.toLowerCase()
  return level === 'repeatable read' || level === 'serializable' ? level : undefined
}

// Maximum timeout that a function can set. All projects share the engine.
const LONGEST_MILLIS = 60_000

function hoistedTimeout(text: string | undefined): number | undefined {
  const millis = text === undefined ? undefined : millisOf(text)
  return millis === undefined || millis === 0 ? undefined : Math.min(millis, LONGEST_MILLIS)
}

const UNIT_MILLIS: Readonly<Record<string, number>> = {
  us: 0.001,
  ms: 1,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Parses a duration in the format of `statement_timeout`. A number without a unit is in milliseconds. */
export function millisOf(text: string): number | undefined {
  const [, amount = '', unit = 'ms'] =
    /^\s*(\d+(?:\.\d*)?|\.\d+)\s*(us|ms|s|min|h|d)?\s*$/.exec(text) ?? []
  const scale = UNIT_MILLIS[unit]
  return amount === '' || scale === undefined ? undefined : Math.round(Number(amount) * scale)
}
