// Checks of docs/wire/realtime.md: row changes.
import { check, type Lab, type RulesOfPage } from '../../model/check.ts'
import { exactly, LIST, NUMBER, TEXT } from '../../model/patterns.ts'
import { type Part, type Step, send } from '../../model/steps.ts'
import { rest } from '../requests.ts'
import { join, openSocket, push, receive, receiveNext, reply, room, silence } from './frames.ts'

/** Joins a channel, and waits until the server confirms the subscription to row changes. */
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

export const CHANGE_RULES: RulesOfPage = {
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
      check('every operator selects the row that it holds for', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'operators')
        const filters = [
          ...['id=eq.71', 'id=neq.1', 'id=lt.72', 'id=lte.71', 'id=gt.70', 'id=gte.71'],
          ...[
            'id=in.(70,71)',
            'body=like.He%',
            'body=ilike.he%',
            'body=match.^H',
            'body=imatch.^h',
          ],
          ...['owner_id=is.null', 'body=isdistinct.other', 'id=not.eq.70'],
        ]
        yield openSocket('a', lab.ana.realtime)
        yield* join('a', topic, {
          postgres_changes: [...filters, 'id=eq.70', 'body=neq.Hello', 'body=not.like.H%'].map(
            (filter) => ({ event: 'INSERT', schema: 'public', table: 'shared', filter }),
          ),
        })
        yield receive('a', 'system', topic, { extension: 'postgres_changes', status: 'ok' })
        yield written(lab, 'POST', '', { id: 71, body: 'Hello' })
        const one = filters.map(() => NUMBER)
        yield receiveNext('a', 'postgres_changes', topic, {
          ids: one,
          data: { record: { id: 71 } },
        })
      }),
      check('select lists the columns, with the key', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'columns')
        const entry = { table: 'shared', select: ['body'] }
        yield* subscribe('a', topic, lab.ana.realtime, entry)
        yield written(lab, 'POST', '', { id: 72, body: 'Hello' })
        yield receiveNext('a', 'postgres_changes', topic, {
          data: { record: exactly({ id: 72, body: 'Hello' }) },
        })
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
}
