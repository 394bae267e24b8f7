// Checks of docs/wire/errors.md: the form of each service's errors, and codes that a request can cause.

import { isJsonObject } from '../../../core/json.ts'
import { exchange } from '../lab/lab.ts'
import {
  type Check,
  check,
  type ErrorSection,
  type Lab,
  type Refusal,
  type RulesOfPage,
} from '../model/check.ts'
import { nullOr, type Pattern, TEXT } from '../model/patterns.ts'
import { hold, refused, type Step, send, type WireRequest } from '../model/steps.ts'
import { openSocket } from './realtime/frames.ts'
import { auth, bare, manage, NO_ID, rest, storageError, store } from './requests.ts'
import { anonToken } from './storage/stored.ts'

/** Checks the refusals of all earlier checks. */
function everyRefusal(section: ErrorSection): Check {
  const what = section === 'storage' || section === 'realtime' ? 'this form' : 'a listed code'
  return check(`every refusal of this run has ${what}`, ['refusals'], ({ refusals }) =>
    refusalSteps(section, refusals.soFar, listedCodes(refusals.page)),
  )
}

type DataCase = readonly [status: number, code: string, request: (lab: Lab) => WireRequest]

/** Builds a request of the service role, so that no policy can cause the error. */
function service(
  method: string,
  path: string,
  json?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  return ({ home }: Lab): WireRequest =>
    rest(home, method, path, home.serviceRoleKey, {
      ...(json === undefined ? {} : { json }),
      headers,
    })
}

const OBJECT_ONLY = { accept: 'application/vnd.pgrst.object+json' }

const DATA_CASES: readonly DataCase[] = [
  [400, '22P02', service('GET', '/shared?id=eq.x')],
  [400, '23502', service('POST', '/notes', { owner_id: NO_ID })],
  [400, '23514', service('POST', '/notes', { owner_id: NO_ID, body: 'forbidden' })],
  [409, '23503', service('POST', '/notes', { owner_id: NO_ID, body: 'x', parent_id: -1 })],
  [409, '23505', service('POST', '/shared', [{ id: 900 }, { id: 900 }])],
  [400, 'P0001', service('POST', '/rpc/fails', {})],
  [400, 'PGRST100', service('GET', '/shared?id=nonsense.1')],
  [400, 'PGRST102', service('POST', '/shared', [{ id: 901 }, { body: 'x' }])],
  [400, 'PGRST108', service('GET', '/notes?parent.id=eq.1')],
  [400, 'PGRST114', service('PUT', '/shared?id=eq.1&limit=1', { id: 1 })],
  [400, 'PGRST115', service('PUT', '/shared?id=eq.1', { id: 2 })],
  [
    400,
    'PGRST122',
    service('GET', '/shared', undefined, { prefer: 'handling=strict, nonsense=1' }),
  ],
  [
    400,
    'PGRST124',
    service('DELETE', '/crowd?id=gte.0', undefined, { prefer: 'handling=strict, max-affected=1' }),
  ],
  [400, 'PGRST200', service('GET', '/notes?select=*,shared(*)')],
  [400, 'PGRST204', service('POST', '/shared?columns=nada', { nada: 1 })],
  [404, 'PGRST202', service('POST', '/rpc/no_such_function', {})],
  [404, 'PGRST205', service('GET', '/no_such_table')],
  [404, 'PGRST125', service('GET', '/a/b/c')],
  [405, 'PGRST101', service('DELETE', '/rpc/counts')],
  [405, 'PGRST105', service('PUT', '/shared', { id: 1 })],
  [405, '25006', service('GET', '/rpc/writes_then_fails')],
  [406, 'PGRST107', service('GET', '/shared', undefined, { accept: 'application/unknown' })],
  [406, 'PGRST116', service('GET', '/crowd', undefined, OBJECT_ONLY)],
  [416, 'PGRST103', service('GET', '/crowd?offset=1000', undefined, { prefer: 'count=exact' })],
  [
    403,
    '42501',
    ({ ana, home }) =>
      rest(home, 'POST', '/notes', ana.dataPlaneToken, { json: { body: 'x', owner_id: NO_ID } }),
  ],
  [401, '42501', ({ home }) => rest(home, 'POST', '/notes', home.anonKey, { json: { body: 'x' } })],
]

