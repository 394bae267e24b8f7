// The backslash commands of psql 18 on a project, compared with an unprivileged schema owner on a plain PostgreSQL server.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_DATABASE_URL } from '../../support/engine-of-run.ts'
import { noNativeServer } from '../../support/native-server.ts'
import { CLIENT_18, CLIENT_18_HINT, runClient18 } from '../../support/postgres-client-18.ts'
import { type PostgresWorld, startPostgresWorld } from '../../support/postgres-world.ts'
import { startSharedServer } from '../../support/shared-server.ts'

const SQL = `
  create type mood as enum ('good', 'bad');
  create domain short_text as text check (length(value) < 100);
  create table people (id serial primary key, name short_text, mood mood);
  create view happy as select * from people where mood = 'good';
  create function greet(who text) returns text language sql as 'select ''hello '' || who';
  create table parted (id integer) partition by range (id);`

const LISTS =
  String.raw`\d \dS \d+ \da \daS \dA \dA+ \dAc \dAc+ \dAf \dAf+ \dAo \dAo+ \dAp \dAp+ \db \db+ \dc \dc+ \dcS \dC
  \dC+ \dconfig \dconfig+ \dd \ddS \dD \dD+ \dDS \ddp \dE \dE+ \des \des+ \det \det+ \deu \deu+ \dew \dew+ \df \df+ \dfS \dfa \dfn
  \dfp \dft \dfw \dF \dF+ \dFd \dFd+ \dFp \dFp+ \dFt \dFt+ \dg \dg+ \dgS \di \di+ \diS \dl \dl+ \dL \dL+ \dLS \dm \dm+ \dn \dn+
  \dnS \do \do+ \doS \dO \dO+ \dOS \dp \dpS \dP \dP+ \dPi \dPi+ \dPn \dPt \dPt+ \drds \drg \drgS \dRp \dRp+ \dRs \dRs+ \ds \ds+
  \dt \dt+ \dtS \dtS+ \dT \dT+ \dTS \du \du+ \duS \dv \dv+ \dvS \dx \dx+ \dX \dX+ \dy \dy+ \l \l+ \z \zS \lo_list \lo_list+
  \conninfo \encoding \errverbose`.split(/\s+/)

/** Commands to compare. A command can have several lines. */
const COMMANDS = [
  ...LISTS,
  String.raw`\dconfig *`,
  String.raw`\dconfig+ *`,
  String.raw`\d people`,
  String.raw`\d+ people`,
  String.raw`\d+ happy`,
  String.raw`\d+ parted`,
  String.raw`\dx+ plpgsql`,
  String.raw`\sf greet`,
  String.raw`\sf+ greet`,
  String.raw`\sv happy`,
  String.raw`\sv+ happy`,
  'select 1 as one \\gdesc',
  `select 'select 2' \\gexec`,
  `select 1 as one \\gset`,
  'select 1 \\gx',
  `select 1 a, 2 b, 3 c \\crosstabview`,
  String.raw`select $1 \bind 4 \g`,
  'select 5 \\parse five\n\\bind_named five \\g\n\\close_prepared five',
  '\\startpipeline\nselect 6 \\bind \\sendpipeline\n\\endpipeline',
  'select 7 \\watch i=0.01 c=2',
  `\\copy people (name) from stdin\nana\n\\.`,
  '\\copy people to stdout',
  'select pid = pg_backend_pid(), query is not null from pg_stat_activity where pid = pg_backend_pid();',
]

/** Commands that fail on a project but not on the plain server, with the reason. */
const ACCEPTED: Readonly<Record<string, string>> = {
  [String.raw`\db+`]: 'the size of a tablespace counts all tenants',
}

/** Commands that name other projects on a server, where the names of databases contain the projects' names. */
const NAMING = TEST_DATABASE_URL === undefined ? [] : ['\\l', '\\l+']

describe.skipIf(CLIENT_18 === undefined || noNativeServer !== undefined)(
  `backslash commands${CLIENT_18_HINT}`,
  () => {
    let world: PostgresWorld
    let control: { readonly url: string; stop(): Promise<void> }

    beforeAll(async () => {
      world = await startPostgresWorld(SQL)
      control = await startControl()
    })
    afterAll(async () => {
      await world[Symbol.asyncDispose]()
      await control.stop()
    })

    it('fail on a project where they fail on a plain server, and name no other project', async () => {
      const onProject = await runAll(world.url)
      const onControl = await runAll(control.url)
      expect([...onProject.errors.keys()]).toEqual(COMMANDS)
      const differing = COMMANDS.filter(
        (each) => onProject.errors.get(each) !== onControl.errors.get(each),
      )
      expect(differing.map((each) => [each, onProject.errors.get(each)])).toEqual(
        Object.keys(ACCEPTED).map((each) => [each, expect.stringMatching(/permission denied/)]),
      )
      expect(onProject.naming).toEqual(NAMING)
    })

    it('show only the sessions of the client’s own login', async () => {
      const client = await world.client()
      const other = await world.client({ connectionString: world.otherUrl })
      await other.query("select 'of another tenant'")
      const { rows } = await client.query('select usename, pid, query from pg_stat_activity')
      expect(rows.map(({ query }) => query)).toContain(
        'select usename, pid, query from pg_stat_activity',
      )
      expect(JSON.stringify(rows)).not.toMatch(/another tenant|south|platform/)
      const { rows: user } = await client.query('select session_user')
      expect([...new Set(rows.map(({ usename }) => usename))]).toEqual([user[0].session_user])
    })
  },
)

/** Starts a plain server with one unprivileged login, which owns a schema. */
async function startControl(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = await startSharedServer()
  await using admin = await connect(server.url)
  for (const text of [
    "create role proj_north_owner login password 'control'",
    'create database control',
    'grant create on database control to proj_north_owner',
  ])
    await admin.query(text)
  const url = new URL(server.url)
  Object.assign(url, { username: 'proj_north_owner', password: 'control', pathname: '/control' })
  await using owner = await connect(url.href)
  await owner.query(
    'create schema proj_north; alter role current_user set search_path = proj_north',
  )
  await owner.query(`set search_path = proj_north; ${SQL}`)
  return { url: url.href, stop: server.stop }
}

async function connect(connectionString: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

interface Answers {
  /** The errors of each command. */
  readonly errors: ReadonlyMap<string, string>
  /** The commands whose output names another project. */
  readonly naming: readonly string[]
}

/** Runs all commands in one psql. */
async function runAll(url: string): Promise<Answers> {
  const input = COMMANDS.map(
    (each, index) => `\\warn == ${index}\n\\echo == ${index}\n${each}\n`,
  ).join('')
  const { out, err } = await runClient18('psql', ['-X', url], input)
  const printed = [...byCommand(out)]
  return {
    errors: new Map(
      [...byCommand(err)].map(([command, lines]) => [
        command,
        lines.filter((line) => /ERROR|invalid|FATAL/.test(line)).join('\n'),
      ]),
    ),
    naming: printed
      .filter(([, lines]) => /south|vendor/.test(lines.join()))
      .map(([command]) => command),
  }
}

function byCommand(text: string): ReadonlyMap<string, readonly string[]> {
  const parts = text.split(/^== /m).slice(1)
  return new Map(
    parts.map((part) => {
      const [index = '', ...lines] = part.split('\n')
      return [COMMANDS[Number(index)] ?? '', lines]
    }),
  )
}
