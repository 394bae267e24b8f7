// The SQL console over /_emulator/v1 (contract/sql-console.ts).
import type { Hono } from 'hono'
import { z } from 'zod'
import { type Bindings, decodeBody, liveProject } from '../../api-kit/decode.ts'
import { type IdentityDeps, identityReference, resolveIdentity } from '../../api-kit/identities.ts'
import type { SqlAnswer, SqlCompletions } from '../../contract/sql-console.ts'
import type { Engine } from '../../database/engine.ts'
import type { Lifecycle } from '../../projects/lifecycle.ts'
import type { ProjectRegistry } from '../../projects/registry.ts'
import { createCompletions } from './completions.ts'
import { runSql } from './run-sql.ts'
import { createTypeNames } from './type-names.ts'

export interface SqlDeps {
  readonly engine: Engine
  readonly lifecycle: Lifecycle
  readonly projects: ProjectRegistry
  readonly identities: IdentityDeps
}

const MAX_SQL_LENGTH = 1_048_576
const ROWS = { default: 1_000, max: 10_000 }
/** Milliseconds. */
const TIMEOUT = { default: 30_000, max: 120_000 }

/** Body of POST …/sql. */
export const sqlRequest = z.strictObject({
  sql: z.string().max(MAX_SQL_LENGTH),
  identity: z.union([z.literal('owner'), identityReference]),
  max_rows: z.number().int().min(0).max(ROWS.max).default(ROWS.default),
  mode: z.enum(['run', 'rollback', 'explain']).default('run'),
  timeout_ms: z.number().int().min(1).max(TIMEOUT.max).default(TIMEOUT.default),
})

export function mountSql(app: Hono<Bindings>, deps: SqlDeps): void {
  const { engine, projects, lifecycle } = deps
  const runner = { engine, typeNames: createTypeNames(engine) }
  const completions = createCompletions(engine, lifecycle)
  app.post('/projects/:ref/sql', async (c) => {
    const project = liveProject(projects, c.req.param('ref'))
    const order = await decodeBody(c, sqlRequest)
    const { facts, addresses } = c.env
    facts.schemaName = project.schemaName
    facts.statement = order.sql
    const principal =
      order.identity === 'owner'
        ? order.identity
        : (await resolveIdentity(deps.identities, project, order.identity, addresses)).principal
    const answer = await runSql(runner, {
      schemaName: project.schemaName,
      sql: order.sql,
      principal,
      maxRows: order.max_rows,
      mode: order.mode,
      timeoutMillis: order.timeout_ms,
      signal: c.req.raw.signal,
    })
    return c.json(answer satisfies SqlAnswer)
  })
  app.get('/projects/:ref/completions', async (c) => {
    const { schemaName } = liveProject(projects, c.req.param('ref'))
    return c.json((await completions.of(schemaName)) satisfies SqlCompletions)
  })
}
