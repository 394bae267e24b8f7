// A control plane in memory: real stores and commands, a stopped clock and in-memory implementations of the interfaces.

import { ManualClock } from '../../../emulator/core/clock.ts'
import { SeededIdSource } from '../../../emulator/core/id-source.ts'
import { trusted } from '../../../emulator/core/names.ts'
import type { Observation, RequestFacts } from '../../../emulator/core/observation.ts'
import { PlainRequest, toResponse } from '../../../emulator/core/plain-http.ts'
import type { ServiceApp } from '../../../emulator/core/request-env.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { openSystemDb } from '../../../emulator/database/system-db/system-db.ts'
import { REGISTRY_MIGRATIONS } from '../../../emulator/database/system-db/system-schema.ts'
import { hashApiKey } from '../../../emulator/platform/credentials/api-key.ts'
import { CredentialError } from '../../../emulator/platform/credentials/credential-error.ts'
import type { Verified, Verifier } from '../../../emulator/platform/credentials/verify.ts'
import type { SqlOutcome } from '../../../emulator/platform/owner-sql/sql-outcome.ts'
import { Lifecycle } from '../../../emulator/platform/projects/lifecycle.ts'
import { createControlApp } from '../../../emulator/services/control/app.ts'
import type { ControlDeps } from '../../../emulator/services/control/deps.ts'
import type { PlatformBucket } from '../../../emulator/services/control/projects/platform-buckets.ts'
import {
  type ControlStores,
  createControlStores,
} from '../../../emulator/services/control/stores.ts'
import { testBoundary } from '../../support/test-boundary.ts'
import type { Json } from '../../support/test-emulator.ts'
import { MemorySchemaBuilder } from './memory-schema-builder.ts'

export interface Answer {
  readonly status: number
  readonly body: Json
  readonly headers: Headers
  readonly facts: RequestFacts
}

export interface ControlWorld {
  readonly deps: ControlDeps
  readonly stores: ControlStores
  readonly schemas: MemorySchemaBuilder
  readonly clock: ManualClock
  readonly observations: Observation[]
  readonly executed: string[]
  /** The next answer of the SQL port. */
  readonly sql: { outcome: SqlOutcome }
  /**
   * Sends a request. `line` is such as `POST /path`, and `credential` becomes the bearer token. The body is sent as JSON unless
   * it is text.
   */
  send(line: string, credential?: string, body?: unknown): Promise<Answer>
}

const ADDRESSES = {
  authUrl: 'http://127.0.0.1:7357',
  dataUrl: 'http://127.0.0.1:7357',
  storageUrl: 'http://127.0.0.1:7357/storage/v1',
  realtimeUrl: 'ws://127.0.0.1:7357/realtime/v1',
}

export function createControlWorld(overrides: Partial<ControlDeps> = {}): ControlWorld {
  const clock = new ManualClock(epochMillis(Date.UTC(2026, 8, 1)))
  const ids = new SeededIdSource('control-world')
  const db = openSystemDb({ file: undefined, migrations: [REGISTRY_MIGRATIONS] })
  const stores = createControlStores(db, { ids, clock })
  const schemas = new MemorySchemaBuilder()
  const observations: Observation[] = []
  const executed: string[] = []
  const sql: { outcome: SqlOutcome } = {
    outcome: {
      kind: 'done',
      columns: [],
      rows: [],
      rowsAffected: 0,
      durationMillis: 1,
      advice: [],
    },
  }
  const deps: ControlDeps = {
    stores,
    credentials: {
      verifier: createMemoryVerifier(stores, clock),
      sessionTokens: {
        mintSessionToken: (owner) =>
          Promise.resolve({ token: `session.${owner.id}`, expiresInSeconds: 43_200 }),
        reuseSessionToken: (owner) => Promise.resolve(`session.${owner.id}`),
      },
      projectKeys: {
        mint: (project) =>
          Promise.resolve({
            anonKey: `anon.${project.schemaName}.${project.keyVersion}`,
            serviceRoleKey: `service.${project.schemaName}.${project.keyVersion}`,
          }),
      },
    },
    developer: { id: trusted.ownerId('nobody'), adminToken: undefined },
    schemas,
    lifecycle: new Lifecycle(),
    executeSql: (_project, text) => {
      executed.push(text)
      return Promise.resolve(sql.outcome)
    },
    buckets: createMemoryBuckets(clock),
    postgresUrl: async () => undefined,
    clock,
    ids,
    observe: (observation) => observations.push(observation),
    ...overrides,
  }
  const app = createControlApp(deps)
  return {
    deps,
    stores,
    schemas,
    clock,
    observations,
    executed,
    sql,
    send: async (line, credential, body) =>
      seen(line, body, await send(app, line, credential, body)),
  }
}

