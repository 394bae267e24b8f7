// Routes of /_emulator/v1 for the SQL console (contract/sql-console.ts).
import type { Hono } from 'hono'
import { PLAN_OPERATIONS } from '../../../contract/query-plans.ts'
import { SQL_OPERATIONS } from '../../../contract/sql-console.ts'
import type { ActingPrincipal } from '../../../database/as-principal.ts'
import type { Engine } from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import type { Lifecycle } from '../../../platform/projects/lifecycle.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import { liveProject } from '../../api-kit/find-project.ts'
import {
  type DecodedReference,
  type IdentityDeps,
  resolveIdentity,
} from '../../api-kit/identities.ts'
import { type Bindings, mountOnProject } from '../../api-kit/mount.ts'
import { orRefused } from '../tables/refuse-sql.ts'
import { readTypes } from '../types/read-types.ts'
import { createCompletions } from './completions.ts'
import { explainPlan } from './explain-plan.ts'
import { runSql } from './run-sql.ts'
import { createTypeNames } from './type-names.ts'

export interface SqlDeps {
  readonly engine: Engine
  readonly reader: RowReader
  readonly lifecycle: Lifecycle
  readonly projects: ProjectRegistry
  readonly identities: IdentityDeps
}

export function mountSql(app: Hono<Bindings>, deps: SqlDeps): void {
  const { engine, projects, lifecycle } = deps
  const runner = { engine, typeNames: createTypeNames(engine) }
  const completions = createCompletions(engine, lifecycle)
  const find = (reference: string) => liveProject(projects, reference)
  mountOnProject(app, PLAN_OPERATIONS, find, {
    'POST /projects/:ref/sql/plan': async ({ c, env, project, body }) => {
      const { sql, identity, analyze } = body
      env.facts.schemaName = project.schemaName
      env.facts.statement = sql
      return explainPlan(deps, {
        schemaName: project.schemaName,
        sql,
        principal: await principalOf(deps, project, identity, env.addresses),
        analyze,
        timeoutMillis: body.timeout_ms,
        signal: c.req.raw.signal,
      })
    },
  })
  mountOnProject(app, SQL_OPERATIONS, find, {
    'POST /projects/:ref/sql': async ({ c, env, project, body }) => {
      const { sql, identity } = body
      env.facts.schemaName = project.schemaName
      env.facts.statement = sql
      return runSql(runner, {
        schemaName: project.schemaName,
        sql,
        principal: await principalOf(deps, project, identity, env.addresses),
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

type Addresses = Bindings['Bindings']['addresses']

async function principalOf(
  { identities }: SqlDeps,
  project: Project,
  identity: 'owner' | DecodedReference,
  addresses: Addresses,
): Promise<ActingPrincipal | 'owner'> {
  return identity === 'owner'
    ? identity
    : (await resolveIdentity(identities, project, identity, addresses)).principal
}
