// Fuzzes messages of Postgres's wire protocol (PostgreSQL 18, chapter 54): any bytes before the login, and any sequence of
// messages after it.
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import pg from 'pg'
import { POSTGRES_EXAMPLES, type PostgresCase } from '../examples/postgres.ts'
import type { FuzzWorld } from '../fuzz-world.ts'
import { type FuzzSession, type FuzzTarget, requireNoTrace } from '../target.ts'

const SSL_REQUEST = 80_877_103
const CANCEL_REQUEST = 80_877_102
const PROTOCOL = 196_608

const statement = fc.constantFrom(
  ...[
    'select 1',
    'select $1::text',
    'begin',
    'commit',
    'rollback',
    'savepoint a',
    '',
    ';',
    'select',
  ],
  ...[
    'rollback to a',
    'copy items from stdin',
    'copy items to stdout',
    'copy (select 1) to stdout',
  ],
  ...[
    'declare c cursor for select 1',
    'fetch all c',
    'close c',
    'listen x',
    'notify x',
    'discard all',
  ],
  ...[
    'prepare p as select 1',
    'execute p',
    'deallocate all',
    'set role none',
    'reset all',
    'show all',
  ],
  ...["set client_encoding to 'latin1'", 'create temp table t (a int)', 'select 1/0', 'lock items'],
  ...['insert into items values (1)', 'explain select 1', "do $$ begin raise notice 'x'; end $$"],
  ...[
    'set transaction isolation level serializable',
    'commit and chain',
    'begin; select 1; commit',
  ],
  ...[
    "select '\ud800'",
    'select * from items',
    'vacuum',
    'begin; selec',
    'select 1; copy items from stdin',
  ],
  ...[
    'set search_path to proj_canary',
    'checkpoint',
    'analyze',
    'values (1), (2)',
    'table pg_class',
  ],
)
const name = fc.constantFrom('', '', 'a', 'b', 'c', '\ud800', 'x'.repeat(100))
const cell = fc.oneof(
  fc.constant(null),
  fc.constantFrom('1', '', 'NaN', '{}'),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const int16 = fc.oneof(fc.nat(3), fc.constantFrom(-1, 32_767, -32_768))
const text = (value: string): Buffer => Buffer.from(`${value}\0`)
const short = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value | 0)
  return bytes
}
const message = (kind: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(kind), long(body.length + 4), body])
}
const query = (sql: string): Buffer => message('Q', text(sql))
const parse = fc
  .tuple(name, statement, fc.array(fc.constantFrom(0, 23, 25, 999_999), { maxLength: 2 }))
  .map(([as, sql, types]) =>
    message('P', text(as), text(sql), short(types.length), ...types.map(long)),
  )
const bind = fc
  .tuple(name, name, fc.array(cell, { maxLength: 2 }), fc.array(int16, { maxLength: 2 }))
  .map(([portal, of, cells, formats]) =>
    message(
      'B',
      ...[text(portal), text(of), short(formats.length), ...formats.map(short)],
      short(cells.length),
      ...cells.flatMap((value) =>
        value === null ? [long(-1)] : [long(Buffer.byteLength(value)), Buffer.from(value)],
      ),
      short(formats.length),
      ...formats.map(short),
    ),
  )
const named = fc
  .tuple(fc.constantFrom('D', 'C'), fc.constantFrom('S', 'P', 'x'), name)
  .map(([kind, what, of]) => message(kind, Buffer.from(what), text(of)))
const execute = fc
  .tuple(name, fc.constantFrom(0, 1, -1, 2_147_483_647))
  .map(([portal, rows]) => message('E', text(portal), long(rows)))
const plain = fc.constantFrom(
  ...[message('S'), message('H'), message('c'), message('f', text('x')), message('S')],
  ...[message('d', Buffer.from('7\n')), message('d', Buffer.from('\\.\n')), message('d')],
)
const anyMessage = fc
  .tuple(fc.constantFrom(...'QPBEDCSHFdcfpXv \0~'), fc.uint8Array({ maxLength: 24 }))
  .map(([kind, body]) => message(kind, Buffer.from(body)))
const sessionMessage = fc.oneof(
  { weight: 3, arbitrary: statement.map(query) },
  parse,
  bind,
  execute,
  named,
  plain,
  anyMessage,
)
const startup = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'user',
        'database',
        'options',
        'client_encoding',
        'replication',
        '_pq_.x',
        '',
      ),
      fc.constantFrom('proj_target_owner', 'target', 'postgres', '-c a=b', 'true', '', '\ud800'),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => Buffer.concat([...pairs.flat().map(text), Buffer.from([0])]))
  .map((body) => Buffer.concat([long(body.length + 8), long(PROTOCOL), body]))
