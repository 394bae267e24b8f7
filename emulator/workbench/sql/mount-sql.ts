// Routes of /_emulator/v1 for the SQL console (contract/sql-console.ts).
import type { Hono } from 'hono'
import { liveProject } from '../../api-kit/find-project.ts'
import { type IdentityDeps, resolveIdentity } from '../../api-kit/identities.ts'
import { type Bindings, mountOnProject } from '../../api-kit/mount.ts'
import { SQL_OPERATIONS } from '../../contract/sql-console.ts'
import type { Engine } from '../../database/engine.ts'
import type { Lifecycle } from '../../projects/lifecycle.ts'
import type { ProjectRegistry } from '../../projects/registry.ts'
import { orRefused } from '../tables/refuse-sql.ts'
import { readTypes } from '../types/read-types.ts'
import { createCompletions } from './completions.ts'
import { runSql } from './run-sql.ts'
import { createTypeNames } from './type-names.ts'

export interface SqlDeps {
  readonly engine: Engine
  readonly lifecycle: Lifecycle
  readonly projects: ProjectRegistry
  readonly identities: IdentityDeps
}

export function mountSql(app: Hono<Bindings>, deps: SqlDeps): void {
  const { engine, projects, identities, lifecycle } = deps
  const runner = { engine, typeNames: createTypeNames(engine) }
  const completions = createCompletions(engine, lifecycle)
  mountOnProject(app, SQL_OPERATIONS, (reference) => liveProject(projects, reference), {
    'POST /projects/:ref/sql': async ({ c, env, project, body }) => {
      const { sql, identity } = body
      env.facts.schemaName = project.schemaName
      env.facts.statement = sql
      const principal =
        identity === 'owner'
          ? identity
          : (await resolveIdentity(identities, project, identity, env.addresses)).principal
      return runSql(runner, {
        schemaName: project.schemaName,
        sql,
        principal,
        maxRows: body.max_rows,
        mode: body.mode,
        timeoutMillis: body.timeout_ms,
        signal: c.req.raw.signal,
      })
    },
    'GET /projects/:ref/completions': ({ project }) => completions.of(project.schemaName),
    'GET /projects/:ref/types': async ({ c, project }) =>
      c.text(await orRefused(readTypes(engine, project.schemaName))),
  })
}
