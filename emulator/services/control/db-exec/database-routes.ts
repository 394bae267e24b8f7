// Routes of /platform/v1/projects/:id/db: `exec` runs SQL, `connection-string` returns the project's Postgres address
// (docs/wire/platform.md#db-exec).
import { z } from 'zod'
import { ManagementError } from '../errors.ts'
import { authenticateManagementKey, authenticateProjectCaller } from '../request/authenticate.ts'
import { decodeBody, textShape } from '../request/request-body.ts'
import {
  BODY_CODES,
  type ControlRoutes,
  OWNED_CODES,
  presented,
  reachableProjectOf,
} from '../request/route.ts'
import { sqlOutcomeToWire } from '../wire.ts'

const MAX_SQL_LENGTH = 1_048_576

const ExecShape = z.object({ sql: textShape(MAX_SQL_LENGTH) })

export const DATABASE_ROUTES: ControlRoutes = {
  'POST /platform/v1/projects/:id/db/exec': {
    operation: 'database.exec',
    title: 'Runs SQL as the owner',
    codes: [
      'transaction_control_blocked',
      'role_change_blocked',
      'system_schema_protected',
      ...OWNED_CODES,
      ...BODY_CODES,
    ],
    body: ExecShape,
    handler: (deps) => async (context) => {
      const { facts, requestId } = context.env
      const caller = await authenticateProjectCaller(deps, presented(context))
      reachableProjectOf(deps, context, caller)
      const { sql } = await decodeBody(context.req.raw, ExecShape)
      // Looks the project up again, because another request can remove or purge it while the body arrives.
      const project = reachableProjectOf(deps, context, caller)
      facts.statement = sql
      const outcome = await deps.executeSql(project, sql, context.req.raw.signal, requestId)
      if (outcome.kind === 'done') facts.rowCount = outcome.rows.length
      return context.json(sqlOutcomeToWire(outcome))
    },
  },
  'GET,HEAD /platform/v1/projects/:id/db/connection-string': {
    operation: 'database.connection_string',
    title: 'Reads the address of the Postgres port',
    codes: ['postgres_unavailable', ...OWNED_CODES],
    handler: (deps) => async (context) => {
      const caller = await authenticateManagementKey(deps, presented(context))
      const project = reachableProjectOf(deps, context, caller)
      const url = await deps.postgresUrl(project)
      if (url === undefined)
        throw new ManagementError('postgres_unavailable', 'No Postgres port is listening.', {
          hint: 'Start the emulator with --postgres-port, or run SQL through db/exec.',
        })
      return context.json({ connection_string: url })
    },
  },
}
