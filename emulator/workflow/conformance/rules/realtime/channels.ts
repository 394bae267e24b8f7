// Checks of docs/wire/realtime.md: joining and leaving channels.
import { check, type RulesOfPage } from '../../model/check.ts'
import { NUMBER } from '../../model/patterns.ts'
import { join, openSocket, push, receive, reply, room } from './frames.ts'

function unauthorized(name: string): {
  readonly status: string
  readonly response: { readonly reason: string }
} {
  const reason = `Unauthorized: You do not have permissions to read from this Channel topic: ${name}`
  return { status: 'error', response: { reason } }
}

export const CHANNEL_RULES: RulesOfPage = {
  join: {
    checks: [
      check('the reply repeats each entry with an id', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'entries')
        const first = { event: '*', schema: 'public', table: 'shared' }
        const second = { event: 'INSERT', schema: 'public', table: 'notes' }
        yield openSocket('a', lab.ana.realtime)
        const config = { postgres_changes: [first, second] }
        yield push('a', '1', topic, 'phx_join', { config })
        yield reply('a', '1', topic, {
          status: 'ok',
          response: {
            postgres_changes: [
              { ...first, id: NUMBER },
              { ...second, id: NUMBER },
            ],
          },
        })
        yield receive('a', 'system', topic, {
          extension: 'postgres_changes',
          status: 'ok',
          message: 'Subscribed to PostgreSQL',
          channel: topic.replace(/^realtime:/, ''),
        })
      }),
      check('presence_state follows when presence is on', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'state')
        yield openSocket('a', lab.home.anonRealtime)
        yield* join('a', topic, { presence: { enabled: true, key: 'me' } })
        yield receive('a', 'presence_state', topic, {})
      }),
      check('a malformed config is replaced by defaults', ['lab'], function* ({ lab }) {
        yield openSocket('a', lab.home.anonRealtime)
        yield push('a', '1', room(lab, 'malformed'), 'phx_join', { config: 'nonsense' })
        yield reply('a', '1', room(lab, 'malformed'), { status: 'ok' })
      }),
      check('an unknown token refuses the join', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'token')
        yield openSocket('a', lab.home.anonRealtime)
        const order = { config: {}, access_token: lab.home.anonKey }
        yield push('a', '1', topic, 'phx_join', order)
        yield reply('a', '1', topic, { status: 'error', response: { reason: /^\w+: / } })
      }),
      check('an empty name is TopicNameRequired', ['lab'], function* ({ lab }) {
        yield openSocket('a', lab.home.anonRealtime)
        yield push('a', '1', 'realtime:', 'phx_join', { config: {} })
        yield reply('a', '1', 'realtime:', {
          status: 'error',
          response: { reason: /^TopicNameRequired: / },
        })
      }),
    ],
    unchecked: 'limits.md#realtime has the codes of rates. A replay needs stored messages.',
  },
  private: {
    checks: [
      check('a private join without the own prefix is refused', ['lab'], function* ({ lab }) {
        const config = { private: true }
        yield openSocket('a', lab.ana.realtime)
        for (const name of ['other:x', `${lab.neighbour.schemaName}:x`]) {
          yield push('a', name, `realtime:${name}`, 'phx_join', { config })
          yield reply('a', name, `realtime:${name}`, unauthorized(name))
        }
      }),
      check('a private channel of the own project is joined', ['lab'], function* ({ lab }) {
        yield openSocket('a', lab.ana.realtime)
        yield* join('a', `realtime:${lab.home.schemaName}:room`, { private: true })
      }),
      check('all projects share a public channel', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'public')
        yield openSocket('home', lab.home.anonRealtime)
        yield openSocket('neighbour', lab.neighbour.anonRealtime)
        yield* join('home', topic)
        yield* join('neighbour', topic)
        const payload = { type: 'broadcast', event: 'hello', payload: { from: 'home' } }
        yield push('home', '2', topic, 'broadcast', payload)
        yield receive('neighbour', 'broadcast', topic, payload)
      }),
    ],
  },
  leave: {
    checks: [
      check('phx_leave is answered, then the channel closes', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'leave')
        yield openSocket('a', lab.home.anonRealtime)
        yield* join('a', topic)
        yield push('a', '2', topic, 'phx_leave')
        yield reply('a', '2', topic, { status: 'ok' })
        yield receive('a', 'phx_close', topic, {})
      }),
      check('a second join closes the first one', ['lab'], function* ({ lab }) {
        const topic = room(lab, 'again')
        yield openSocket('a', lab.home.anonRealtime)
        yield* join('a', topic)
        yield {
          kind: 'frame',
          socket: 'a',
          frame: JSON.stringify(['9', '9', topic, 'phx_join', { config: {} }]),
        }
        yield receive('a', 'phx_close', topic, {})
        yield reply('a', '9', topic, { status: 'ok' })
      }),
    ],
  },
}
