// Calls the public API of a platform that runs elsewhere: the hosted platform or another emulator (docs/wire/platform.md).
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../core/json.ts'
import { isLoopbackHost } from '../../core/loopback.ts'
import { RemoteError, type RemoteErrorCode } from './remote-error.ts'
import { type NamedKey, type RemoteKeys, requireKey } from './remote-keys.ts'

/** Result of one script in one transaction. `failed` means that the transaction was rolled back. */
export type RemoteOutcome =
  | { readonly kind: 'done'; readonly rows: readonly JsonObject[] }
  | {
      readonly kind: 'failed'
      /** SQLSTATE, or the code of a refusal such as `transaction_control_blocked`. */
      readonly code: string
      readonly message: string
      /** 1-based line of the script, when it is known. */
      readonly line: number | undefined
    }

/** Every method throws `RemoteError`. */
export interface PlatformClient {
  /** Origin of the platform, for messages. */
  readonly origin: string
  /** Runs SQL as the owner of a project. @param project `proj_<slug>` or the project's id */
  exec(project: string, sql: string): Promise<RemoteOutcome>
  /** Returns the answer of `GET /platform/v1/projects/:id/buckets`. */
  buckets(project: string): Promise<readonly JsonObject[]>
  /** Returns the answer of `GET /groups/v1/:group`, with the Group API Key. */
  group(group: string): Promise<JsonObject>
  /** Returns one page of `GET /groups/v1/:group/tenants`, with the Group API Key. */
  tenants(
    group: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<JsonObject>
  /** Returns the answer of `GET /groups/v1/:group/tenants/:tenant`. */
  tenant(group: string, tenant: string): Promise<JsonObject>
}

export interface PlatformClientDeps {
  /** Any address of the platform's management host; its path is ignored. */
  readonly url: string
  readonly keys: RemoteKeys
  readonly fetch: typeof fetch
}

/** Above the 30 s that db/exec allows a script (docs/wire/platform.md#db-exec). */
const TIMEOUT_MILLIS = 45_000
/** Answers that concern the script and not the caller. */
const SCRIPT_REFUSALS = new Set([
  'transaction_control_blocked',
  'role_change_blocked',
  'system_schema_protected',
])

/** @throws {RemoteError} `no_platform` for an invalid address */
export function createPlatformClient(deps: PlatformClientDeps): PlatformClient {
  const origin = originOf(deps.url)
  const projectKey = (): NamedKey =>
    requireKey(deps.keys, ['managementKey', 'sessionToken'], 'the project')
  const groupKey = (): NamedKey => requireKey(deps.keys, ['groupApiKey'], 'the group')
  const send = (request: Omit<RemoteRequest, 'origin' | 'fetch'>) =>
    answerOf({ ...request, origin, fetch: deps.fetch })
  const path = (...parts: readonly string[]) => parts.map(encodeURIComponent).join('/')
  const object = async (key: NamedKey, target: string): Promise<JsonObject> => {
    const answer = await send({ key, method: 'GET', target })
    return isJsonObject(answer) ? answer : failStranger(origin)
  }
  return {
    origin,
    exec: async (project, sql) => {
      const target = `/platform/v1/projects/${path(project)}/db/exec`
      return outcomeOf(origin, () =>
        send({ key: projectKey(), method: 'POST', target, body: { sql } }),
      )
    },
    buckets: async (project) => {
      const target = `/platform/v1/projects/${path(project)}/buckets`
      const answer = await send({ key: projectKey(), method: 'GET', target })
      return Array.isArray(answer) ? answer.filter(isJsonObject) : failStranger(origin)
    },
    group: (group) => object(groupKey(), `/groups/v1/${path(group)}`),
    tenants: (group, { limit, offset }) =>
      object(groupKey(), `/groups/v1/${path(group)}/tenants?limit=${limit}&offset=${offset}`),
    tenant: (group, tenant) =>
      object(groupKey(), `/groups/v1/${path(group)}/tenants/${path(tenant)}`),
  }
}

function originOf(url: string): string {
  const { hostname, origin, protocol } = URL.canParse(url) ? new URL(url) : {}
  if (hostname === undefined || origin === undefined || !/^https?:$/.test(protocol ?? ''))
    throw new RemoteError('no_platform', `${url} is not a valid address.`, {
      hint: 'Write the address of the platform’s auth host, such as https://auth.example.com.',
    })
  if (protocol === 'http:' && !isLoopbackHost(hostname))
    throw new RemoteError('no_platform', `${origin} would receive the key without encryption.`, {
      hint: 'Use the https address.',
    })
  return origin
}

interface RemoteRequest {
  readonly origin: string
  readonly fetch: typeof fetch
  readonly key: NamedKey
  readonly method: 'GET' | 'POST'
  readonly target: string
  readonly body?: JsonObject
}

async function answerOf(request: RemoteRequest): Promise<JsonValue> {
  const { response, text } = await exchange(request)
  const body = parseJson(text)
  if (body === undefined || (response.status >= 300 && response.status < 400))
    return failStranger(request.origin)
  if (response.ok) return body
  throw refusalOf(request, response.status, body)
}

async function exchange({ body, fetch, key, method, origin, target }: RemoteRequest): Promise<{
  readonly response: Response
  readonly text: string
}> {
  try {
    const response = await fetch(origin + target, {
      method,
      headers: {
        authorization: `Bearer ${key.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect would carry the key to an address that the user did not name.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MILLIS),
    })
    return { response, text: await response.text() }
  } catch (cause) {
    throw new RemoteError(
      'no_answer',
      `${origin} did not answer, or the connection was cut${reasonOf(cause)}.`,
      {
        cause,
        hint: 'Check the address and the network connection. Then run the command again.',
      },
    )
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.name === 'TimeoutError') return ` (no answer within ${TIMEOUT_MILLIS / 1000} s)`
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code === '' ? '' : ` (${code})`
}

async function outcomeOf(origin: string, run: () => Promise<JsonValue>): Promise<RemoteOutcome> {
  try {
    const answer = await run()
    if (!isJsonObject(answer)) return failStranger(origin)
    const { error, rows } = answer
    if (isJsonObject(error))
      return {
        kind: 'failed',
        code: textOf(error['code']),
        message: textOf(error['message']),
        line: typeof error['line'] === 'number' ? error['line'] : undefined,
      }
    return Array.isArray(rows)
      ? { kind: 'done', rows: rows.filter(isJsonObject) }
      : failStranger(origin)
  } catch (error) {
    if (
      error instanceof RemoteError &&
      error.details !== undefined &&
      SCRIPT_REFUSALS.has(error.details)
    )
      return { kind: 'failed', code: error.details, message: error.message, line: undefined }
    throw error
  }
}

const KINDS: Readonly<Record<number, RemoteErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
}

function refusalOf({ key, origin }: RemoteRequest, status: number, body: JsonValue): RemoteError {
  const error = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : undefined
  const code = textOf(error?.['code'])
  const said = textOf(error?.['message'])
  const kind = KINDS[status] ?? 'refused'
  return new RemoteError(
    kind,
    `${origin} answered ${status}${code === '' ? '' : ` ${code}`}${said === '' ? '.' : `: ${said}`}`,
    {
      status,
      details: code,
      hint: hintOf(kind, key.variable, textOf(error?.['hint'])),
    },
  )
}

function hintOf(kind: RemoteErrorCode, variable: string, hint: string): string {
  switch (kind) {
    case 'unauthorized':
      return `The key in ${variable} is wrong, expired or revoked. Create a new one and set ${variable}.`
    case 'forbidden':
      return `The key in ${variable} belongs to another project or group, or the project is not active.`
    case 'not_found':
      return `Check --project and --group, and that ${variable} belongs to their owner.`
    default:
      return hint === ''
        ? 'Run the command again. If the answer stays the same, ask the platform’s support.'
        : hint
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function failStranger(origin: string): never {
  throw new RemoteError(
    'no_platform',
    `The program at ${origin} does not answer as the platform does.`,
    {
      hint: 'Give the address of the platform’s auth host with --url.',
    },
  )
}
