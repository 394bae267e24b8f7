// A tenant with a table for every reason why a row is visible or hidden, and requests that explain its rows.
import {
  type Answer,
  createGroup,
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestTenant,
} from './test-emulator.ts'
import { workerEmulator } from './worker-emulator.ts'

export const ANA = '00000000-0000-4000-8000-00000000000a'
export const BIA = '00000000-0000-4000-8000-00000000000b'
/** The user Ana as an identity in requests. */
export const ana = { kind: 'user', user: ANA }
/** Path of the template, whose rows the requests explain. */
export const EXPLAINED = '/_emulator/v1/projects/explained'

export interface ExplainedTenant extends AsyncDisposable {
  readonly at: TestEmulator
  readonly tenant: TestTenant
  /** Sends a request to a path below the template's path. */
  post(path: string, body: Json): Promise<Answer<Json>>
  /** Returns the decisions for the rows of a relation: for Ana's SELECT, unless `more` changes identity or command. */
  explain(relation: string, more?: Json): Promise<Json>
}

const TABLES = `
create table members (clinic int, uid uuid, primary key (clinic, uid));
alter table members enable row level security;
create policy own on members for select to authenticated using (uid = auth.uid());
insert into members values (1, '${ANA}'), (2, '${BIA}');

create table patients (id int primary key, owner uuid, clinic int, name text, age int);
insert into patients values (1, '${ANA}', 1, 'Rui', 40), (2, '${BIA}', 2, 'Eva', 20), (3, null, 1, 'Ivo', 30);
alter table patients enable row level security;
create policy own_patients on patients to authenticated using (owner = auth.uid());
create policy of_my_clinic on patients for select to authenticated
  using (exists (select from members m where m.clinic = patients.clinic and m.uid = auth.uid()) and not age < 35);
create policy no_two on patients as restrictive for select to authenticated using (id <> 2 or name = 'Eva');

create table open (id int primary key);
create table shut (id int primary key); alter table shut enable row level security;
insert into shut values (1);
create table for_anon (id int primary key); alter table for_anon enable row level security;
create policy p on for_anon for select to anon using (true);
create table ungranted (id int primary key); alter table ungranted enable row level security;
create policy p on ungranted using (true); revoke all on ungranted from authenticated;
create table partly (id int primary key, secret text); alter table partly enable row level security;
create policy p on partly using (true); revoke all on partly from authenticated;
grant select (id) on partly to authenticated; insert into partly values (1, 's');
create table endless (id int primary key); alter table endless enable row level security;
create policy p on endless using (exists (select from endless e where e.id = endless.id));
create table raising (id int primary key, n int); insert into raising values (1, 1), (2, 0), (3, 5);
alter table raising enable row level security;
create policy p on raising using (n is not null and 10 / n > 1);
create table writing (id int primary key); insert into writing values (1);
create function leave_a_trace() returns boolean language plpgsql as $$ begin insert into open values (9); return true; end $$;
alter table writing enable row level security; create policy p on writing using (leave_a_trace());
create table slow (id int primary key); insert into slow values (1);
alter table slow enable row level security; create policy p on slow using (pg_sleep(20) is null);
create table placed (id int primary key); insert into placed values (1);
alter table placed enable row level security;
create policy p on placed using (exists (select from ungranted));
create table systemic (id int primary key); insert into systemic values (1), (2);
alter table systemic enable row level security;
create policy p on systemic using (tableoid > 0 and id = 1);
create table odd (id int primary key, constructor int not null default 3, "__proto__" int); insert into odd values (1);
alter table odd enable row level security; create policy p on odd using (constructor = 3);
create view all_patients as select * from patients;
create view my_patients with (security_invoker = true) as select * from patients;
create table kinds (id int primary key, tags text[], data jsonb, flag boolean, day date default '2026-01-02');
insert into kinds values (1, '{a,b}', '{"k": 1}', null);
alter table kinds enable row level security;
create policy p on kinds using (
  'a' = any (tags) and data ? 'k' and flag is null and day > '2026-01-01'
  and (auth.jwt() ->> 'role') in ('authenticated', 'anon')
  and (case when id = 1 and flag is null then true end)
  and id between 1 and 3 and starts_with(name_of(id), 'n') and not (flag is not null));
`

export async function startExplainedTenant(): Promise<ExplainedTenant> {
  const at = await workerEmulator()
  const sql = `create function name_of(int) returns text language sql as 'select ''n'' || $1'; ${TABLES}`
  const group = await createGroup(at, 'explained', { sql })
  const tenant = await provisionTenant(at, group, 'acme')
  const post = (path: string, body: Json) => at.call('POST', EXPLAINED + path, { body })
  return {
    at,
    tenant,
    post,
    explain: async (relation, more = {}) => {
      const answer = await post('/explain', { relation, identity: ana, command: 'select', ...more })
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  }
}