const startupMessage = fc.oneof(
  { weight: 3, arbitrary: startup },
  fc
    .constantFrom(SSL_REQUEST, SSL_REQUEST + 1, 131_072, 0, PROTOCOL + 2)
    .map((code) => Buffer.concat([long(8), long(code)])),
  fc
    .tuple(fc.integer(), fc.integer())
    .map(([id, secret]) => Buffer.concat([long(16), long(CANCEL_REQUEST), long(id), long(secret)])),
  fc.constantFrom(
    message('p', text('SCRAM-SHA-256'), long(-1)),
    message('p', text('x')),
    query('x'),
  ),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
)
const inBase64 = (messages: readonly Buffer[]) => messages.map((each) => each.toString('base64'))

export const postgres: FuzzTarget<PostgresCase> = {
  name: 'postgres',
  cases: fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .array(sessionMessage, { maxLength: 8 })
        .map((messages) => ({ phase: 'session' as const, messages: inBase64(messages) })),
    },
    fc
      .array(startupMessage, { maxLength: 3 })
      .map((messages) => ({ phase: 'startup' as const, messages: inBase64(messages) })),
  ),
  examples: POSTGRES_EXAMPLES,
  open: openPostgres,
}

async function openPostgres(world: FuzzWorld): Promise<FuzzSession<PostgresCase>> {
  const { execute: run, postgres: at } = world
  await run('create table if not exists items (id integer primary key, note text)')
  /** The connection of the previous case, if it is still usable. */
  let open: Socket | undefined
  let marker = 0
  const inSession = async (bytes: Buffer): Promise<string> => {
    const socket = open?.writable === true ? open : await logIn(at.url)
    open = undefined
    const mark = `mark ${++marker} ends here`
    // Ends a COPY, an unfinished extended query and a transaction, whatever the messages have left open.
    const end = Buffer.concat([
      ...[message('f', text('x')), message('S'), query('rollback'), query(`select '${mark}'`)],
    ])
    const answer = await answerOf(socket, Buffer.concat([bytes, end]), mark)
    if (!answer.isClosed) open = socket
    requireNoTrace(answer.received)
    return answer.isClosed ? `session closed ${stateOf(answer.received)}` : 'session alive'
  }
  const atStart = async (bytes: Buffer): Promise<string> => {
    const socket = connect(at.port, '127.0.0.1').on('error', () => undefined)
    // The client sends nothing more, so the server must close the connection.
    const { received } = await answerOf(socket, bytes, undefined)
    requireNoTrace(received)
    return `startup ${received[0] ?? ''} ${stateOf(received)}`
  }
  return {
    attempt: ({ phase, messages }) => {
      const bytes = Buffer.concat(messages.map((each) => Buffer.from(each, 'base64')))
      return phase === 'session' ? inSession(bytes) : atStart(bytes)
    },
    tidy: async () => {
      await run(
        'drop table if exists items; create table items (id integer primary key, note text)',
      )
    },
    close: () => open?.destroy(),
  }
}

async function logIn(url: string): Promise<Socket> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } })
    .connection
  // Removes the client library's listener, so that only this file reads the socket.
  stream.removeAllListeners('data')
  return stream
}

interface WireAnswer {
  readonly received: string
  readonly isClosed: boolean
}

/**
 * Sends bytes, and waits for `mark` in the answer or for the end of the connection. Without a mark, this side ends its half of
 * the connection first.
 */
function answerOf(socket: Socket, bytes: Buffer, mark: string | undefined): Promise<WireAnswer> {
  return new Promise((resolve) => {
    let received = ''
    // An error may quote the query's text, which also contains the mark. Only a row has the letter D before it.
    const onData = (chunk: Buffer): void => {
      received += chunk.toString('latin1')
      if (mark !== undefined && received.includes(mark)) finish(false)
    }
    const onClose = (): void => finish(true)
    const finish = (isClosed: boolean): void => {
      socket.off('data', onData)
      socket.off('close', onClose)
      resolve({ received, isClosed })
    }
    socket.on('data', onData)
    socket.on('close', onClose)
    if (mark === undefined) socket.end(bytes)
    else socket.write(bytes)
  })
}

/** The SQLSTATE of the last error in what was received. */
function stateOf(received: string): string {
  return [...received.matchAll(/\0C([0-9A-Z]{5})\0/g)].at(-1)?.[1] ?? ''
}
