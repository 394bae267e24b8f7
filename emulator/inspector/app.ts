// /_emulator/v1: the emulator's own API, for its UI, the command line, fixtures and tests; no application needs it
// (contract.md §8). Beside it, the UI's files. Loopback only unless an admin token is set.
import { Hono } from 'hono'
import { z } from 'zod'
import type { KeptAuthSettings } from '../auth/auth-settings-store.ts'
import type { UserManagement } from '../auth/manage-users.ts'
import type { ReadyLine } from '../contract/addresses.ts'
import type { JournalPage } from '../contract/journal.ts'
import type { Clock } from '../core/clock.ts'
import type { PlatformClock } from '../core/platform-clock.ts'
import type { RequestEnv, ServiceApp } from '../core/request-env.ts'
import type { EngineStats } from '../database/engine.ts'
import type { Mailbox } from '../messages/mailbox.ts'
import type { ProjectRegistry } from '../projects/registry.ts'
import type { S3KeyStore } from '../storage/s3/s3-key-store.ts'
import { mountAuthSettings } from './auth-settings.ts'
import { clockCommandSchema, clockState, moveClock } from './clock-command.ts'
import { type Bindings, decodeBody, decodeQuery, findProject } from './decode.ts'
import { InspectorError, renderInspectorError, renderInspectorInternal } from './errors.ts'
import { admitToEmulatorApi } from './guard.ts'
import type { Journal } from './journal.ts'
import { mountMailbox } from './mailbox.ts'
import { mintPrincipal, mintPrincipalSchema, type PrincipalMintDeps } from './principals.ts'
import type { Recordings } from './recording/recorder.ts'
import { mountS3Keys } from './s3-keys.ts'
import { setSwitches, switchesSchema, switchState } from './switches.ts'
import { mountTokens, type TokenRouteDeps } from './tokens/routes.ts'
import { isUiPath, serveUiFile } from './ui-files.ts'
import { mountUsers } from './users.ts'

export interface InspectorDeps {
  readonly version: string
  readonly adminToken: string | undefined
  readonly journal: Journal
  /** Requests kept whole; also tells the claims of their credentials. */
  readonly recordings: Recordings
  readonly projects: ProjectRegistry
  readonly principals: PrincipalMintDeps
  readonly tokens: TokenRouteDeps
  readonly mailbox: Mailbox
  readonly authSettings: KeptAuthSettings
  readonly users: UserManagement
  readonly s3Keys: S3KeyStore
  readonly clock: PlatformClock
  readonly wallClock: Clock
  readonly engineStats: () => EngineStats
  /** Where `npm run build` put the inspector's pages. */
  readonly uiFolder: string
  /** Addresses and keys, as the ready line states them. */
  readonly info: (env: RequestEnv) => Promise<ReadyLine>
}

const BASE = '/_emulator/v1'
const JOURNAL_LIMIT = { default: 100, max: 1_000 }

export function createInspectorApp(deps: InspectorDeps): ServiceApp {
  const app = new Hono<Bindings>().basePath(BASE)
  app.get('/health', (c) =>
    c.json({ status: 'ok', version: deps.version, engine: deps.engineStats() }),
  )
  app.get('/info', async (c) => c.json(await deps.info(c.env)))
  app.get('/journal', (c) => c.json(readJournal(deps.journal, decodeQuery(c, journalQuery))))
  app.get('/clock', (c) => c.json(clockState(deps.clock, deps.wallClock)))
  app.post('/clock', async (c) => {
    moveClock(deps.clock, await decodeBody(c, clockCommandSchema))
    return c.json(clockState(deps.clock, deps.wallClock))
  })
  app.post('/principals', async (c) => {
    const order = await decodeBody(c, mintPrincipalSchema)
    return c.json(
      await mintPrincipal(
        deps.principals,
        findProject(deps.projects, order.project),
        order,
        c.env.addresses,
      ),
      201,
    )
  })
  app.get('/projects/:ref/switches', (c) =>
    c.json(switchState(deps.projects.switches, findProject(deps.projects, c.req.param('ref')))),
  )
  app.put('/projects/:ref/switches', async (c) => {
    const project = findProject(deps.projects, c.req.param('ref'))
    setSwitches(deps.projects.switches, project, (await decodeBody(c, switchesSchema)).on)
    return c.json(switchState(deps.projects.switches, project))
  })
  mountMailbox(app, deps)
  mountAuthSettings(app, deps)
  mountUsers(app, deps)
  mountS3Keys(app, deps)
  mountTokens(app, deps.tokens)
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
      if (isUiPath(new URL(request.url).pathname))
        return serveUiFile(request, deps.uiFolder, env.addresses, deps.adminToken)
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

function readJournal(journal: Journal, query: z.output<typeof journalQuery>): JournalPage {
  const { limit, before, request_id: requestId, schema_name: schemaName } = query
  return {
    entries: journal.read({
      limit,
      ...(before === undefined ? {} : { before }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(schemaName === undefined ? {} : { schemaName }),
    }),
  }
}
