// /_emulator/v1: the emulator's own API, for its UI, the command line, fixtures and tests; no application needs it
// (contract.md §8). Loopback only unless an admin token is set.
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import type { ReadyLine } from '../contract/addresses.ts'
import type { JournalPage } from '../contract/journal.ts'
import type { Clock } from '../core/clock.ts'
import { parseSchemaName, slugOf, trusted } from '../core/names.ts'
import type { PlatformClock } from '../core/platform-clock.ts'
import type { RequestEnv, ServiceApp } from '../core/request-env.ts'
import type { EngineStats } from '../database/engine.ts'
import type { Project } from '../projects/project.ts'
import type { ProjectRegistry } from '../projects/registry.ts'
import { clockCommandSchema, clockState, moveClock } from './clock-command.ts'
import { InspectorError, renderInspectorError, renderInspectorInternal } from './errors.ts'
import { admitToEmulatorApi } from './guard.ts'
import type { Journal } from './journal.ts'
import { mintPrincipal, mintPrincipalSchema, type PrincipalMintDeps } from './principals.ts'
import { setSwitches, switchesSchema, switchState } from './switches.ts'

export interface InspectorDeps {
  readonly version: string
  readonly adminToken: string | undefined
  readonly journal: Journal
  readonly projects: ProjectRegistry
  readonly principals: PrincipalMintDeps
  readonly clock: PlatformClock
  readonly wallClock: Clock
  readonly engineStats: () => EngineStats
  /** Addresses and keys, as the ready line states them. */
  readonly info: (env: RequestEnv) => Promise<ReadyLine>
}

type Bindings = { Bindings: RequestEnv }

const BASE = '/_emulator/v1'
const JOURNAL_LIMIT = { default: 100, max: 1_000 }

export function createInspectorApp(deps: InspectorDeps): ServiceApp {
  const app = new Hono<Bindings>().basePath(BASE)
  app.get('/health', (c) =>
    c.json({ status: 'ok', version: deps.version, engine: deps.engineStats() }),
  )
  app.get('/info', async (c) => c.json(await deps.info(c.env)))
  app.get('/journal', (c) => c.json(readJournal(deps.journal, c.req.query())))
  app.get('/clock', (c) => c.json(clockState(deps.clock, deps.wallClock)))
  app.post('/clock', async (c) => {
    moveClock(deps.clock, await bodyOf(c, clockCommandSchema))
    return c.json(clockState(deps.clock, deps.wallClock))
  })
  app.post('/principals', async (c) => {
    const order = await bodyOf(c, mintPrincipalSchema)
    return c.json(
      await mintPrincipal(deps.principals, projectOf(deps, order.project), order, c.env.addresses),
      201,
    )
  })
  app.get('/projects/:ref/switches', (c) =>
    c.json(switchState(deps.projects.switches, projectOf(deps, c.req.param('ref')))),
  )
  app.put('/projects/:ref/switches', async (c) => {
    const project = projectOf(deps, c.req.param('ref'))
    setSwitches(deps.projects.switches, project, (await bodyOf(c, switchesSchema)).on)
    return c.json(switchState(deps.projects.switches, project))
  })
  app.notFound((c) => {
    throw new InspectorError(
      'not_found',
      `There is no ${c.req.method} ${c.req.path} in the emulator’s API.`,
    )
  })
  app.onError((error) => {
    throw error
  })
  return {
    fetch: (request, env) => {
      admitToEmulatorApi(request, deps.adminToken)
      return app.fetch(request, env)
    },
    renderError: renderInspectorError,
    renderInternal: renderInspectorInternal,
  }
}

const journalQuery = z.object({
  limit: z.coerce.number().int().min(1).max(JOURNAL_LIMIT.max).default(JOURNAL_LIMIT.default),
  before: z.coerce.number().int().min(1).optional(),
  request_id: z.string().optional(),
  schema_name: z.string().optional(),
})

function readJournal(journal: Journal, query: Record<string, string>): JournalPage {
  const {
    limit,
    before,
    request_id: requestId,
    schema_name: schemaName,
  } = decode(journalQuery, query)
  return {
    entries: journal.read({
      limit,
      ...(before === undefined ? {} : { before }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(schemaName === undefined ? {} : { schemaName }),
    }),
  }
}

function projectOf(deps: InspectorDeps, reference: string): Project {
  const schemaName = parseSchemaName(reference)
  const project =
    deps.projects.findProjectBySlug(schemaName === undefined ? reference : slugOf(schemaName)) ??
    deps.projects.findProject(trusted.projectId(reference))
  if (project === undefined)
    throw new InspectorError('not_found', `There is no project ${reference}.`, {
      hint: 'Name it by schema name, slug or id.',
    })
  return project
}

async function bodyOf<Schema extends z.ZodType>(
  c: Context<Bindings>,
  schema: Schema,
): Promise<z.output<Schema>> {
  let body: unknown
  try {
    body = await c.req.json()
  } catch {
    throw new InspectorError('invalid_json', 'The body is not valid JSON.')
  }
  return decode(schema, body)
}

function decode<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`,
  )
  throw new InspectorError('invalid_request', `The request is not valid. ${problems.join('; ')}.`)
}
