// Runs platform work: one script with the platform's own account, in one transaction. The session's search path is pg_catalog,
// so that names mean built-in objects.
import type { StatementResult } from '../../engine.ts'
import type { SqlScript } from '../../sql.ts'
import { parseBackendMessages } from '../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../wire-protocol/frontend-messages.ts'
import type { ServerConnection } from '../connections/server-connection.ts'

/** The settings of the platform's sessions, in libpq's form. */
export const PLATFORM_OPTIONS = '-c search_path=pg_catalog'

/** Runs the script, and leaves a clean session. @throws {SqlError} */
export async function runPlatformWork(
  connection: ServerConnection,
  { text }: SqlScript,
): Promise<readonly StatementResult[]> {
  const { error, results } = parseBackendMessages(
    await connection.exchange(new FrontendMessages().query(text).bytes()),
  )
  if (connection.isOpen) await connection.clean()
  if (error !== undefined) throw error
  return results
}