async function send(
  app: ServiceApp,
  line: string,
  credential: string | undefined,
  body: unknown,
): Promise<Answer> {
  const [method = 'GET', target = '/'] = line.split(' ')
  const facts: RequestFacts = {}
  const request = new Request(`http://127.0.0.1:7357${target}`, {
    method,
    headers: credential === undefined ? {} : { authorization: `Bearer ${credential}` },
    ...(body === undefined ? {} : { body: encode(body), duplex: 'half' }),
  })
  try {
    const env = { requestId: 'req_test', addresses: ADDRESSES, facts }
    const response = toResponse(await app.answer(new PlainRequest(request, undefined), env))
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
      facts,
    }
  } catch (error) {
    const rendered = app.renderError(error)
    if (rendered === undefined) throw error
    return {
      status: rendered.status,
      body: JSON.parse(rendered.body ?? 'null'),
      headers: new Headers(rendered.headers),
      facts,
    }
  }
}

/** Returns the answer in the form that tests compare. */
function seen(line: string, body: unknown, answer: Answer): Answer {
  const [method = '', target = ''] = line.split(' ')
  const bytes = Buffer.from(answer.body === undefined ? '' : JSON.stringify(answer.body))
  const headers = Object.fromEntries(answer.headers)
  const given = testBoundary()?.answer(method, target, body, {
    status: answer.status,
    headers,
    bytes,
  })
  if (given === undefined) return answer
  const text = given.bytes.toString()
  return {
    ...answer,
    status: given.status,
    headers: new Headers(given.headers),
    body: text === '' ? undefined : JSON.parse(text),
  }
}

function encode(body: unknown): BodyInit {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream
    ? (body as BodyInit)
    : JSON.stringify(body)
}

function createMemoryVerifier({ apiKeys }: ControlStores, clock: ManualClock): Verifier {
  function identify(text: string): Verified | undefined {
    const group = apiKeys.findGroupKey(hashApiKey(text))
    if (group !== undefined) return { kind: 'groupKey', ...group }
    const management = apiKeys.findManagementKey(hashApiKey(text))
    if (management?.expiresAt !== undefined && clock.now() >= management.expiresAt)
      throw new CredentialError('expired', 'The management key has expired.')
    if (management !== undefined) return { kind: 'managementKey', ...management }
    return text.startsWith('session.')
      ? { kind: 'owner', ownerId: trusted.ownerId(text.slice('session.'.length)), email: '' }
      : undefined
  }
  return {
    verify: async (text, expected) => {
      if (text === undefined) throw new CredentialError('missing', 'No credential was sent.')
      const verified = identify(text)
      if (verified === undefined)
        throw new CredentialError('malformed', 'This is no credential of the platform.')
      if (!expected.some((kind) => kind === verified.kind))
        throw new CredentialError('wrongKind', `A ${verified.kind} does not open this door.`)
      return verified as Extract<Verified, { kind: (typeof expected)[number] }>
    },
  }
}

function createMemoryBuckets(clock: ManualClock): ControlDeps['buckets'] {
  const buckets = new Map<string, PlatformBucket>()
  return {
    list: async () => [...buckets.values()],
    create: async (project, draft) => {
      const fullName = `${project.schemaName}_${draft.shortName}`
      if (draft.shortName.includes('/'))
        return { kind: 'nameRefused', problem: 'must not contain a slash' }
      if (buckets.has(fullName)) return { kind: 'nameTaken' }
      const { isPublic, fileSizeLimit } = draft
      const bucket = { fullName, isPublic, fileSizeLimit, createdAt: clock.now() }
      buckets.set(fullName, bucket)
      return { kind: 'created', bucket }
    },
  }
}

/** Creates a vendor with a project of three tables, a group with this project as template, and a Group API Key. */
export function setUpVendor(
  world: ControlWorld,
  options: { email?: string; slug?: string; plan?: string } = {},
): Promise<Vendor> {
  const prepare = (): Promise<Vendor> => createVendor(world, options)
  return testBoundary()?.aside(prepare) ?? prepare()
}

async function createVendor(
  world: ControlWorld,
  { email = 'vendor@example.test', slug = 'clinic', plan = 'pro' },
): Promise<Vendor> {
  const account = await world.send('POST /platform/v1/signup', undefined, {
    email,
    password: 'correct horse',
  })
  const session = account.body.session_token as string
  const project = await world.send('POST /platform/v1/projects', session, {
    name: 'Clinic',
    slug,
    plan,
  })
  world.schemas.schemas.set(`proj_${slug}`, { tables: 3, foreignKeys: 2 })
  const group = await world.send('POST /platform/v1/groups', session, {
    name: 'Clinics',
    description: 'Software for clinics',
    template_project_id: `proj_${slug}`,
  })
  const key = await world.send(`POST /platform/v1/groups/${group.body.id}/keys`, session, {})
  return {
    session,
    projectId: project.body.id,
    groupId: group.body.id,
    groupKey: key.body.key,
    tenants: `/groups/v1/${group.body.id}/tenants`,
  }
}

export interface Vendor {
  readonly session: string
  readonly projectId: string
  readonly groupId: string
  readonly groupKey: string
  /** Path of the group's tenants. */
  readonly tenants: string
}
