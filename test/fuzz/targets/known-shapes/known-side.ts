// One of the two emulators that get the same requests. The warm one keeps its plans and prepared statements. The cold one loses
// them before each request.
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { TEST_DATABASE_URL } from '../../../support/engine-of-run.ts'
import type { RequestLine } from '../../../support/request-lines.ts'
import {
  createGroup,
  executeSql,
  provisionTenant,
  type TestTenant,
  userToken,
} from '../../../support/test-emulator.ts'
import type { FuzzWorld } from '../../fuzz-world.ts'
import { type HttpAnswer, sendHttp } from '../../send-http.ts'
import { requireThat } from '../../target.ts'
import { KNOWN_ROWS, KNOWN_SCHEMA } from './known-schema.ts'

export type KnownIdentity = 'server' | 'user' | 'anon'

export interface ShapedAnswer extends HttpAnswer {
  /** Whether the plan came from the shape memory. */
  readonly isKnown: boolean
}

/**
 * Where a change of the schema comes from: `db/exec`, the Postgres port, or a function that a request calls. The request of
 * `rolledBack` ends with a rollback.
 */
export type ChangeRoute = 'exec' | 'port' | 'call' | 'rolledBack'

export interface KnownSide {
  readonly world: FuzzWorld
  send(line: RequestLine, as: KnownIdentity): Promise<ShapedAnswer>
  /** Runs SQL as the tenant's owner. Returns the error, or `undefined`. */
  change(sql: string, by: ChangeRoute): Promise<string | undefined>
  /** Drops all plans, and the prepared statements of the caller's session. */
  forget(as: KnownIdentity): Promise<void>
  /** Creates schema and rows again. */
  rebuild(): Promise<void>
  close(): void
}

const USER = '00000000-0000-4000-8000-00000000000a'
/**
 * A change of the schema drops the plans. The embedded engine has one session, and the cleaning after `db/exec` discards its
 * prepared statements.
 */
const FORGET = 'comment on function change_schema is null'
/** On a server, each role has its own session, which `db/exec` does not clean. */
const DEALLOCATE = post('/rpc/deallocate', {})

/** Provisions a tenant with the schema. The slug must be the same on both sides, because errors can quote the schema's name. */
export async function openSide(world: FuzzWorld, slug: string): Promise<KnownSide> {
  const { at } = world
  const group = await createGroup(at, `${slug}_home`)
  const tenant = await provisionTenant(at, group, slug)
  const user = await userToken(at, slug, USER)
  const tokens = { server: tenant.serviceRoleKey, user, anon: tenant.anonKey }
  const client = await ownerOf(world, slug)
  const execute = (sql: string) => executed(world, tenant, sql)
  const required = async (sql: string): Promise<void> => {
    const error = await execute(sql)
    if (error !== undefined) throw new Error(error)
  }
  const send = async (line: RequestLine, as: KnownIdentity): Promise<ShapedAnswer> => {
    const answer = await sendHttp(at.url, {
      method: line.method,
      target: line.search === '' ? line.path : `${line.path}?${line.search}`,
      headers: [
        ['apikey', tenant.anonKey],
        ['authorization', `Bearer ${tokens[as]}`],
        ['x-tenantry-timing', '1'],
        ...Object.entries({ 'content-type': 'application/json', ...line.headers }),
      ],
      body: line.body,
    })
    const stages = String(answer.headers['server-timing'])
    return { ...answer, isKnown: /\bplan;/.test(stages) && !/\bparse;/.test(stages) }
  }
  const change = async (sql: string, by: ChangeRoute): Promise<string | undefined> => {
    // A server announces changes of other programs later, so the next request may still be planned for the old schema.
    const isLate = by === 'port' && TEST_DATABASE_URL !== undefined
    if (by === 'exec' || isLate) return execute(sql)
    if (by === 'port') return client.query(sql).then(() => undefined, String)
    const headers = { prefer: by === 'call' ? 'tx=commit' : 'tx=rollback' }
    const call = post('/rpc/change_schema', { statement: sql }, headers)
    const { status, text } = await send(call, 'server')
    return status < 300 ? undefined : text
  }
  const rebuild = () => required(KNOWN_SCHEMA + KNOWN_ROWS)
  await rebuild()
  return {
    world,
    send,
    change,
    forget: async (as) => {
      if (TEST_DATABASE_URL !== undefined) await send(DEALLOCATE, as)
      await required(FORGET)
    },
    rebuild,
    close: () => {
      client.end().catch(() => undefined)
    },
  }
}

function post(path: string, body: object, headers: RequestLine['headers'] = {}): RequestLine {
  return { method: 'POST', path, search: '', headers, body: JSON.stringify(body) }
}

async function executed({ at }: FuzzWorld, tenant: TestTenant, sql: string) {
  const { status, text, body } = await executeSql(at, tenant, sql)
  if (status !== 200) return text
  return body.error === undefined ? undefined : JSON.stringify(body.error)
}

async function ownerOf({ at }: FuzzWorld, slug: string): Promise<pg.Client> {
  const { groups } = await at.emulator.ready(at.url)
  const facts = groups.flatMap(({ tenants }) => tenants).find((tenant) => tenant.slug === slug)
  const client = new pg.Client({ connectionString: facts?.postgres_url ?? '' })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Headers that belong to one answer or to one emulator. */
const OWN_HEADERS = new Set(['date', 'server-timing', 'x-request-id'])

/** @throws {Error} when status, headers or bytes differ */
export function requireSame(warm: HttpAnswer, cold: HttpAnswer): void {
  const headers = [warm, cold].map((answer) =>
    Object.entries(answer.headers).filter(([header]) => !OWN_HEADERS.has(header)),
  )
  const isSame =
    warm.status === cold.status &&
    isDeepStrictEqual(headers[0], headers[1]) &&
    warm.bytes.equals(cold.bytes)
  const [one, other] = [warm, cold].map(({ status, text }, index) =>
    [status, JSON.stringify(headers[index]), text].join(' '),
  )
  requireThat(isSame, `the answers differ\nwith memories:    ${one}\nwithout memories: ${other}`)
}

/** Invalid text searches, regular expressions and LIKE patterns. */
const INVALID_PATTERN = /error=(?:42601|2201B|22025)$/

/**
 * Whether only the cold answer refuses a pattern. Postgres evaluates the pattern while it makes a custom plan. A generic plan, from
 * the sixth execution on, evaluates the pattern only for rows that the other filters let through (PostgreSQL, PREPARE).
 */
export function isOfCustomPlan(warm: HttpAnswer, cold: HttpAnswer): boolean {
  return (
    warm.status < 300 &&
    cold.status === 400 &&
    INVALID_PATTERN.test(String(cold.headers['proxy-status']))
  )
}
