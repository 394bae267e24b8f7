// Generates random policies on tables, to compare explanations with the behaviour of Postgres. The same seed generates the same
// policies.
import fc from 'fast-check'

export const SCHEMA = 'proj_p'

export const USERS = [
  '00000000-0000-4000-8000-00000000000a',
  '00000000-0000-4000-8000-00000000000b',
  '00000000-0000-4000-8000-00000000000c',
] as const
const [A, B] = USERS

/** SQL of the tables, functions and rows that all policy sets share. Runs once as the owner. */
export const WORLD = `
create table members (id int primary key, clinic int, uid uuid, role text);
insert into members values
  (1, 1, '${A}', 'admin'), (2, 2, '${A}', 'reader'), (3, 2, '${B}', 'admin'), (4, null, '${B}', null), (5, 3, null, 'reader');
create table notes (id int primary key, owner uuid default auth.uid(), clinic int, tag text default 'new', age int,
  data jsonb, flag boolean, tags text[], doubled int generated always as (age * 2) stored);
insert into notes (id, owner, clinic, tag, age, data, flag, tags)
select n,
  case n % 4 when 0 then '${A}'::uuid when 1 then '${B}'::uuid when 2 then null else '00000000-0000-4000-8000-00000000000d' end,
  case when n % 5 = 0 then null else n % 4 end,
  case n % 3 when 0 then 'a' when 1 then 'b "q"\\, (x)' else null end,
  case when n % 7 = 0 then null else n % 6 end,
  case n % 4 when 0 then null when 1 then '{"k": "v", "n": 1}' when 2 then '{"k": null}' else '{"list": ["a", "b"]}' end::jsonb,
  case n % 3 when 0 then true when 1 then false end,
  case n % 2 when 0 then array['a', 'c"d'] end
from generate_series(1, 18) as n;
create function is_member(int) returns boolean language sql stable security definer set search_path = ${SCHEMA}
  as 'select exists (select from members where clinic = $1 and uid = auth.uid())';
create function sees_member(int) returns boolean language sql stable
  as 'select exists (select from members where clinic = $1 and uid = auth.uid())';
create function is_mine(notes) returns boolean language sql stable as 'select $1.owner = auth.uid()';
create function strict_age(int) returns boolean language plpgsql stable
  as $$ begin if $1 = 4 then raise exception 'no % here', $1; end if; return $1 > 1; end $$;
create function role_of() returns text language sql stable as 'select auth.jwt() -> ''app_metadata'' ->> ''role''';
`

/** One set of policies as SQL of the owner, and the row and the changes to try with these policies. */
export interface PolicySet {
  readonly sql: string
  readonly columnGrant: boolean
  readonly newRow: Readonly<Record<string, string | number | boolean | null>>
  readonly changes: Readonly<Record<string, string | number | boolean | null>>
}

/** @returns `count` policy sets, which are the same for the same seed */
export function policySets(count: number, seed: number): readonly PolicySet[] {
  return fc.sample(policySet, { numRuns: count, seed })
}