export const ERROR_RULES: RulesOfPage = {
  management: {
    checks: [
      check('an unknown route is 404 not_found', [], () => [
        refused(manage('GET', '/groups/v1/a/no-such-route'), 404, 'not_found'),
      ]),
      check('another method is 405 method_not_allowed', ['session'], ({ session }) => [
        refused(manage('PUT', '/platform/v1/groups', session, {}), 405, 'method_not_allowed'),
      ]),
      check('a body that is not JSON is 400 invalid_json', ['group'], ({ group }) => [
        refused(
          {
            ...manage('POST', `/groups/v1/${group.id}/tenants`, group.key),
            body: '{',
            headers: { 'content-type': 'application/json' },
          },
          400,
          'invalid_json',
        ),
      ]),
      check('invalid_request has details by field', ['session'], ({ session }) => [
        send(manage('POST', '/platform/v1/groups', session, {}), 400, {
          error: { code: 'invalid_request', message: TEXT },
          details: { name: TEXT },
        }),
      ]),
      check('another error has no details', [], () => [
        send(manage('GET', '/platform/v1/groups'), 401, {
          error: { code: 'unauthorized', message: TEXT },
          details: undefined,
          trace: undefined,
        }),
      ]),
      everyRefusal('management'),
    ],
    unchecked:
      'The other pages have the codes of their routes. Failures of the platform have none.',
  },
  edge: {
    checks: [
      check('a foreign page gets foreign_origin', ['emulator'], () => [
        refused(
          { ...manage('GET', '/platform/v1/groups'), headers: { origin: 'http://evil.example' } },
          403,
          'foreign_origin',
        ),
      ]),
      check('the script of a service worker is refused', ['emulator'], () => [
        refused(
          { ...bare('storage', 'GET', '/status'), headers: { 'service-worker': 'script' } },
          403,
          'service_worker_refused',
        ),
      ]),
    ],
    unchecked: 'platform.md#addresses has endpoint_em_outro_host.',
  },
  auth: {
    checks: [
      check('a refusal has error with code and message', ['tenant'], ({ tenant }) => [
        refused(
          auth(tenant, 'POST', '/signin', {
            email: 'unknown@conformance.test',
            password: 'not-the-password',
          }),
          401,
          'invalid_credentials',
        ),
      ]),
      check('a missing field is 400 invalid_request', ['tenant'], ({ tenant }) => [
        refused(auth(tenant, 'POST', '/signin', {}), 400, 'invalid_request'),
      ]),
      everyRefusal('auth'),
    ],
    unchecked: 'auth.md has the codes of its routes.',
  },
  data: {
    checks: [
      check('an error has its four members in their order', ['tenant'], function* ({ tenant }) {
        const reply = yield send(rest(tenant, 'GET', '/no_such_table', tenant.anonKey), 404, {
          code: 'PGRST205',
          details: null,
          hint: nullOr(TEXT),
          message: TEXT,
        })
        const order = Object.keys(Object(reply.body)).join(' ')
        yield hold('order of members', order, 'code details hint message')
      }),
      ...DATA_CASES.map(([status, code, request]) =>
        check(`${status} ${code}`, ['lab'], ({ lab }) => [
          send(request(lab), status, { code, message: TEXT }),
        ]),
      ),
      everyRefusal('data'),
    ],
    unchecked: 'Failures of the database or the emulator cannot be caused safely.',
  },
  storage: {
    checks: [
      check('an error has statusCode, error, message and code', ['tenant'], function* ({ tenant }) {
        const token = yield* anonToken(tenant.anonKey)
        yield send(
          store('GET', `/object/authenticated/${tenant.schemaName}_nowhere/none.txt`, token),
          400,
          storageError('404'),
        )
      }),
      check('errors of TUS are plain text', ['tenant'], function* ({ tenant }) {
        const token = yield* anonToken(tenant.anonKey)
        yield send(store('POST', '/upload/resumable', token), 412, /^Tus-Resumable Required\s*$/)
      }),
      check('errors of S3 are XML', [], () => [
        send(bare('storage', 'GET', '/s3/any-bucket'), 403, /^<\?xml.*<Error>.*<Code>/s),
      ]),
      everyRefusal('storage'),
    ],
    unchecked: 'storage.md has the codes of its routes.',
  },
  realtime: {
    checks: [
      check('routes have message', [], () => [
        send({ plane: 'realtime', method: 'POST', path: '/api/broadcast', json: {} }, 401, {
          message: 'Unauthorized',
        }),
      ]),
      check('a refused socket gets error', [], () => [
        openSocket('a', 'nonsense', { status: 401, body: { error: TEXT } }),
      ]),
      check('a version of the protocol that does not exist is 403', ['tenant'], function* (world) {
        const token = yield* exchange('/rt/v1/token', world.tenant.anonKey)
        yield openSocket('a', token, { status: 403 }, '9.9.9')
      }),
      everyRefusal('realtime'),
    ],
    unchecked: 'realtime.md has the codes of joins.',
  },
}

