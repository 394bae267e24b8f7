// Runs the platform's internal modules without a port, and provides operations that a test runs in random order.
import { buildServices } from '../../emulator/assembly/build-services.ts'
import { resolveConfig } from '../../emulator/assembly/config.ts'
import { readyDeps } from '../../emulator/assembly/control-service.ts'
import { type Foundation, openFoundation } from '../../emulator/assembly/open-foundation.ts'
import type { ReadyLine } from '../../emulator/contract/addresses.ts'
import { trusted } from '../../emulator/core/names.ts'
import type { Observation } from '../../emulator/core/observation.ts'
import { DAY_MILLIS } from '../../emulator/core/time.ts'
import { createRowReader } from '../../emulator/database/row-reader.ts'
import { sql as sqlOf } from '../../emulator/database/sql.ts'
import { readyLine } from '../../emulator/insight/project-tools/ready-line.ts'
import type { Snapshots } from '../../emulator/workflow/snapshots/snapshots.ts'
import { TEST_ENGINE } from './engine-of-run.ts'
import { TABLES } from './state-world.ts'
import type { Json } from './test-emulator.ts'

export interface Operation {
  readonly name: string
  /** The operation's text in the printed sequence of a failing test. */
  toString(): string
  perform(number: number): Promise<unknown>
}

export interface StateLab {
  readonly foundation: Foundation
  readonly snapshots: Snapshots
  readonly observed: Observation[]
  readonly operations: readonly Operation[]
  sql(text: string): Promise<void>
  close(): Promise<void>
}

const ORIGIN = 'http://127.0.0.1'

/** Starts the platform with two tenants of one template. One tenant has rows, a user and a file. This state is the baseline. */
export async function startStateLab(): Promise<StateLab> {
  const observed: Observation[] = []
  const foundation = await openFoundation(
    resolveConfig({ deterministicSeed: 'lab', ...TEST_ENGINE }),
    [(observation) => observed.push(observation)],
  )
  const ready = (): Promise<ReadyLine> =>
    readyLine(readyDeps(foundation, services.control), ORIGIN, () => [], undefined)
  const services = buildServices(foundation, ready, async () => undefined)
  const { fetch, snapshots } = services

  async function call(
    method: string,
    path: string,
    credential: string,
    body?: unknown,
  ): Promise<Json> {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const answer = await fetch(
      new Request(ORIGIN + path, {
        method,
        headers: {
          authorization: `Bearer ${credential}`,
          'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
          ...(path.startsWith('/auth') ? { apikey: credential } : {}),
        },
        ...(text === undefined ? {} : { body: text }),
      }),
    )
    return (await answer.json().catch(() => undefined)) as Json
  }
  const session = async (): Promise<string> => (await ready()).platform.session_token
  const own = await session()
  const source = await call('POST', '/platform/v1/projects', own, {
    name: 'a',
    slug: 'app',
    plan: 'scale',
  })
  const execute = async (projectId: string, text: string): Promise<void> => {
    const path = `/platform/v1/projects/${projectId}/db/exec`
    await call('POST', path, await session(), { sql: text })
  }
  await execute(source.id, TABLES)
  await call('POST', '/platform/v1/groups', own, { name: 'g', template_project_id: 'proj_app' })
  const [group] = (await ready()).groups
  if (group === undefined) throw new Error('there is no group')
  const tenants = `/groups/v1/${group.id}/tenants`
  const manage = (method: string, path: string, body?: unknown) =>
    call(method, path, group.group_api_key, body)
  for (const slug of ['one', 'two']) await manage('POST', tenants, { slug })
  const [one] = (await ready()).groups[0]?.tenants.filter(({ slug }) => slug === 'one') ?? []
  if (one === undefined) throw new Error('there is no tenant')
  const sql = (text: string): Promise<void> => execute(one.project_id, text)
  const signUp = (email: string) =>
    call('POST', '/auth/v1/signup', one.anon_key, { email, password: 'correct horse' })
  const storageToken = async (): Promise<string> =>
    (await call('POST', '/st/v1/token', one.service_role_key)).token ?? ''
  const bucket = 'proj_one_files'
  const storage = async (method: string, path: string, body?: unknown) =>
    call(method, `/storage/v1${path}`, await storageToken(), body)
  await sql("insert into notes (body) select 'note ' || n from generate_series(1, 30) n")
  await sql("insert into tags select n, 'tag' from generate_series(1, 30) n")
  await signUp('first@example.com')
  await storage('POST', '/bucket', { id: bucket, name: bucket, public: true })
  await storage('POST', `/object/${bucket}/first.txt`, 'the first file')
  await ready()
  // Reads once before the baseline, because the row reader creates a role on its first read.
  await createRowReader(foundation.engine).read(trusted.schemaName('proj_one'), [sqlOf`select`])
  await snapshots.setBaseline()

  const operation = (name: string, perform: Operation['perform']): Operation => ({
    name,
    perform,
    toString: () => name,
  })
  const operations = [
    operation('insert', (n) =>
      sql(
        `insert into notes (body) select 'new ' || ${n} || ' ' || x from generate_series(1, ${n}) x`,
      ),
    ),
    operation('update', (n) => sql(`update notes set body = body || '!' where id <= ${n}`)),
    operation('delete', (n) => sql(`delete from notes where id = ${n}`)),
    operation('truncate', () => sql('truncate notes restart identity cascade')),
    operation('addColumn', (n) => sql(`alter table notes add column c${n} integer default ${n}`)),
    operation('create', (n) => sql(`create table t${n} as select * from notes`)),
    operation('drop', () => sql('drop table if exists tags cascade')),
    operation('index', (n) => sql(`create index on notes ((length(body) + ${n}))`)),
    operation('policy', (n) =>
      sql(`alter table tags enable row level security; create policy p${n} on tags using (true)`),
    ),
    operation('function', (n) =>
      sql(
        `create or replace function stamp() returns trigger language plpgsql as $$ begin new.body := '${n}'; return new; end $$`,
      ),
    ),
    operation('vacuum', () => sql('analyze notes')),
    operation('provision', (n) => manage('POST', tenants, { slug: `extra${n}` })),
    operation('remove', () => manage('DELETE', `${tenants}/two`)),
    operation('purge', () => manage('DELETE', `${tenants}/two/purge`, { confirm_slug: 'two' })),
    operation('signUp', (n) => signUp(`user${n}@example.com`)),
    operation('deleteUser', async () => {
      const { users } = await call('GET', '/_emulator/v1/projects/one/users', '')
      return call('DELETE', `/_emulator/v1/projects/one/users/${users[0]?.id}`, '')
    }),
    operation('upload', (n) => storage('POST', `/object/${bucket}/${n}.txt`, `file ${n}`)),
    operation('removeFile', () => storage('DELETE', `/object/${bucket}/first.txt`)),
    operation('clock', async (n) => foundation.clock.advance((n % 3) * 600_000)),
    operation('freeze', async () => foundation.clock.freeze()),
    operation('month', async () => foundation.clock.advance(30 * DAY_MILLIS)),
  ]
  return { foundation, snapshots, observed, operations, sql, close: () => foundation.close() }
}