const leaf = fc.constantFrom(
  'owner = auth.uid()',
  'owner <> auth.uid()',
  'clinic = 1',
  'clinic in (1, 2)',
  'clinic not in (1, 3)',
  'age between 1 and 3',
  'age not between 2 and 4',
  'age > clinic',
  "tag = 'a'",
  "tag like 'b%'",
  'tag is null',
  'owner is not null',
  'owner is distinct from auth.uid()',
  'flag',
  'flag is not true',
  'not flag',
  'true',
  'false',
  'null::boolean',
  "data ->> 'k' = 'v'",
  "data ? 'list'",
  `data @> '{"n": 1}'`,
  'tag = any (tags)',
  "'c\"d' = any (tags)",
  "(auth.jwt() ->> 'role') = 'authenticated'",
  "auth.role() = 'anon'",
  "(auth.jwt() -> 'app_metadata' ->> 'clinic')::int = clinic",
  "coalesce(role_of(), 'none') = 'admin'",
  "current_user = 'authenticated'",
  'exists (select 1 from members m where m.clinic = notes.clinic and m.uid = auth.uid())',
  'exists (select from members where members.clinic = notes.clinic)',
  'clinic in (select m.clinic from members m where m.uid = auth.uid())',
  'clinic = any (array(select m.clinic from members m))',
  'clinic <> all (select m.clinic from members m where m.clinic is not null)',
  "(select m.role from members m where m.clinic = notes.clinic and m.uid = auth.uid() limit 1) = 'admin'",
  'clinic = (select max(m.clinic) from members m)',
  'is_member(clinic)',
  'sees_member(clinic)',
  'is_mine(notes)',
  'is_mine(notes.*)',
  'strict_age(age)',
  '10 / nullif(age, 5) > 3',
  '10 / (age - 3) > 1',
  "case when clinic = 1 and flag then age > 2 when clinic = 2 or flag then true else tag = 'a' end",
  '(clinic, age) = (1, 2)',
  'doubled > 4',
  '(flag and age > 1) is true',
  "tag || '' = 'a'",
  'length(tag) > 3 or tag is null',
)

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}) and (${b})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}) or (${b})`),
    tie('expression').map((a) => `not (${a})`),
  ),
}))

const policy = fc.record({
  permissive: fc.constantFrom('permissive', 'permissive', 'permissive', 'restrictive'),
  command: fc.constantFrom('all', 'all', 'select', 'select', 'update', 'insert', 'delete'),
  roles: fc.constantFrom('public', 'authenticated', 'authenticated', 'anon', 'anon, authenticated'),
  using: expression,
  check: fc.option(expression, { nil: undefined }),
})

const value = {
  owner: fc.constantFrom(A, B, null),
  clinic: fc.constantFrom(1, 2, 3, null),
  tag: fc.constantFrom('a', 'b', null),
  age: fc.constantFrom(1, 2, 3, 4, null),
  flag: fc.constantFrom(true, false, null),
}

const policySet = fc
  .record({
    policies: fc.array(policy, { minLength: 0, maxLength: 4 }),
    members: fc.constantFrom('off', 'own', 'all', 'admins', 'none'),
    rls: fc.constantFrom('enable', 'enable', 'enable', 'enable', 'enable', 'enable', 'disable'),
    forced: fc.boolean(),
    columnGrant: fc.constantFrom(false, false, false, true),
    membersClosed: fc.constantFrom(false, false, false, false, false, false, true),
    newRow: fc.record(value, { requiredKeys: ['clinic'] }),
    changes: fc.record(value, { requiredKeys: ['clinic'] }),
  })
  .map((set): PolicySet => ({ ...set, sql: statementsOf(set) }))

interface Surroundings {
  readonly policies: readonly {
    readonly permissive: string
    readonly command: string
    readonly roles: string
    readonly using: string
    readonly check: string | undefined
  }[]
  readonly members: string
  readonly rls: string
  readonly forced: boolean
  readonly columnGrant: boolean
  readonly membersClosed: boolean
}

const MEMBERS: Readonly<Record<string, string>> = {
  off: 'alter table members disable row level security',
  own: 'create policy p on members using (uid = auth.uid())',
  all: 'create policy p on members using (true)',
  admins:
    "create policy p on members for select to authenticated using (role = 'admin' and clinic is not null)",
  none: '',
}

function statementsOf(set: Surroundings): string {
  return [
    `do $$ declare p record; begin
       for p in select polname, polrelid::regclass as t from pg_policy
         where polrelid in ('notes'::regclass, 'members'::regclass) loop
         execute format('drop policy %I on %s', p.polname, p.t);
       end loop; end $$`,
    `alter table notes ${set.rls} row level security`,
    `alter table notes ${set.forced ? '' : 'no '}force row level security`,
    'alter table members enable row level security',
    MEMBERS[set.members] ?? '',
    set.membersClosed
      ? 'revoke select on members from anon, authenticated'
      : 'grant select on members to anon, authenticated',
    'revoke all on notes from authenticated',
    set.columnGrant
      ? 'grant select (id, owner), update (clinic, tag), insert on notes to authenticated; grant delete on notes to authenticated'
      : 'grant select, insert, update, delete on notes to authenticated',
    ...set.policies.map(policyText),
  ]
    .filter((text) => text !== '')
    .join(';\n')
}

function policyText(policy: Surroundings['policies'][number], index: number): string {
  const { permissive, command, roles, using, check } = policy
  const hasCheck = command !== 'select' && command !== 'delete' && check !== undefined
  const reads = command === 'insert' ? '' : ` using (${using})`
  const writes =
    command === 'insert'
      ? ` with check (${check ?? using})`
      : hasCheck
        ? ` with check (${check})`
        : ''
  return `create policy p${index} on notes as ${permissive} for ${command} to ${roles}${reads}${writes}`
}
