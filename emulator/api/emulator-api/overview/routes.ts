// Routes for the home screen and the platform overview below /_emulator/v1 (contract/home.ts, contract/overview.ts).
import type { Hono } from 'hono'
import type { ReadyLine } from '../../../contract/addresses.ts'
import { HOME_OPERATIONS } from '../../../contract/home.ts'
import { OVERVIEW_OPERATIONS } from '../../../contract/overview.ts'
import type { RequestEnv } from '../../../core/request-env.ts'
import { liveProject } from '../../../insight/api-kit/find-project.ts'
import { type Bindings, mount } from '../../../insight/api-kit/mount.ts'
import type { AuditRouteDeps } from '../../../insight/explain/audit/routes.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import { type HomeDeps, showHome } from './home.ts'
import { type OverviewDeps, overviewOf } from './overview.ts'
import { listProjects } from './show-platform.ts'

export function mountOverview(
  app: Hono<Bindings>,
  {
    overview,
    home,
    info,
    audit,
    projects,
  }: {
    readonly overview: OverviewDeps
    readonly home: HomeDeps
    readonly info: (env: RequestEnv) => Promise<ReadyLine>
    readonly audit: AuditRouteDeps
    readonly projects: ProjectRegistry
  },
): void {
  const { version, engineStats } = overview
  mount(app, HOME_OPERATIONS, {
    'GET /home': ({ query }) => showHome(overview, home, query.limit),
  })
  mount(app, OVERVIEW_OPERATIONS, {
    'GET /health': () => {
      const watch = overview.watch()
      const health = { status: 'ok' as const, version, engine: engineStats() }
      return watch === undefined ? health : { ...health, watch }
    },
    'GET /info': ({ env }) => info(env),
    'GET /projects/:ref/connection': ({ env, params }) =>
      overview.connectionOf(liveProject(projects, params.ref), env),
    'GET /openapi.json': async () => {
      const { openApiDocument } = await import('../openapi/own-document.ts')
      return openApiDocument(version)
    },
    'GET /openapi/:plane': async ({ env, params, query }) => {
      const { documentOfPlane } = await import('../openapi/document-of-plane.ts')
      const deps = { version, projects, rest: audit.audit }
      return documentOfPlane(deps, params.plane, query.project, env)
    },
    'GET /overview': () => overviewOf(overview),
    'GET /projects': () => ({
      data_dir: overview.dataDir ?? null,
      ...listProjects(overview.records),
    }),
  })
}
