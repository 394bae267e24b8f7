// /platform/v1/projects/:id/db/exec and /db/connection-string: a project's database, for whoever migrates it
// (docs/wire/platform.md#db-exec).
import { z } from 'zod'
import { authenticateManagementKey, authenticateProjectCaller } from '../authenticate.ts'
import type { ControlDeps } from '../deps.ts'
import { ManagementError } from '../errors.ts'
import { requireReachableProject } from '../project-access.ts'
import { decodeBody } from '../request-body.ts'
import { textShape } from '../shapes.ts'
import { sqlOutcomeToWire } from '../wire.ts'
import { pathParam, presented, type RouteTable } from './route-table.ts'

const MAX_SQL_LENGTH = 1_048_576

const ExecShape = z.object({ sql: textShape(MAX_SQL_LENGTH) })

export function databaseRoutes(deps: ControlDeps): RouteTable {
  const { stores, executeSql, postgresUrl } = deps
  return {
    '/platform/v1/projects/:id/db/exec': {
      POST: async (context) => {
        const { facts, requestId } = context.env
        const caller = await authenticateProjectCaller(deps, presented(context))
        const project = requireReachableProject(stores, caller, pathParam(context, 'id'))
        facts.schemaName = project.schemaName
        const { sql } = await decodeBody(context.req.raw, ExecShape)
        facts.statement = sql
        const outcome = await executeSql(project, sql, context.req.raw.signal, requestId)
        if (outcome.kind === 'done') facts.rowCount = outcome.rows.length
        return context.json(sqlOutcomeToWire(outcome))
      },
    },
    '/platform/v1/projects/:id/db/connection-string': {
      GET: async (context) => {
        const caller = await authenticateManagementKey(deps, presented(context))
        const project = requireReachableProject(stores, caller, pathParam(context, 'id'))
        context.env.facts.schemaName = project.schemaName
        const url = postgresUrl(project)
        if (url === undefined)
          throw new ManagementError('postgres_unavailable', 'No Postgres port is listening.', {
            hint: 'Start the emulator with one, or run SQL through db/exec.',
          })
        return context.json({ connection_string: url })
      },
    },
  }
}
