// A Postgres engine for the conformance suite, whose fixtures need a superuser, roles and schemas. The platform's engine refuses
// these on purpose. This engine has the same interface without the confinement, and runs one piece of work at a time.
import { PGlite } from '@electric-sql/pglite'
import { file_fdw } from '@electric-sql/pglite/contrib/file_fdw'
import { isn } from '@electric-sql/pglite/contrib/isn'
import { ltree } from '@electric-sql/pglite/contrib/ltree'
import { pgcrypto } from '@electric-sql/pglite/contrib/pgcrypto'
import { cellText, type Engine, SqlError, type TenantWork } from '../../emulator/database/engine.ts'
import type { Sql } from '../../emulator/database/sql.ts'
import { projectsAsSchemas } from '../../emulator/database/tenant-schema/projects-as-schemas.ts'
import {
  type BackendReply,
  parseBackendMessages,
} from '../../emulator/database/wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../emulator/database/wire-protocol/frontend-messages.ts'

/** Loads a database from a script. Lines `-- file:line` separate the script's statements. */
export async function loadFixtures(script: string): Promise<PGlite> {
  const database = await PGlite.create({ extensions: EXTENSIONS })
  for (const statement of statementsIn(script))
    await database.exec(/^analyze;?$/im.test(statement) ? ANALYSED : statement)
  return database
}

/** Opens the same database from a dump. Repeats the statements that write files, because a dump has no such files. */
export async function reopenFixtures(script: string, dump: Blob): Promise<PGlite> {
  const database = await PGlite.create({ extensions: EXTENSIONS, loadDataDir: dump })
  await database.exec('set search_path = public, test')
  for (const statement of statementsIn(script))
    if (/^copy\b.* to '/im.test(statement)) await database.exec(statement)
  await database.exec('reset all')
  await database.exec(DATABASE_SETTINGS)
  return database
}

// Applies settings of `alter database … set` by hand. Postgres applies them at login, which the embedded session never does.
const DATABASE_SETTINGS = `
  select set_config(split_part(config, '=', 1), substr(config, strpos(config, '=') + 1), false)
  from pg_db_role_setting cross join unnest(setconfig) as config
  where setrole = 0 and setdatabase in (0, (select oid from pg_database where datname = current_catalog))`

const EXTENSIONS = { file_fdw, isn, ltree, pgcrypto }

function statementsIn(script: string): readonly string[] {
  return script.split(/^(?=-- \S+:\d+$)/m)
}

// Analyses only these two tables. The suite expects estimated counts and row orders that come from their statistics alone.
const ANALYSED = 'analyze test.items, test.child_entities'

/** The role with LOGIN. A request may run only as a role that this role can assume. */
export async function loginRoleOf(database: PGlite): Promise<string | undefined> {
  const { rows } = await database.query<{ rolname: string }>(
    'select rolname from pg_roles where rolcanlogin and not rolsuper order by oid limit 1',
  )
  return rows[0]?.rolname
}

/** Implements `Engine` with a database without the platform's schemas and roles. */
export function bareEngine(database: PGlite, loginRole: string | undefined): Engine {
  let last: Promise<unknown> = Promise.resolve()

  async function send(messages: FrontendMessages): Promise<BackendReply> {
    return parseBackendMessages(await database.execProtocolRaw(messages.bytes()))
  }

  async function succeed(messages: FrontendMessages): Promise<BackendReply> {
    const reply = await send(messages)
    if (reply.error !== undefined) throw reply.error
    return reply
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work)
    last = turn.catch(() => undefined)
    return turn
  }

  async function inTransaction<T>(
    begin: string,
    work: () => Promise<readonly [T, boolean]>,
  ): Promise<T> {
    await succeed(new FrontendMessages().query(begin))
    let isKept = false
    try {
      const [result, keep] = await work()
      // Checks deferred constraints before the end, also when the transaction is rolled back.
      await succeed(new FrontendMessages().query('set constraints all immediate'))
      isKept = keep
      return result
    } finally {
      await send(new FrontendMessages().query(isKept ? 'commit' : 'rollback'))
    }
  }

  async function runWork(work: TenantWork) {
    return inTransaction(beginOf(work), async () => {
      await succeed(settingsOf(work, loginRole))
      const replies: BackendReply[] = []
      for (const { text, params } of statementsOf(work))
        replies.push(await succeed(new FrontendMessages().statement(text, params).sync()))
      const results = replies.flatMap((reply) => reply.results)
      const committed = work.end === 'commit' && holds(work, results)
      const notices = replies.flatMap((reply) => reply.notices)
      return [{ results, committed, notices, durationMillis: 0 }, committed] as const
    })
  }

  const admin: Engine['admin'] = (_where, { text }) =>
    inTurn(() =>
      inTransaction('begin', async () => {
        const reply = await succeed(new FrontendMessages().query(text))
        return [reply.results, true] as const
      }),
    )

  return {
    facts: { kind: 'postgres', movesSqlTime: false },
    projects: projectsAsSchemas({ admin }),
    changes: {
      watch: () => {},
      capture: () => Promise.reject(new SqlError('0A000', 'this engine reports no row changes')),
      release: async () => {},
    },
    run: (work) => inTurn(() => runWork(work)),
    admin,
    connect: () => Promise.reject(new SqlError('0A000', 'a server has a port itself')),
    ask: () => Promise.reject(new SqlError('0A000', 'this engine answers no questions')),
    setTime: () => Promise.reject(new SqlError('0A000', 'time follows the machine here')),
    stats: () => ({
      queued: 0,
      submitted: 0,
      isIdle: true,
      restarts: 0,
      waitingShare: 0,
      degraded: [],
    }),
    close: () => inTurn(() => database.close()),
  }
}

function statementsOf({ statements }: TenantWork): readonly Sql[] {
  if ('text' in statements) throw new TypeError('the conformance host runs no scripts')
  return statements
}

// Postgres accepts an isolation level only before the first read, and SQL that sets a setting counts as a read.
function beginOf({ mode, settings }: TenantWork): string {
  const isolation = settings['transaction_isolation']
  const level = isolation === undefined ? '' : ` isolation level ${isolation}`
  return `begin${level}${mode === 'readOnly' ? ' read only' : ''}`
}

function settingsOf(
  { actor, settings }: TenantWork,
  loginRole: string | undefined,
): FrontendMessages {
  const { transaction_isolation: _begun, ...others } = settings
  const pairs = [
    ...(loginRole === undefined ? [] : [['session_authorization', loginRole]]),
    ['role', actor.role],
    ...Object.entries(others),
  ]
  const calls = pairs.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true)`)
  return new FrontendMessages()
    .statement(
      `select ${calls.join(', ')}`,
      pairs.flatMap(([name = '', value = '']) => [name, value]),
    )
    .sync()
}

function holds(
  { postcondition }: TenantWork,
  results: readonly BackendReply['results'][number][],
): boolean {
  if (postcondition === undefined) return true
  const { statement, column, min, max } = postcondition
  const value = Number(cellText(results[statement]?.rows[0]?.[column]) ?? Number.NaN)
  return value >= min && value <= max
}
