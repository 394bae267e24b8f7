// Routes of /_emulator/v1 for the plan of a request, and for advice on a statement (contract/query-plans.ts).
import type { Hono } from 'hono'
import { ADVICE_OPERATIONS, REQUEST_PLAN_OPERATIONS } from '../../../contract/query-plans.ts'
import { liveProject } from '../../api-kit/find-project.ts'
import { type Bindings, mount, mountOnProject } from '../../api-kit/mount.ts'
import { principalOf, type SqlDeps } from '../sql/mount-sql.ts'
import { type RequestPlanDeps, requestPlan } from './request-plan.ts'
import { type AdviceDeps, adviseOnPlan } from './try-advice.ts'

export type PlanRouteDeps = SqlDeps & RequestPlanDeps & AdviceDeps

export function mountPlans(app: Hono<Bindings>, deps: PlanRouteDeps): void {
  mount(app, REQUEST_PLAN_OPERATIONS, {
    'GET /journal/:request_id/plan': ({ c, env, params }) =>
      requestPlan(deps, params.request_id, env.addresses, c.req.raw.signal),
  })
  mountOnProject(app, ADVICE_OPERATIONS, (reference) => liveProject(deps.projects, reference), {
    'POST /projects/:ref/sql/advice': async ({ body, c, env, project }) =>
      adviseOnPlan(deps, {
        schemaName: project.schemaName,
        sql: body.sql,
        parameters: body.parameters,
        principal: await principalOf(deps, project, body.identity, env.addresses),
        timeoutMillis: body.timeout_ms,
        signal: c.req.raw.signal,
      }),
  })
}
