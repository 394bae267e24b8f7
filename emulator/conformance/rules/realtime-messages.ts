// Checks of docs/wire/realtime.md: broadcast, presence, row changes and limits.
import { check, type Lab, type RulesOfPage } from '../model/check.ts'
import { EMPTY, LIST, TEXT } from '../model/patterns.ts'
import { type Part, type Step, send, type WireRequest } from '../model/steps.ts'
import { join, openSocket, push, receive, receiveNext, reply, silence } from './frames.ts'
import { rest } from './requests.ts'

function room({ prefix }: Lab, name: string): string {
  return `realtime:${prefix}-${name}`
}

function broadcast(path: string, bearer: string | undefined, json: unknown): WireRequest {
  return { plane: 'realtime', method: 'POST', path: `/api/broadcast${path}`, bearer, json }
}

/** Joins and waits until row changes are subscribed. */
function* subscribe(
  socket: string,
  topic: string,
  token: string,
  entry: Readonly<Record<string, unknown>>,
): Part<void> {
  const change = { event: '*', schema: 'public', ...entry }
  yield openSocket(socket, token)
  yield* join(socket, topic, { postgres_changes: [change] })
  yield receive(socket, 'system', topic, { extension: 'postgres_changes', status: 'ok' })
}

/** Writes a row of a table that every role reads. */
function written(
  { home }: Lab,
  method: string,
  query: string,
  json?: unknown,
  table = '/shared',
): Step {
  return send(
    rest(home, method, table + query, home.serviceRoleKey, json === undefined ? {} : { json }),
    method === 'POST' ? 201 : 204,
  )
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
        // A socket of serializer 2.0.0 gets JSON of this route as a binary frame of kind 4 with encoding 1.
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
  changes: {
    checks: [
      check('insert, update and delete arrive in their order', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'order')
        yield* subscribe('a', topic, lab.ana.realtime, { table: 'shared' })
        yield written(lab, 'POST', '', { id: 1, body: 'one' })
        yield written(lab, 'PATCH', '?id=eq.1', { body: 'two' })
        yield written(lab, 'DELETE', '?id=eq.1')
        const change = (data: object) => ({
          ids: LIST,
          data: {
            schema: TEXT,
            table: 'shared',
            commit_timestamp: TEXT,
            columns: LIST,
            errors: null,
            ...data,
          },
        })
        yield receiveNext(
          'a',
          'postgres_changes',
          topic,
          change({
            type: 'INSERT',
            record: { id: 1, body: 'one', owner_id: null },
            old_record: undefined,
          }),
        )
        yield receiveNext(
          'a',
          'postgres_changes',
          topic,
          change({
            type: 'UPDATE',
            record: { id: 1, body: 'two' },
            old_record: { id: 1, body: undefined },
          }),
        )
        yield receiveNext(
          'a',
          'postgres_changes',
          topic,
          change({
            type: 'DELETE',
            record: undefined,
            old_record: { id: 1, body: undefined },
          }),
        )
      }),
      check('a subscriber receives only rows that it may read', ['lab'], function* ({ lab }) {
        const ana = room(lab, 'rows-of-ana')
        const ben = room(lab, 'rows-of-ben')
        yield* subscribe('ana', ana, lab.ana.realtime, { table: 'notes' })
        yield* subscribe('ben', ben, lab.ben.realtime, { table: 'notes' })
        yield send(
          rest(lab.home, 'POST', '/notes', lab.ana.dataPlaneToken, { json: { body: 'for ana' } }),
          201,
        )
        yield send(
          rest(lab.home, 'POST', '/notes', lab.ben.dataPlaneToken, { json: { body: 'for ben' } }),
          201,
        )
        yield receiveNext('ana', 'postgres_changes', ana, { data: { record: { body: 'for ana' } } })
        yield receiveNext('ben', 'postgres_changes', ben, { data: { record: { body: 'for ben' } } })
        yield* silence('ana')
      }),
      check('a table without row-level security sends no changes', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'open')
        yield* subscribe('a', topic, lab.ana.realtime, { table: '*' })
        yield send(
          rest(lab.home, 'POST', '/open_notes', lab.home.serviceRoleKey, {
            json: { body: 'untold' },
          }),
          201,
        )
        yield written(lab, 'POST', '', { id: 20, body: 'told' })
        yield receiveNext('a', 'postgres_changes', topic, {
          data: { table: 'shared', record: { id: 20 } },
        })
      }),
      check('REPLICA IDENTITY FULL adds all columns to old_record', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'full')
        yield* subscribe('a', topic, lab.ana.realtime, { table: 'whole' })
        yield written(lab, 'POST', '', { id: 1, body: 'before' }, '/whole')
        yield written(lab, 'PATCH', '?id=eq.1', { body: 'after' }, '/whole')
        yield written(lab, 'DELETE', '?id=eq.1', undefined, '/whole')
        yield receiveNext('a', 'postgres_changes', topic, { data: { type: 'INSERT' } })
        yield receiveNext('a', 'postgres_changes', topic, {
          data: {
            type: 'UPDATE',
            record: { body: 'after' },
            old_record: { id: 1, body: 'before' },
          },
        })
        yield receiveNext('a', 'postgres_changes', topic, {
          data: { type: 'DELETE', old_record: { id: 1, body: undefined } },
        })
      }),
      check('a policy that reads another table counts as false', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'elsewhere')
        yield written(lab, 'POST', '', { id: 2, body: 'lets the policy hold' }, '/whole')
        yield openSocket('a', lab.ana.realtime)
        yield* join('a', topic, {
          postgres_changes: ['looks_elsewhere', 'shared'].map((table) => ({
            event: '*',
            schema: 'public',
            table,
          })),
        })
        yield receive('a', 'system', topic, { extension: 'postgres_changes', status: 'ok' })
        yield written(lab, 'POST', '', { id: 1 }, '/looks_elsewhere')
        yield written(lab, 'POST', '', { id: 21, body: 'told' })
        yield receiveNext('a', 'postgres_changes', topic, {
          data: { table: 'shared', record: { id: 21 } },
        })
      }),
      check(
        'a record of more than 1 MiB has errors and short values',
        ['lab'],
        function* ({ lab }) {
          const topic = room(lab, 'heavy')
          yield* subscribe('a', topic, lab.ana.realtime, { table: 'shared' })
          yield written(lab, 'POST', '', { id: 22, body: 'x'.repeat(1_100_000) })
          yield receiveNext('a', 'postgres_changes', topic, {
            data: {
              record: { id: 22, body: undefined },
              errors: ['Error 413: Payload Too Large'],
            },
          })
        },
      ),
    ],
  },
  filters: {
    checks: [
      check('a filter selects rows', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'filtered')
        yield* subscribe('a', topic, lab.ana.realtime, { table: 'shared', filter: 'body=eq.yes' })
        yield written(lab, 'POST', '', { id: 31, body: 'no' })
        yield written(lab, 'POST', '', { id: 32, body: 'yes' })
        yield receiveNext('a', 'postgres_changes', topic, { data: { record: { id: 32 } } })
      }),
      check('in, not and several conditions combine', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'combined')
        const filter = 'id=in.(41,42,43),body=not.eq.no,id=lt.43'
        yield* subscribe('a', topic, lab.ana.realtime, { table: 'shared', filter })
        yield written(lab, 'POST', '', { id: 41, body: 'no' })
        yield written(lab, 'POST', '', { id: 43, body: 'yes' })
        yield written(lab, 'POST', '', { id: 42, body: 'yes' })
        yield receiveNext('a', 'postgres_changes', topic, { data: { record: { id: 42 } } })
      }),
      check('an event of the entry limits its changes', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'updates')
        yield* subscribe('a', topic, lab.ana.realtime, { table: 'shared', event: 'UPDATE' })
        yield written(lab, 'POST', '', { id: 51, body: 'made' })
        yield written(lab, 'PATCH', '?id=eq.51', { body: 'changed' })
        yield receiveNext('a', 'postgres_changes', topic, { data: { type: 'UPDATE' } })
      }),
      check('a filter outside the key matches no DELETE', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'deletes')
        yield written(lab, 'POST', '', { id: 61, body: 'kept' })
        yield* subscribe('a', topic, lab.ana.realtime, { table: 'shared', filter: 'body=eq.kept' })
        yield written(lab, 'DELETE', '?id=eq.61')
        yield written(lab, 'POST', '', { id: 62, body: 'kept' })
        yield receiveNext('a', 'postgres_changes', topic, { data: { type: 'INSERT' } })
      }),
    ],
  },
  'subscription-errors': {
    checks: [
      check('an unknown column is an error, and the channel stays', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'column')
        yield openSocket('a', lab.ana.realtime)
        const entry = { event: '*', schema: 'public', table: 'shared', filter: 'nada=eq.1' }
        yield* join('a', topic, { postgres_changes: [entry] })
        yield receive('a', 'system', topic, {
          extension: 'postgres_changes',
          status: 'error',
          message: /invalid column for filter nada/,
          channel: topic.replace(/^realtime:/, ''),
        })
        yield push('a', '2', topic, 'broadcast', { type: 'broadcast', event: 'e', payload: {} })
        yield push('a', '3', topic, 'phx_leave')
        yield reply('a', '3', topic, { status: 'ok' })
      }),
      check('a filter that cannot be parsed is an error', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'unparsed')
        yield openSocket('a', lab.ana.realtime)
        const entry = { event: '*', schema: 'public', table: 'shared', filter: 'nonsense' }
        yield* join('a', topic, { postgres_changes: [entry] })
        yield receive('a', 'system', topic, {
          status: 'error',
          message: /Error parsing `filter` params/,
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
