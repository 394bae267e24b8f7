// Checks of docs/wire/realtime.md: broadcast, presence and limits.
import { check, type RulesOfPage } from '../../model/check.ts'
import { EMPTY, TEXT } from '../../model/patterns.ts'
import { send, type WireRequest } from '../../model/steps.ts'
import { join, openSocket, push, receive, receiveNext, reply, room, silence } from './frames.ts'

function broadcast(path: string, bearer: string | undefined, json: unknown): WireRequest {
  return { plane: 'realtime', method: 'POST', path: `/api/broadcast${path}`, bearer, json }
}

export const MESSAGE_RULES: RulesOfPage = {
  broadcast: {
    checks: [
      check(
        'a broadcast reaches the others, and its sender only with self',
        ['lab'],
        function* (world) {
          const { anonRealtime } = world.lab.home
          const topic = room(world.lab, 'broadcast')
          yield openSocket('quiet', anonRealtime)
          yield openSocket('loud', anonRealtime)
          yield* join('quiet', topic)
          yield* join('loud', topic, { broadcast: { self: true, ack: true } })
          const from = (who: string) => ({ type: 'broadcast', event: 'said', payload: { who } })
          yield push('loud', '2', topic, 'broadcast', from('loud'))
          yield reply('loud', '2', topic, { status: 'ok' })
          yield receive('quiet', 'broadcast', topic, from('loud'))
          yield push('quiet', '3', topic, 'broadcast', from('quiet'))
          yield receive('loud', 'broadcast', topic, from('quiet'))
          yield* silence('quiet')
        },
      ),
      check('a sender with self receives its own broadcast', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'echo')
        yield openSocket('a', lab.home.anonRealtime)
        yield* join('a', topic, { broadcast: { self: true } })
        const payload = { type: 'broadcast', event: 'echo', payload: { n: 1 } }
        yield push('a', '2', topic, 'broadcast', payload)
        yield receiveNext('a', 'broadcast', topic, payload)
      }),
      check('POST /api/broadcast sends messages in their order', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'posted')
        yield openSocket('a', lab.home.anonRealtime)
        yield* join('a', topic)
        const messages = [1, 2].map((n) => ({
          topic: topic.replace(/^realtime:/, ''),
          event: 'n',
          payload: { n },
        }))
        yield send(broadcast('', lab.home.anonRealtime, { messages }), 202, EMPTY)
        yield receiveNext('a', 'broadcast', topic, { event: 'n', payload: { n: 1 } })
        yield receiveNext('a', 'broadcast', topic, { event: 'n', payload: { n: 2 } })
      }),
      check('the route for one message sends it', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'single')
        const path = `/${topic.replace(/^realtime:/, '')}/events/one`
        yield openSocket('a', lab.home.anonRealtime)
        yield* join('a', topic)
        yield send(broadcast(path, lab.home.anonRealtime, { a: 1 }), 202)
        // A socket of serializer 2.0.0 receives JSON from this route as a binary frame of kind 4 with encoding 1.
        const head = Buffer.from([4, topic.length, 'one'.length, 0, 1])
        const bytes = Buffer.concat([head, Buffer.from(`${topic}one{"a":1}`)]).toString('hex')
        yield { kind: 'receive', socket: 'a', isNext: true, pattern: { bytes } }
      }),
      check('a missing token is 401', [], () => [
        send(broadcast('', undefined, { messages: [] }), 401, { message: 'Unauthorized' }),
      ]),
      check('missing fields are 422 and named', ['lab'], ({ lab }) => [
        send(broadcast('', lab.home.anonRealtime, { messages: [{ topic: 'room' }] }), 422, {
          errors: { messages: [{ event: ["can't be blank"] }] },
        }),
      ]),
      check(
        'a private message of another project is 403, and dropped in a list',
        ['lab'],
        ({ lab }) => [
          send(
            broadcast(
              `/${lab.neighbour.schemaName}:x/events/e?private=true`,
              lab.home.anonRealtime,
              {},
            ),
            403,
          ),
          send(
            broadcast('', lab.home.anonRealtime, {
              messages: [
                {
                  topic: `${lab.neighbour.schemaName}:x`,
                  event: 'e',
                  payload: {},
                  private: true,
                },
              ],
            }),
            202,
          ),
        ],
      ),
      check('another media type is 415', ['lab'], ({ lab }) => [
        send(
          {
            ...broadcast('/room/events/e', lab.home.anonRealtime, undefined),
            body: 'text',
            headers: { 'content-type': 'text/plain' },
          },
          415,
        ),
      ]),
    ],
  },
  presence: {
    checks: [
      check('track and untrack cause presence_diff', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'presence')
        yield openSocket('a', lab.home.anonRealtime)
        yield openSocket('b', lab.home.anonRealtime)
        yield* join('a', topic, { presence: { enabled: true, key: 'ana' } })
        yield* join('b', topic, { presence: { enabled: true, key: 'ben' } })
        const track = (payload: unknown) => ({ type: 'presence', event: 'track', payload })
        yield push('a', '2', topic, 'presence', track({ name: 'ana' }))
        yield reply('a', '2', topic, { status: 'ok' })
        yield receive('b', 'presence_diff', topic, {
          joins: { ana: { metas: [{ phx_ref: TEXT, name: 'ana' }] } },
          leaves: {},
        })
        yield push('a', '3', topic, 'presence', track({ name: 'changed' }))
        yield receive('b', 'presence_diff', topic, {
          joins: { ana: { metas: [{ phx_ref: TEXT, phx_ref_prev: TEXT, name: 'changed' }] } },
          leaves: { ana: { metas: [{ name: 'ana' }] } },
        })
        yield push('a', '4', topic, 'presence', { type: 'presence', event: 'untrack' })
        yield receive('b', 'presence_diff', topic, {
          joins: {},
          leaves: { ana: { metas: [{ name: 'changed' }] } },
        })
      }),
      check('a new member gets the present members', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'members')
        yield openSocket('a', lab.home.anonRealtime)
        yield* join('a', topic, { presence: { enabled: true, key: 'first' } })
        const order = { type: 'presence', event: 'track', payload: { n: 1 } }
        yield push('a', '2', topic, 'presence', order)
        yield reply('a', '2', topic, { status: 'ok' })
        yield openSocket('b', lab.home.anonRealtime)
        yield* join('b', topic, { presence: { enabled: true } })
        yield receive('b', 'presence_state', topic, { first: { metas: [{ phx_ref: TEXT, n: 1 }] } })
      }),
      check('a payload that is not an object is refused', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'no-map')
        yield openSocket('a', lab.home.anonRealtime)
        yield* join('a', topic, { presence: { enabled: true } })
        const order = { type: 'presence', event: 'track', payload: 'text' }
        yield push('a', '2', topic, 'presence', order)
        yield reply('a', '2', topic, {
          status: 'error',
          response: { reason: 'Presence track payload must be a map' },
        })
      }),
    ],
  },
  limits: {
    checks: [
      check('a frame of 6 MB closes the socket with 1009', ['lab'], function* ({ lab }) {
        yield openSocket('a', lab.home.anonRealtime)
        yield { kind: 'frame', socket: 'a', frame: 'x'.repeat(6_000_000) }
        yield { kind: 'closed', socket: 'a', code: 1_009 }
      }),
    ],
    unchecked: 'limits.md#realtime has the other limits.',
  },
}
