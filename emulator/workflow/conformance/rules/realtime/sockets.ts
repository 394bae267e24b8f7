// Checks of docs/wire/realtime.md: sockets, frames and tokens.
import { exchange } from '../../lab/lab.ts'
import { check, type RulesOfPage } from '../../model/check.ts'
import { TEXT } from '../../model/patterns.ts'
import { type Step, send } from '../../model/steps.ts'
import { freshUser } from '../auth/fresh-user.ts'
import { auth } from '../requests.ts'
import { join, openSocket, push, receive, reply, room, silence } from './frames.ts'

function refusedSocket(path: string, status: number, error: string | RegExp): Step {
  return {
    kind: 'open',
    socket: 'a',
    path,
    headers: {},
    expected: { status, body: { error } },
  }
}

export const SOCKET_RULES: RulesOfPage = {
  socket: {
    checks: [
      check('a request without apikey is 401', [], () => [
        refusedSocket('/websocket?vsn=2.0.0', 401, 'API key is missing'),
      ]),
      check('a text that no token is gets 401', [], () => [
        refusedSocket(
          '/websocket?apikey=nonsense&vsn=2.0.0',
          401,
          'The token provided is not a valid JWT',
        ),
      ]),
      check('a project key has another signer, and is 401', ['tenant'], ({ tenant }) => [
        refusedSocket(
          `/websocket?apikey=${tenant.anonKey}&vsn=2.0.0`,
          401,
          /Failed to validate JWT signature|Fields `role` and `exp` are required in JWT/,
        ),
      ]),
      check('a heartbeat is answered in both serializers', ['tenant'], function* ({ tenant }) {
        const token = yield* exchange('/rt/v1/token', tenant.anonKey)
        yield openSocket('a', token)
        yield* silence('a')
        yield openSocket('b', token, { status: 101 }, '1.0.0')
        const beat = { topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '7' }
        yield { kind: 'frame', socket: 'b', frame: JSON.stringify(beat) }
        yield {
          kind: 'receive',
          socket: 'b',
          isNext: true,
          pattern: {
            topic: 'phoenix',
            event: 'phx_reply',
            payload: { status: 'ok', response: {} },
            ref: '7',
          },
        }
      }),
      check('x-api-key has priority over the query', ['tenant'], function* ({ tenant }) {
        const token = yield* exchange('/rt/v1/token', tenant.anonKey)
        yield {
          kind: 'open',
          socket: 'a',
          path: '/websocket?apikey=nonsense&vsn=2.0.0',
          headers: { 'x-api-key': token },
          expected: { status: 101 },
        }
      }),
      check(
        'malformed frames are ignored, and unknown topics unmatched',
        ['tenant'],
        function* (world) {
          yield openSocket('a', yield* exchange('/rt/v1/token', world.tenant.anonKey))
          yield { kind: 'frame', socket: 'a', frame: 'no JSON' }
          yield { kind: 'frame', socket: 'a', frame: '[1,2]' }
          yield* silence('a')
          yield push('a', '2', 'nowhere', 'anything')
          yield reply('a', '2', 'nowhere', {
            status: 'error',
            response: { reason: 'unmatched topic' },
          })
        },
      ),
    ],
    unchecked: 'The socket of a silent client closes after 60 s. Expired tokens take an hour.',
  },
  frames: {
    checks: [
      check('serializer 1.0.0 uses objects with four members', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'objects')
        yield openSocket('a', lab.home.anonRealtime, { status: 101 }, '1.0.0')
        const message = {
          topic,
          event: 'phx_join',
          payload: { config: {} },
          ref: '1',
          join_ref: '1',
        }
        yield { kind: 'frame', socket: 'a', frame: JSON.stringify(message) }
        yield {
          kind: 'receive',
          socket: 'a',
          isNext: false,
          pattern: {
            topic,
            event: 'phx_reply',
            ref: '1',
            payload: { status: 'ok' },
            join_ref: undefined,
          },
        }
      }),
      check('binary broadcasts arrive as kind 4 with the same bytes', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'bytes')
        yield openSocket('sender', lab.home.anonRealtime)
        yield openSocket('receiver', lab.home.anonRealtime)
        yield* join('sender', topic)
        yield* join('receiver', topic)
        const bytes = Buffer.from([0, 255, 10])
        yield { kind: 'frame', socket: 'sender', frame: binaryBroadcast(topic, 'raw', bytes) }
        const head = Buffer.from([4, topic.length, 'raw'.length, 0, 0])
        const expected = Buffer.concat([head, Buffer.from(`${topic}raw`), bytes]).toString('hex')
        yield { kind: 'receive', socket: 'receiver', isNext: false, pattern: { bytes: expected } }
      }),
    ],
  },
  tokens: {
    checks: [
      check('a new token gets no reply', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'renewed')
        yield openSocket('a', lab.ana.realtime)
        yield* join('a', topic)
        yield push('a', '2', topic, 'access_token', { access_token: lab.ana.realtime })
        yield* silence('a')
      }),
      check(
        'an invalid token ends the channel, and the socket stays',
        ['lab'],
        function* ({ lab }) {
          const topic = room(lab, 'spoiled')
          yield openSocket('a', lab.ana.realtime)
          yield* join('a', topic)
          yield push('a', '2', topic, 'access_token', { access_token: 'nonsense' })
          yield receive('a', 'system', topic, {
            extension: 'system',
            status: 'error',
            message: TEXT,
            channel: topic.replace(/^realtime:/, ''),
          })
          yield receive('a', 'phx_close', topic, {})
          yield* silence('a')
        },
      ),
      check('the token of a deleted user is refused', ['lab'], function* ({ lab }) {
        const { accessToken, dataPlaneToken } = yield* freshUser(lab.home, 'gone-at-socket')
        const token = yield* exchange('/rt/v1/token', dataPlaneToken)
        yield send(auth(lab.home, 'DELETE', '/user', undefined, accessToken), 200)
        yield openSocket('a', token, { status: 403, body: { error: TEXT } })
      }),
    ],
    unchecked: 'Expiry takes an hour.',
  },
}

/** A client's binary broadcast, kind 3, with raw bytes. */
function binaryBroadcast(topic: string, event: string, bytes: Buffer): Buffer {
  const parts = ['1', '5', topic, event, '']
  const lengths = parts.map((part) => part.length)
  return Buffer.concat([Buffer.from([3, ...lengths, 0]), Buffer.from(parts.join('')), bytes])
}
