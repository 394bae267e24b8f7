// Checks of docs/wire/limits.md.
import { readClaims } from '../../../platform/credentials/unverified-claims.ts'
import { exchange } from '../lab/lab.ts'
import { check, type RulesOfPage } from '../model/check.ts'
import { listOf, NUMBER, TEXT } from '../model/patterns.ts'
import { hold, refused, send } from '../model/steps.ts'
import { join, openSocket, push, receive, reply, room } from './realtime/frames.ts'
import { auth, dataError, manage, rest, store } from './requests.ts'
import { freshBucket, upload } from './storage/stored.ts'

const HOUR = 3_600
const MEGABYTE = 1_048_576
/** Size of a file that is one byte too large for a bucket created through the platform's route. */
const OVER_50_MB = 52_428_801

export const LIMIT_RULES: RulesOfPage = {
  platform: {
    checks: [
      check('a page of tenants has 1 to 200, default 50', ['group', 'emulator'], ({ group }) => [
        send(manage('GET', `/groups/v1/${group.id}/tenants?limit=200`, group.key), 200, {
          limit: 200,
        }),
        refused(
          manage('GET', `/groups/v1/${group.id}/tenants?limit=201`, group.key),
          400,
          'invalid_request',
        ),
      ]),
      check('a group holds 100 active tenants', ['group'], ({ group }) => [
        send(manage('GET', `/groups/v1/${group.id}`, group.key), 200, { tenants: { teto: 100 } }),
      ]),
    ],
    unchecked:
      'platform.md#quotas has the free plan, and platform.md#db-exec the rows of a SELECT. A call of 30 s would hold up others.',
  },
  credentials: {
    checks: [
      check('sessions and tokens live for an hour', ['lab'], ({ lab }) => [
        hold('data_plane_token', lifetimeOf(lab.ana.dataPlaneToken), HOUR),
        send(
          auth(lab.home, 'POST', '/signin', { email: lab.ana.email, password: lab.ana.password }),
          200,
          {
            expires_in: HOUR,
          },
        ),
        send(manage('POST', '/rt/v1/token', lab.home.anonKey), 200, { expires_in: HOUR }),
      ]),
      check('codes live for 10 minutes, and links for an hour', ['lab'], ({ lab }) => [
        send(
          auth(lab.home, 'POST', '/otp/send', { email: 'life@conformance.test', channel: 'email' }),
          200,
          { expires_in: 600 },
        ),
        send(
          auth(lab.home, 'POST', '/signin/magic-link', {
            email: 'life@conformance.test',
            redirect_to: 'http://localhost:3000/',
          }),
          200,
          { expires_in: HOUR },
        ),
      ]),
    ],
    unchecked: 'Waiting for the end of a lifetime would take up to 24 hours.',
  },
  codes: {
    checks: [
      check('an address gets 30 codes an hour', ['lab', 'emulator'], function* ({ lab }) {
        const order = () => auth(lab.home, 'POST', '/otp/send', { email: 'many@conformance.test' })
        for (let sent = 1; sent <= 30; sent += 1) yield send(order(), 200)
        yield refused(order(), 429, 'too_many_attempts')
      }),
    ],
    unchecked: 'auth.md#otp has the wrong attempts. The bound is the emulator’s own choice.',
  },
  'data-plane': {
    checks: [
      check('a body over 10 MB is 413', ['lab', 'emulator'], ({ lab }) => [
        send(
          rest(lab.home, 'POST', '/open_notes', lab.home.serviceRoleKey, {
            body: JSON.stringify({ body: 'x'.repeat(10 * MEGABYTE) }),
            headers: { 'content-type': 'application/json' },
          }),
          413,
          dataError('payload_too_large'),
        ),
      ]),
      check('a query of 501 groups is 400 PGRST100', ['tenant', 'emulator'], ({ tenant }) => [
        send(
          rest(
            tenant,
            'GET',
            `/conformance_table?and=${'(and'.repeat(501)}(id.eq.1)${')'.repeat(501)}`,
            tenant.anonKey,
          ),
          400,
          dataError('PGRST100'),
        ),
      ]),
      check('a JSON body of 50,001 levels is 400', ['lab', 'emulator'], ({ lab }) => [
        send(
          rest(lab.home, 'POST', '/open_notes', lab.home.serviceRoleKey, {
            body: `${'['.repeat(50_001)}${']'.repeat(50_001)}`,
            headers: { 'content-type': 'application/json' },
          }),
          400,
          dataError(TEXT),
        ),
      ]),
      check('a result over 64 MB is 413', ['lab', 'emulator'], ({ lab }) => [
        send(
          rest(lab.home, 'POST', '/rpc/big', lab.home.serviceRoleKey, { json: {} }),
          413,
          dataError('result_too_large'),
        ),
      ]),
    ],
    unchecked: 'data-plane.md#transaction has the limit of a statement.',
  },
  bodies: {
    checks: [
      check('a body over 1 MB is 413 for auth and management', ['tenant', 'group'], (world) => [
        refused(
          auth(world.tenant, 'POST', '/signin', { email: 'x'.repeat(MEGABYTE) }),
          413,
          'payload_too_large',
        ),
        refused(
          manage('POST', `/groups/v1/${world.group.id}/tenants`, world.group.key, {
            slug: 'x'.repeat(MEGABYTE),
          }),
          413,
          'payload_too_large',
        ),
      ]),
      check('a broadcast over 3,000,500 bytes is 422', ['tenant'], function* ({ tenant }) {
        const bearer = yield* exchange('/rt/v1/token', tenant.anonKey)
        yield send(
          {
            plane: 'realtime',
            method: 'POST',
            path: '/api/broadcast/conformance/events/large',
            bearer,
            json: { text: 'x'.repeat(3_000_500) },
          },
          422,
          { errors: { payload: ['Payload size exceeds tenant limit'] } },
        )
      }),
      check('a result of db/exec over 64 MB is an SQL error', ['lab', 'emulator'], ({ lab }) => [
        send(
          manage(
            'POST',
            `/platform/v1/projects/${lab.home.projectId}/db/exec`,
            lab.home.managementKey,
            { sql: "select repeat('x', 67108865) as t" },
          ),
          200,
          { error: { code: '54000' } },
        ),
      ]),
    ],
    unchecked: 'The bodies of /_emulator/v1 are no part of the platform.',
  },
  waiting: {
    reason: 'A check would have to hold up the database of other callers for 10 s and more.',
  },
  disk: { reason: 'A full disk cannot be caused over the wire.' },
  clock: {
    checks: [
      check(
        'a time beyond the year 9999 is 400 and changes nothing',
        ['lab', 'emulator'],
        function* (world) {
          const { adminToken } = world.emulator
          const before = yield send(manage('GET', '/_emulator/v1/clock', adminToken), 200, {
            offset_ms: NUMBER,
          })
          yield send(manage('POST', '/_emulator/v1/clock', adminToken, { advance_ms: 1e15 }), 400, {
            error: { code: 'invalid_request' },
          })
          yield send(manage('GET', '/_emulator/v1/clock', adminToken), 200, {
            frozen: frozenIn(before.body),
          })
        },
      ),
    ],
  },
  storage: {
    checks: [
      check('a file over 50 MB has the logical status 413', ['lab'], ({ lab }) => [
        send(
          store('POST', '/upload/resumable', lab.home.serviceStorage, {
            headers: {
              'tus-resumable': '1.0.0',
              'upload-length': String(OVER_50_MB),
              'upload-metadata': [
                `bucketName ${base64(lab.bucket)}`,
                `objectName ${base64('large.bin')}`,
              ].join(','),
            },
          }),
          413,
          /^Maximum size exceeded\s*$/,
        ),
      ]),
      check('1,001 paths signed at once are 400', ['lab'], ({ lab }) => [
        send(
          store('POST', `/object/sign/${lab.bucket}`, lab.home.serviceStorage, {
            json: { expiresIn: 60, paths: Array.from({ length: 1_001 }, (_, n) => `${n}.txt`) },
          }),
          400,
        ),
      ]),
      check('a list has 100 names by default', ['lab'], function* ({ lab }) {
        const bucket = yield* freshBucket(lab.home, 'hundred')
        for (let n = 0; n <= 100; n += 1)
          yield send(upload(lab.home, `${bucket}/${n}.txt`, 'x'), 200)
        const list = (json: unknown) =>
          store('POST', `/object/list/${bucket}`, lab.home.serviceStorage, { json })
        const first = yield send(list({ prefix: '' }), 200, listOf({ name: TEXT }))
        yield hold('number of names', lengthOf(first.body), 100)
        const all = yield send(list({ prefix: '', limit: 1_000 }), 200, listOf({ name: TEXT }))
        yield hold('number of names', lengthOf(all.body), 101)
      }),
    ],
    unchecked: 'A free project with more than 1 GB would need an upload of 1 GB.',
  },
  realtime: {
    checks: [
      check('the 101st channel is ChannelRateLimitReached', ['lab'], function* ({ lab }) {
        yield openSocket('a', lab.home.anonRealtime)
        for (let n = 1; n <= 101; n += 1)
          yield push('a', String(n), room(lab, `many-${n}`), 'phx_join', { config: {} })
        yield reply('a', '100', room(lab, 'many-100'), { status: 'ok' })
        yield reply('a', '101', room(lab, 'many-101'), {
          status: 'error',
          response: { reason: /^(ChannelRateLimitReached|ClientJoinRateLimitReached): / },
        })
      }),
      check('a broadcast over 3,000,500 bytes is an error with ack', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'large')
        yield openSocket('a', lab.home.anonRealtime)
        yield* join('a', topic, { broadcast: { ack: true } })
        const payload = { text: 'x'.repeat(3_000_500) }
        yield push('a', '2', topic, 'broadcast', { type: 'broadcast', event: 'e', payload })
        yield reply('a', '2', topic, { status: 'error' })
      }),
      check('the sixth presence call in 30 s closes the channel', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'busy')
        yield openSocket('a', lab.home.anonRealtime)
        yield* join('a', topic, { presence: { enabled: true } })
        for (let n = 1; n <= 6; n += 1) {
          const order = { type: 'presence', event: 'track', payload: { n } }
          yield push('a', `t${n}`, topic, 'presence', order)
        }
        yield receive('a', 'system', topic, {
          status: 'error',
          message: /Client presence rate limit exceeded/,
        })
        yield receive('a', 'phx_close', topic, {})
      }),
      check('a thousand joins at once close the socket', ['lab'], function* ({ lab }) {
        yield openSocket('a', lab.home.anonRealtime)
        for (let n = 1; n <= 1_000; n += 1)
          yield push('a', String(n), room(lab, `rush-${n}`), 'phx_join', { config: {} })
        yield { kind: 'closed', socket: 'a', code: 1_008 }
      }),
      check('a thousand messages at once close the channel', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'flood')
        yield openSocket('a', lab.home.anonRealtime)
        yield* join('a', topic)
        const payload = { type: 'broadcast', event: 'e', payload: {} }
        for (let n = 1; n <= 1_000; n += 1) yield push('a', `m${n}`, topic, 'broadcast', payload)
        yield receive('a', 'system', topic, { message: 'Too many messages per second' })
        yield receive('a', 'phx_close', topic, {})
      }),
      check('101 values of in are a subscription error', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'values')
        const filter = `id=in.(${Array.from({ length: 101 }, (_, n) => n).join(',')})`
        yield openSocket('a', lab.ana.realtime)
        const entry = { event: '*', schema: 'public', table: 'shared', filter }
        yield* join('a', topic, { postgres_changes: [entry] })
        yield receive('a', 'system', topic, {
          extension: 'postgres_changes',
          status: 'error',
          message: TEXT,
        })
      }),
    ],
    unchecked: 'realtime.md#limits has the frame. 10,000 sockets are too many to open.',
  },
}

function lifetimeOf(token: string): number {
  const claims = readClaims(token)
  return Number(claims?.['exp']) - Number(claims?.['iat'])
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

function lengthOf(body: unknown): number {
  return Array.isArray(body) ? body.length : 0
}

function frozenIn(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'frozen' in body && body.frozen === true
}
