// Measures explanations over /_emulator/v1: one row under four policies, 10,000 rows, and one row for fifty identities.
import { median } from './measure.ts'
import { type BenchServer, manage } from './server.ts'

export interface ExplainCell {
  readonly title: string
  /** Wall-clock milliseconds of the whole request, median. */
  readonly millis: number
}

const ROUNDS = 15
const OWNER = '00000000-0000-4000-8000-000000000001'

const TABLES_SQL = `
create table members (clinic int, uid uuid, primary key (clinic, uid));
alter table members enable row level security;
create policy own on members for select to authenticated using (uid = auth.uid());
insert into members select n, '${OWNER}' from generate_series(1, 50) as n;
create table patients (id int primary key, owner uuid, clinic int, name text, age int);
insert into patients select n, case when n % 2 = 0 then '${OWNER}'::uuid end, n % 100, 'patient ' || n, n % 90
from generate_series(1, 10000) as n;
alter table patients enable row level security;
create policy own on patients to authenticated using (owner = auth.uid());
create policy of_my_clinic on patients for select to authenticated
  using (exists (select from members m where m.clinic = patients.clinic and m.uid = auth.uid()));
create policy grown on patients as restrictive to authenticated using (age >= 18 and age <= 80);
create policy support on patients for select to authenticated
  using ((auth.jwt() -> 'app_metadata' ->> 'role') = 'support');`

export async function measureExplain(server: BenchServer): Promise<readonly ExplainCell[]> {
  const session = server.ready.platform.session_token
  const project = await manage<{ id: string }>(server, session, 'POST', '/platform/v1/projects', {
    name: 'explained',
    slug: 'explained',
  })
  await manage(server, session, 'POST', `/platform/v1/projects/${project.id}/db/exec`, {
    sql: TABLES_SQL,
  })
  const identity = { kind: 'user', user: OWNER }
  const rows = { relation: 'patients', command: 'select', identity }
  const identities = Array.from({ length: 50 }, (_, index) => ({
    kind: 'user',
    user: `00000000-0000-4000-8000-0000000001${String(index).padStart(2, '0')}`,
  }))
  const keys = [{ id: '36' }]
  const orders = [
    ['explain one row, four policies', 'explain', { ...rows, keys }],
    ['explain 10,000 rows, verdicts', 'explain', { ...rows, limit: 10_000, detail: 'verdicts' }],
    [
      'explain one row × 50 identities',
      'explain/matrix',
      { relation: 'patients', command: 'select', identities, keys },
    ],
  ] as const
  const cells: ExplainCell[] = []
  for (const [title, path, body] of orders) {
    const millis: number[] = []
    for (let round = -3; round < ROUNDS; round++) {
      const sent = performance.now()
      await manage(server, session, 'POST', `/_emulator/v1/projects/explained/${path}`, body)
      if (round >= 0) millis.push(performance.now() - sent)
    }
    cells.push({ title, millis: median(millis) })
  }
  return cells
}
