// Calls the public API of a platform that runs elsewhere: the hosted platform or another emulator (docs/wire/platform.md).
import { isJsonObject, type JsonObject } from '../../../core/json.ts'
import type { HttpClient } from '../../../platform/http-client/http-client.ts'
import type { ExecOutcome } from '../apply/fleet.ts'
import {
  exchange,
  failStranger,
  originOf,
  type RemoteRequest,
  refusalOf,
  resultOf,
  textOf,
} from './exchange.ts'
import { type NamedKey, type RemoteKeys, requireKey } from './remote-keys.ts'

/** Every method throws `RemoteError`. */
export interface PlatformClient {
  /** Origin of the platform, for messages. */
  readonly origin: string
  readonly keys: RemoteKeys
  /**
   * Runs SQL as the owner of a project.
   * @param project `proj_<slug>` or the project's id
   * @param key default: the management key, else the session
   */
  exec(project: string, sql: string, key?: NamedKey): Promise<ExecOutcome>
  /** Returns the answer of `GET /platform/v1/projects/:id/buckets`. */
  buckets(project: string): Promise<readonly JsonObject[]>
  /** Returns the answer of `GET /groups/v1/:group` when the Group API Key is set, else of `GET /platform/v1/groups/:group`. */
  group(group: string): Promise<JsonObject>
  /** Returns one page of `GET /groups/v1/:group/tenants`, with the Group API Key. */
  tenants(
    group: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<JsonObject>
  /** Returns the answer of `GET /groups/v1/:group/tenants/:tenant`. */
  tenant(group: string, tenant: string): Promise<JsonObject>
  /** Creates a management key of a tenant, with the Group API Key. @param order label and lifetime */
  createTenantKey(group: string, tenant: string, order: JsonObject): Promise<NamedKey>
  /** Publishes the group's template, with the Group API Key or else the session. */
  publish(group: string): Promise<JsonObject>
}

export interface PlatformClientDeps {
  /** Any address of the platform's management host; its path is ignored. */
  readonly url: string
  readonly keys: RemoteKeys
  readonly http: HttpClient
}

/** Refusals that concern the script and not the caller (docs/wire/platform.md#db-exec). */
const SCRIPT_REFUSALS: ReadonlySet<string> = new Set([
  'transaction_control_blocked',
  'role_change_blocked',
  'system_schema_protected',
])

/** @throws {RemoteError} `no_platform` for an invalid address */
export function createPlatformClient({ http, keys, url }: PlatformClientDeps): PlatformClient {
  const origin = originOf(url)
  const projectKey = (): NamedKey =>
    requireKey(keys, ['managementKey', 'sessionToken'], 'the project')
  const groupKey = (what = 'the group'): NamedKey => requireKey(keys, ['groupApiKey'], what)
  const requestTo = (
    key: NamedKey,
    method: RemoteRequest['method'],
    target: string,
    body?: JsonObject,
  ): RemoteRequest => ({
    origin,
    http,
    key,
    method,
    target,
    ...(body === undefined ? {} : { body }),
  })
  const object = async (...request: Parameters<typeof requestTo>): Promise<JsonObject> => {
    const answer = await resultOf(requestTo(...request))
    return isJsonObject(answer) ? answer : failStranger(origin, 200)
  }
  // The APIs of both keys return a group's overview and publish its template.
  const anyGroupKey = (): readonly [NamedKey, string] =>
    keys.groupApiKey === undefined
      ? [requireKey(keys, ['groupApiKey', 'sessionToken'], 'the group'), '/platform/v1/groups']
      : [groupKey(), '/groups/v1']
  return {
    origin,
    keys,
    exec: async (project, sql, key) => {
      const target = `/platform/v1/projects/${path(project)}/db/exec`
      return outcomeOf(requestTo(key ?? projectKey(), 'POST', target, { sql }))
    },
    buckets: async (project) => {
      const target = `/platform/v1/projects/${path(project)}/buckets`
      const answer = await resultOf(requestTo(projectKey(), 'GET', target))
      return Array.isArray(answer) ? answer.filter(isJsonObject) : failStranger(origin, 200)
    },
    group: async (group) => {
      const [key, base] = anyGroupKey()
      return object(key, 'GET', `${base}/${path(group)}`)
    },
    tenants: async (group, { limit, offset }) => {
      const target = `/groups/v1/${path(group)}/tenants?limit=${limit}&offset=${offset}`
      return object(groupKey('the list of tenants'), 'GET', target)
    },
    tenant: async (group, tenant) =>
      object(groupKey(), 'GET', `/groups/v1/${path(group)}/tenants/${path(tenant)}`),
    createTenantKey: async (group, tenant, order) => {
      const maker = groupKey(`the tenant ${tenant}`)
      const target = `/groups/v1/${path(group)}/tenants/${path(tenant)}/keys`
      const { key } = await object(maker, 'POST', target, order)
      return typeof key === 'string' ? { ...maker, key } : failStranger(origin, 200)
    },
    publish: async (group) => {
      const [key, base] = anyGroupKey()
      return object(key, 'POST', `${base}/${path(group)}/template/publish`, {})
    },
  }
}

function path(name: string): string {
  return encodeURIComponent(name)
}

async function outcomeOf(request: RemoteRequest): Promise<ExecOutcome> {
  const { body, status } = await exchange(request)
  const { error, rows } = isJsonObject(body) ? body : {}
  const isResult = status >= 200 && status < 300
  if (isJsonObject(error) && (isResult || SCRIPT_REFUSALS.has(textOf(error['code']))))
    return failedOutcome(error)
  if (!isResult) throw refusalOf(request, status, body)
  return Array.isArray(rows)
    ? { kind: 'done', rows: rows.filter(isJsonObject) }
    : failStranger(request.origin, status)
}

function failedOutcome({ code, hint, line, message }: JsonObject): ExecOutcome {
  return {
    kind: 'failed',
    code: textOf(code),
    message: [textOf(message), textOf(hint)].filter(Boolean).join(' '),
    line: typeof line === 'number' ? line : undefined,
  }
}
