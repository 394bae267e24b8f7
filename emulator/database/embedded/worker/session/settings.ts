// Sets options with PostgreSQL's own C function. SQL would need a prepared statement of ours, which a tenant could replace.
// Constants are from guc.h and elog.h, PostgreSQL 18.
import { type Backend, BackendDied } from '../backend/backend.ts'

export const GucContext = { internal: 0, backend: 4, superuser: 5, user: 6 } as const
export const GucSource = { override: 10, session: 13 } as const
export const GucAction = { set: 0, local: 1 } as const

const WARNING = 19
// The C struct is config_generic {name, context, …} (guc_tables.h).
const CONTEXT_OFFSET = 4

interface SetHow {
  readonly context: number
  readonly source: number
  readonly action: number
}

/**
 * Sets one option. The caller must have opened a transaction. Returns false when Postgres refuses the value. @throws
 * {BackendDied}
 */
export function setOption(backend: Backend, name: string, value: string, how: SetHow): boolean {
  return backend.withText(value, (address) => {
    const outcome = backend.guarded(() =>
      backend.module._set_config_option(
        backend.constant(name),
        address,
        how.context,
        how.source,
        how.action,
        1,
        WARNING,
        0,
      ),
    )
    return outcome === 1
  })
}

/** Works as `SET LOCAL name = value` with a user's rights. */
export function setLocal(backend: Backend, name: string, value: string): boolean {
  return setOption(backend, name, value, {
    context: GucContext.user,
    source: GucSource.session,
    action: GucAction.local,
  })
}

/** Keeps event triggers from firing until the transaction ends. Only a superuser may set this. */
export function silenceEventTriggers(backend: Backend): boolean {
  return setOption(backend, 'event_triggers', 'off', {
    context: GucContext.superuser,
    source: GucSource.session,
    action: GucAction.local,
  })
}

/** Sets an option as at login: both the present value and the value that RESET restores. A rollback does not undo this change. */
export function setSessionDefault(backend: Backend, name: string, value: string): boolean {
  return setOption(backend, name, value, {
    context: GucContext.backend,
    source: GucSource.override,
    action: GucAction.set,
  })
}

/** Locks an option, so that `SET` refuses it from now on. @throws {BackendDied} when memory is laid out differently */
export function lockOption(backend: Backend, name: string): void {
  const option = backend.module._find_option(backend.constant(name), 0, 1, WARNING)
  if (option === 0 || backend.readWord(option + CONTEXT_OFFSET) !== GucContext.user)
    throw new BackendDied(`the setting ${name} cannot be locked`)
  backend.writeWord(option + CONTEXT_OFFSET, GucContext.internal)
}
