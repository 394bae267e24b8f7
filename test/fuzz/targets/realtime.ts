// Fuzzes frames of the realtime socket in both versions of the protocol. Sends messages of any shape to joined and other topics,
// binary broadcasts, and random bytes.
import fc from 'fast-check'
import WebSocket from 'ws'
import type { Vsn } from '../../support/realtime-world.ts'
import { REALTIME_EXAMPLES, type RealtimeCase } from '../examples/realtime.ts'
import type { FuzzWorld } from '../fuzz-world.ts'
import { type FuzzSession, type FuzzTarget, requireNoTrace } from '../target.ts'

const topic = fc.constantFrom(
  ...['realtime:room', 'realtime:room', 'realtime:room', 'realtime:proj_target:private', 'phoenix'],
  ...[
    'realtime:',
    'realtime:proj_canary:x',
    'room',
    '',
    'realtime:a\0b',
    `realtime:${'x'.repeat(300)}`,
  ],
)
const event = fc.constantFrom(
  ...['phx_join', 'phx_join', 'phx_leave', 'broadcast', 'broadcast', 'presence', 'access_token'],
  ...['heartbeat', 'postgres_changes', 'phx_reply', 'phx_close', 'system', '', 'toString'],
)
const crumb = fc.constantFrom(
  ...[
    'public',
    'proj_target',
    'proj_canary',
    'items',
    '*',
    'INSERT',
    'UPDATE',
    'id=eq.1',
    'id=in.(1',
  ],
  ...[
    'note=like.%',
    'nosuch=eq.1',
    '$token',
    'track',
    'untrack',
    'true',
    '',
    '\0',
    '\ud800',
    '__proto__',
  ],
)
const leaf = fc.oneof(
  { weight: 4, arbitrary: crumb },
  fc.constantFrom(true, false, null, 0, -1, 1e308, '9'.repeat(40)),
  fc.jsonValue({ maxDepth: 2 }),
)
const change = fc.dictionary(
  fc.constantFrom('event', 'schema', 'table', 'filter', 'select', 'id', 'x'),
  leaf,
  { maxKeys: 5, noNullPrototype: true },
)
const config = fc.record(
  {
    broadcast: fc.dictionary(fc.constantFrom('ack', 'self', 'replay'), leaf, {
      noNullPrototype: true,
    }),
    presence: fc.dictionary(fc.constantFrom('key', 'enabled'), leaf, { noNullPrototype: true }),
    postgres_changes: fc.oneof(fc.array(change, { maxLength: 4 }), leaf),
    private: leaf,
  },
  { requiredKeys: [], noNullPrototype: true },
)
const payload = fc.oneof(
  fc.record({ config, access_token: leaf }, { requiredKeys: [], noNullPrototype: true }),
  fc.record(
    { type: leaf, event: leaf, payload: leaf },
    { requiredKeys: [], noNullPrototype: true },
  ),
  fc.record({ access_token: leaf }, { requiredKeys: [], noNullPrototype: true }),
  fc.jsonValue({ maxDepth: 3 }),
)
const ref = fc.oneof(fc.constantFrom('1', '2', null, 7), leaf)
const message = fc.tuple(ref, ref, topic, event, payload)
const text = fc.oneof(
  { weight: 8, arbitrary: message.map((parts) => JSON.stringify(parts)) },
  {
    weight: 4,
    arbitrary: message.map(([joinRef, own, to, name, content]) =>
      JSON.stringify({ topic: to, event: name, payload: content, ref: own, join_ref: joinRef }),
    ),
  },
  fc.json({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.nat(20_000).map((depth) => `["1","1","realtime:room","broadcast",${'['.repeat(depth)}`),
)
const part = fc.constantFrom('1', '', 'realtime:room', 'x', 'é')
const broadcast = fc
  .tuple(
    part,
    part,
    fc.constant('realtime:room'),
    part,
    fc.nat(3),
    fc.uint8Array({ maxLength: 12 }),
  )
  .map(([joinRef, own, to, name, encoding, bytes]) => {
    const parts = [joinRef, own, to, name, ''].map((each) => Buffer.from(each))
    const header = [3, ...parts.map(({ length }) => length), encoding]
    return Buffer.concat([Buffer.from(header), ...parts, bytes])
  })
const frame = fc.oneof(
  { weight: 6, arbitrary: text.map((sent) => ({ text: sent })) },
  broadcast.map((bytes) => ({ base64: bytes.toString('base64') })),
  fc
    .uint8Array({ maxLength: 40 })
    .map((bytes) => ({ base64: Buffer.from(bytes).toString('base64') })),
)
const JOIN =
  '["1","1","realtime:room","phx_join",{"config":{"broadcast":{"ack":true,"self":true}}}]'

export const realtime: FuzzTarget<RealtimeCase> = {
  name: 'realtime',
  cases: fc
    .tuple(fc.constantFrom('2.0.0', '1.0.0'), fc.boolean(), fc.array(frame, { maxLength: 6 }))
    .map(([vsn, isJoined, frames]) => ({
      vsn,
      frames: isJoined ? [{ text: JOIN }, ...frames] : frames,
    })),
  examples: REALTIME_EXAMPLES,
  open: openRealtime,
}

async function openRealtime({
  at,
  tenant,
  execute,
}: FuzzWorld): Promise<FuzzSession<RealtimeCase>> {
  await execute('create table if not exists items (id integer primary key, note text)')
  const { body } = await at.call('POST', '/rt/v1/token', { credential: tenant.serviceRoleKey })
  const base = `${at.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${body.token}`
  return {
    attempt: async ({ vsn, frames }) => {
      const sent = frames.map(({ text: given, base64 }) =>
        given === undefined
          ? Buffer.from(base64, 'base64')
          : given.replaceAll('$token', body.token),
      )
      const { end, received } = await converse(`${base}&vsn=${vsn}`, [...sent, HEARTBEAT[vsn]])
      requireNoTrace(received, JSON.stringify(frames))
      return `${end} ${repliesIn(received)}`
    },
  }
}

const HEARTBEAT: Readonly<Record<Vsn, string>> = {
  '1.0.0': '{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"last"}',
  '2.0.0': '[null,"last","phoenix","heartbeat",{}]',
}

// Sends a heartbeat last. The server answers frames in order, so the reply to the heartbeat means that all frames are handled.
function converse(url: string, frames: readonly (string | Buffer)[]) {
  return new Promise<{ readonly end: string; readonly received: string }>((resolve, reject) => {
    const ws = new WebSocket(url)
    let received = ''
    const finish = (end: string): void => {
      ws.terminate()
      resolve({ end, received })
    }
    ws.on('open', () => {
      for (const frame of frames) ws.send(frame)
    })
    ws.on('message', (bytes: Buffer, isBinary) => {
      const text = isBinary ? '' : bytes.toString()
      received += text
      if (text.includes('"last"') && text.includes('"phoenix"')) finish('alive')
    })
    ws.on('close', (code, reason) => finish(`closed ${code} ${reason.toString()}`))
    ws.on('error', reject)
  })
}

/** How often the server said `ok` and `error`, and the first reason it gave. */
function repliesIn(received: string): string {
  const statuses = [...received.matchAll(/"status":"(ok|error)"/g)].map(([, status]) => status)
  const reason = /"reason":"([^":]*)/.exec(received)?.[1] ?? ''
  return `${[...new Set(statuses)].sort().join('+')} ${reason}`
}
