// The platform of the inspector's bench: 100 tenants and 5,000 requests in the journal. One tenant has 61 tables, 50,000 rows in
// one table, and 20 users.
import { openConnection, requestText } from './http-client.ts'
import { type BenchServer, manage } from './server.ts'

export const TENANT = 'aurora'
export const LARGE_TABLE = 'entries'

const TENANTS = 100
const TABLES = 61
const ROWS = 50_000
const USERS = 20
const REQUESTS = 5_000
const LANES = 8

export async function buildInspectorWorld(server: BenchServer): Promise<void> {
  const [group] = server.ready.groups
  const tenant = group?.tenants.find(({ slug }) => slug === TENANT)
  if (group === undefined || tenant === undefined) throw new Error('the demo has no such tenant')
  for (let number = group.tenants.length; number < TENANTS; number += 1)
    await manage(server, group.group_api_key, 'POST', `/groups/v1/${group.id}/tenants`, {
      slug: `clinic_${number}`,
    })
  const { total } = await manage<{ total: number }>(
    server,
    server.ready.platform.session_token,
    'GET',
    `/_emulator/v1/projects/${TENANT}/users`,
  )
  for (let number = total; number < USERS; number += 1)
    await manage(
      server,
      server.ready.platform.session_token,
      'POST',
      `/_emulator/v1/projects/${TENANT}/users`,
      { email: `user${number}@bench.test`, password: 'a-long-password' },
    )
  const { tables } = await manage<{ tables: readonly object[] }>(
    server,
    server.ready.platform.session_token,
    'GET',
    `/_emulator/v1/projects/${TENANT}/tables`,
  )
  // Each statement has a time limit, so the tables are made one by one.
  for (const sql of tablesOf(TABLES - tables.length))
    await manage(
      server,
      tenant.management_key,
      'POST',
      `/platform/v1/projects/${tenant.project_id}/db/exec`,
      { sql },
    )
  await sendRequests(server, REQUESTS)
}

/** The rows of the large table have four authors. Half of the rows of each other table have the same owner, the rest has none. */
function tablesOf(count: number): readonly string[] {
  const small = Array.from(
    { length: count - 1 },
    (_, index) => `create table part_${index} (id bigint primary key, owner uuid, title text);
      insert into part_${index} select n, case n % 2 when 0 then (select id from auth_users order by id limit 1) end, 'part ' || n from generate_series(1, 50) as n;
      alter table part_${index} enable row level security;
      create policy own on part_${index} for all to authenticated using (owner = auth.uid());`,
  )
  const large = `create table ${LARGE_TABLE} (id bigint primary key, author uuid, title text, price numeric, made_at timestamptz, is_open bool);
    insert into ${LARGE_TABLE} select n, people.all[1 + n % 4], 'entry ' || n, n * 1.5, '2026-01-01', n % 2 = 0
      from generate_series(1, ${ROWS}) as n, (select array_agg(id order by email) as all from auth_users) as people;
    alter table ${LARGE_TABLE} enable row level security;
    create policy own on ${LARGE_TABLE} for all to authenticated using (author = auth.uid())`
  return [large, ...small]
}

/** Sends requests of the anon key to the tenant. Two of five are refused. */
export async function sendRequests(server: BenchServer, count: number): Promise<void> {
  const key = server.ready.groups[0]?.tenants.find(({ slug }) => slug === TENANT)?.anon_key ?? ''
  const headers = { apikey: key, authorization: `Bearer ${key}` }
  const paths = ['/treatments?limit=5', '/announcements', '/entries?limit=1', '/nothing', '/rooms']
  const base = new URL(server.ready.data_url).pathname.replace(/\/$/, '')
  await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      const connection = await openConnection('127.0.0.1', server.port)
      for (let turn = lane; turn < count; turn += LANES)
        await connection.send(
          requestText('GET', base + (paths[turn % paths.length] ?? ''), {
            ...headers,
            'accept-profile': 'proj_aurora',
          }),
        )
      connection.close()
    }),
  )
}
