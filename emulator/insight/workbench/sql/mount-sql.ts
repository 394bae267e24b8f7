// Routes of /_emulator/v1 for the SQL console (contract/sql-console.ts).

import type { Hono } from 'hono'
import { PLAN_OPERATIONS } from '../../../contract/query-plans.ts'
import { SQL_OPERATIONS, type SqlCompletions } from '../../../contract/sql-console.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { Principal } from '../../../core/principal.ts'
import { cellText, type Engine } from '../../../database/engine.ts'
import type { EngineRehearsals } from '../../../database/rehearsal.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { literal, type Sql, script, sql } from '../../../database/sql.ts'
import type { Lifecycle } from '../../../platform/projects/lifecycle.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import { liveProject } from '../../api-kit/find-project.ts'
import {
  type DecodedReference,
  type IdentityDeps,
  resolveIdentity,
} from '../../api-kit/identities.ts'
import { type Bindings, mountOnProject } from '../../api-kit/mount.ts'
import type { Journal } from '../../journal/journal.ts'
import { orRefused } from '../tables/refuse-sql.ts'
import { readTypes } from '../types/read-types.ts'
import { explainPlan } from './explain-plan.ts'
import { runPastSql } from './past-sql.ts'
import { runSql } from './run-sql.ts'
import { createTypeNames } from './type-names.ts'

export interface SqlDeps {
  readonly engine: Engine
  readonly reader: RowReader
  readonly lifecycle: Lifecycle
  readonly projects: ProjectRegistry
  readonly identities: IdentityDeps
  readonly rehearsals: EngineRehearsals
  readonly journal: Pick<Journal, 'read'>
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
        parameters: body.parameters,
        principal: await principalOf(deps, project, identity, env.addresses),
        analyze,
        mode: 'readWrite',
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
      const order = {
        schemaName: project.schemaName,
        sql,
        parameters: body.parameters,
        principal: await principalOf(deps, project, identity, env.addresses),
        maxRows: body.max_rows,
        mode: body.mode,
        timeoutMillis: body.timeout_ms,
        signal: c.req.raw.signal,
        requestId: env.requestId,
      }
      if (body.at === undefined) return runSql(runner, order)
      if (body.mode !== 'read_only')
        throw new InspectorError('invalid_request', 'Past rows can only be read.', {
          hint: 'Send the mode "read_only".',
        })
      return runPastSql({ ...deps, ...runner }, order, body.at)
    },
    'GET /projects/:ref/completions': ({ project }) => completions.of(project.schemaName),
    'GET /projects/:ref/types': async ({ c, project }) =>
      c.text(await orRefused(readTypes(engine, project.schemaName))),
  })
}

type Addresses = Bindings['Bindings']['addresses']

export async function principalOf(
  { identities }: SqlDeps,
  project: Project,
  identity: 'owner' | DecodedReference,
  addresses: Addresses,
): Promise<Principal | 'owner'> {
  return identity === 'owner'
    ? identity
    : (await resolveIdentity(identities, project, identity, addresses)).principal
}

// Lists the names that the SQL editor completes: a project's tables, columns and functions. The cache lasts until the schema
// changes.
interface Completions {
  /** @throws {SqlError} */
  of(schemaName: SchemaName): Promise<SqlCompletions>
}

function createCompletions(engine: Engine, lifecycle: Lifecycle): Completions {
  const kept = new Map<SchemaName, Promise<SqlCompletions>>()
  const forget = ({ schemaName }: { readonly schemaName: SchemaName }) => {
    kept.delete(schemaName)
  }
  lifecycle.listen({ schemaChanged: forget, offline: forget })
  return {
    of: (schemaName) => {
      const known = kept.get(schemaName)
      if (known !== undefined) return known
      const loading = load(engine, schemaName)
      kept.set(schemaName, loading)
      loading.catch(() => {
        if (kept.get(schemaName) === loading) kept.delete(schemaName)
      })
      return loading
    },
  }
}

async function load(engine: Engine, schemaName: SchemaName): Promise<SqlCompletions> {
  const results = await engine.admin(
    schemaName,
    script([sql`set local search_path = pg_catalog`, namesQuery(schemaName)]),
  )
  // The query determines this shape, so the cast is safe.
  return JSON.parse(cellText(results.at(-1)?.rows[0]?.[0]) ?? '') as SqlCompletions
}

function namesQuery(schemaName: SchemaName): Sql {
  const own = sql`${literal(schemaName)}::regnamespace`
  return sql`select json_build_object(
  'tables', (
    select coalesce(json_agg(json_build_object('name', c.relname, 'columns', (
      select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_attribute as a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)) order by c.relname), '[]')
    from pg_class as c
    where c.relnamespace = ${own} and c.relkind in ('r', 'p', 'v', 'm', 'f')),
  'functions', (
    select coalesce(json_agg(distinct named.name order by named.name), '[]') from (
      select case n.nspname when 'auth' then 'auth.' else '' end || p.proname as name
      from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
      where p.prokind <> 'a' and p.prorettype <> all (array['trigger', 'event_trigger', 'internal']::regtype[])
        and (n.oid = ${own} or n.nspname in ('auth', 'extensions'))) as named)
)`
}