// Compares the refusals of a run with the tables of docs/wire/errors.md. Pure.

/** `<status> <code>` of each row of the tables, by section of the page. */
type ListedCodes = Readonly<Partial<Record<string, ReadonlySet<string>>>>

/** Reads the tables of errors.md. */
function listedCodes(page: string): ListedCodes {
  const sections = page.split(/(?=<a id=")/).map((text) => {
    const anchor = /^<a id="([^"]+)"/.exec(text)?.[1] ?? ''
    const rows = [...text.matchAll(/^\| (\d{3}) \| `([^`]+)` \|/gm)]
    return [anchor, new Set(rows.map(([, status, code]) => `${status} ${code}`))] as const
  })
  return Object.fromEntries(sections)
}

const MANAGEMENT_FORM: Pattern = { error: { code: TEXT, message: TEXT } }
const FORMS: Readonly<Record<ErrorSection, Pattern>> = {
  management: MANAGEMENT_FORM,
  auth: MANAGEMENT_FORM,
  data: { code: TEXT, message: TEXT },
  storage: { statusCode: TEXT, error: TEXT, message: TEXT, code: TEXT },
  realtime: {},
}

/**
 * Returns steps for each refusal of a section. They check the form of the body, and whether the page lists the code with this
 * status.
 */
function refusalSteps(
  section: ErrorSection,
  refusals: readonly Refusal[],
  codes: ListedCodes,
): readonly Step[] {
  const edge = codes['edge'] ?? new Set<string>()
  const listed = codes[section] ?? new Set<string>()
  return refusals
    .filter((refusal) => refusal.section === section)
    .flatMap(({ reply, request }) => {
      if (edge.has(`${reply.status} ${edgeCodeOf(reply.body)}`)) return []
      const code = codeOf(section, reply.body)
      const found = `${reply.status} ${code}`
      const isListed = code === undefined || listed.has(found) || isOtherSqlState(code, listed)
      return [
        hold(`body of ${request}`, reply.body, FORMS[section]),
        hold(`listed code of ${request}`, isListed ? 'listed' : `${found} is not listed`, 'listed'),
      ]
    })
}

// No answer of storage or realtime contains a code that errors.md lists for it: these codes are only names of faults.
function codeOf(section: ErrorSection, body: unknown): string | undefined {
  if (!isJsonObject(body)) return undefined
  const { code, error } = body
  const value = section === 'data' ? code : isJsonObject(error) ? error['code'] : undefined
  const hasCodes = section === 'data' || section === 'auth' || section === 'management'
  return hasCodes && typeof value === 'string' ? value : undefined
}

/** Returns the code of a refusal that came from the edge, before any service; `undefined` when the body has another form. */
function edgeCodeOf(body: unknown): unknown {
  const error = isJsonObject(body) ? body['error'] : undefined
  return isJsonObject(error) ? error['code'] : error
}

/** Whether the code is an SQLSTATE without a row in the page. Its status then depends on its class. */
function isOtherSqlState(code: string, listed: ReadonlySet<string>): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && ![...listed].some((row) => row.endsWith(` ${code}`))
}
