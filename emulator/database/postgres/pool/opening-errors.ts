// Translates the error of a connection that did not open into the error of the work that waited for it.
import { type PlatformScope, SqlError } from '../../engine.ts'
import { downError } from '../../queue-errors.ts'
import type { Seat } from './seat.ts'

const RETRY_AFTER_SECONDS = 1
const NO_LOGIN = new Set(['28000', '28P01', '42704'])
const NO_DATABASE = '3D000'
const TOO_MANY_CONNECTIONS = '53300'
// Five letters or digits, as SQLSTATE. The codes of Node's sockets, such as ECONNREFUSED, are longer or begin with E.
const SQLSTATE = /^[0-9A-Z]{5}$/
const NOT_STARTED = new Set(['57P03', '57P01', '57P02'])

export function openingError(
  error: unknown,
  { login, project }: Pick<Seat, 'login' | 'project'>,
): SqlError {
  const message = error instanceof Error ? error.message : String(error)
  const code = codeOf(error)
  if (code === undefined || NOT_STARTED.has(code))
    return downError(`the database server cannot be reached: ${message}`, RETRY_AFTER_SECONDS)
  if (code === TOO_MANY_CONNECTIONS)
    return new SqlError(code, message, {
      hint: 'Nothing was changed; try again later.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  if (code === NO_DATABASE) return noDatabaseError(project)
  if (NO_LOGIN.has(code))
    return new SqlError('42704', `role "${login().user}" cannot log in: ${message}`)
  return new SqlError(code, message)
}

/** Whether the server refused the login's name or password. The server does not say which of the two was wrong. */
export function isLoginRefused(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && NO_LOGIN.has(code)
}

export function noDatabaseError(project: PlatformScope): SqlError {
  return new SqlError(NO_DATABASE, `the project "${project}" has no database on the server`)
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && SQLSTATE.test(code) && !code.startsWith('E') ? code : undefined
}
