// Tests each rule of `tenantry migrate lint` with a statement that it reports and one that it accepts.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { LINT_RULES } from '../../../emulator/contract/choices.ts'
import type { LintFinding } from '../../../emulator/contract/migrations.ts'
import { loadSqlParser, type SqlParser } from '../../../emulator/database/sql-parser.ts'
import { lintSteps } from '../../../emulator/workflow/migrations/lint/lint-steps.ts'

let parser: SqlParser
beforeAll(async () => {
  parser = await loadSqlParser()
})

function lint(sql: string, rows?: number): readonly LintFinding[] {
  return lintSteps(parser, [{ file: 'step.sql', sql }], { rowsOf: () => rows })
}

const rulesOf = (findings: readonly LintFinding[]) => findings.map(({ rule }) => rule)

const REPORTED: readonly (readonly [rule: string, sql: string])[] = [
  ['syntax', 'creat table notes ()'],
  ['refused', 'begin'],
  ['refused', 'alter table proj_aurora.notes add column a int'],
  ['refused', 'set role anon'],
  ['needs-own-transaction', 'drop index concurrently notes_idx'],
  ['needs-own-transaction', 'vacuum full notes'],
  [
    'enum-value-too-early',
    "alter type mood add value 'sad'; update notes set mood = 'sad' where id = 1",
  ],
  ['drops-data', 'drop table notes'],
  ['drops-data', 'drop type mood cascade'],
  ['drops-data', 'alter table notes drop column body'],
  ['drops-data', 'truncate notes'],
  ['drops-data', 'delete from notes'],
  ['changes-every-row', 'update notes set body = null'],
  ['breaks-clients', 'alter table notes rename column body to text'],
  ['breaks-clients', 'alter table notes rename to letters'],
  ['rewrites-table', 'alter table notes alter column id type bigint'],
  ['rewrites-table', 'alter table notes add column token uuid default gen_random_uuid()'],
  ['rewrites-table', 'alter table notes add column number int generated always as identity'],
  ['blocks-readers', 'alter table notes alter column body set not null'],
  ['blocks-readers', 'alter table notes add constraint short check (length(body) < 9)'],
  ['blocks-readers', 'alter table notes add unique (body)'],
  ['blocks-writers', 'alter table notes add foreign key (author) references people (id)'],
  ['blocks-writers', 'create index on notes (body)'],
  ['row-security-missing', 'create table notes (id int)'],
  ['row-security-missing', 'create table notes as select 1 as id'],
  ['row-security-off', 'alter table notes disable row level security'],
  ['policy-always-true', 'create policy all_rows on notes using (true)'],
  ['policy-always-true', 'create policy all_rows on notes to authenticated using (1 = 1)'],
  ['policy-always-true', 'alter policy all_rows on notes using (true or id = 1)'],
  ['grant-to-anon', 'grant select on notes to anon'],
  ['grant-to-anon', 'alter default privileges grant insert on tables to public'],
  [
    'definer-search-path',
    "create function f() returns int language sql security definer as 'select 1'",
  ],
  ['definer-search-path', 'alter function f() security definer'],
  ['view-skips-policies', 'create view short_notes as select id from notes'],
  ['unlogged-table', 'create unlogged table t (id int); alter table t enable row level security'],
  [
    'realtime-cannot-judge',
    'create policy team on notes to authenticated using (id in (select note from members))',
  ],
  [
    'realtime-cannot-judge',
    `create function mine() returns setof int language sql stable as 'select note from members';
       create policy team on notes to authenticated using (id in (select mine()))`,
  ],
  [
    'policy-recursion',
    `alter table notes enable row level security;
       create policy team on notes to authenticated using (id in (select twin from notes))`,
  ],
  [
    'policy-recursion',
    `alter table notes enable row level security;
       create function seen() returns boolean language plpgsql as $$ begin perform 1 from notes; return true; end $$;
       create policy team on notes for delete to authenticated using (true and seen());
       create policy read on notes for select to authenticated using (seen())`,
  ],
  [
    'unindexed-foreign-key',
    `create table tags (note int references notes, owner uuid);
       alter table tags enable row level security;
       create policy own on tags to authenticated using (note = 1)`,
  ],
]

describe('a lint rule', () => {
  it.each(REPORTED)('%s reports %s', (rule, sql) => {
    expect(rulesOf(lint(sql))).toEqual([rule])
  })

  it('has a statement that it reports here, and a row in the guide', () => {
    const guide = readFileSync('docs/guide/migrations.md', 'utf8')
    const missing = (rule: string) =>
      !REPORTED.some(([reported]) => reported === rule) || !guide.includes(`\`${rule}\``)
    expect(LINT_RULES.filter(missing)).toEqual([])
  })
})

describe('the lint rules', () => {
  it.each([
    'create table notes (id int); alter table notes enable row level security',
    'create temporary table notes (id int)',
    'create table notes (id int); alter table notes enable row level security; create index on notes (id); drop table notes',
    'alter table notes add column body text',
    'alter table notes add column added timestamptz not null default now()',
    'alter table notes add constraint short check (length(body) < 9) not valid',
    'alter table notes validate constraint short',
    'alter table notes add primary key using index notes_idx',
    'create policy own on notes to authenticated using (author = auth.uid())',
    'create policy app on notes to service_role using (true)',
    'create policy never_more on notes as restrictive using (true)',
    'grant select on notes to authenticated',
    "create function f() returns int language sql security definer set search_path = '' as 'select 1'",
    'create view short_notes with (security_invoker = on) as select id from notes',
    'delete from notes where id = 1',
    "alter type mood add value 'sad'",
    'drop view short_notes',
  ])('accept %s', (sql) => {
    expect(lint(sql)).toEqual([])
  })
})

describe('lintSteps', () => {
  it('accepts a new table whose row-level security a later step turns on', () => {
    const steps = [
      { file: 'a.sql', sql: 'create table notes (id int)' },
      { file: 'b.sql', sql: 'alter table notes enable row level security' },
    ]
    expect(lintSteps(parser, steps, { rowsOf: () => undefined })).toEqual([])
  })

  it('names the line of the statement, not of the comments before it', () => {
    expect(lint('select 1;\n\n-- what it is for\ndrop table notes;')[0]?.line).toBe(4)
  })

  it('names the line of a syntax error', () => {
    expect(lint('select 1;\nselect from from;')[0]).toMatchObject({ rule: 'syntax', line: 2 })
  })

  it('reports a lock on a big table as an error that states the rows', () => {
    const [finding] = lint('create index on notes (body)', 250_000)
    expect(finding).toMatchObject({ severity: 'error' })
    expect(finding?.message).toContain('250000 rows')
  })

  it('accepts a lock on a table that is small in every project', () => {
    expect(lint('create index on notes (body)', 120)).toEqual([])
  })

  it('leaves out the findings of a rule that a comment before the statement allows', () => {
    expect(
      lint('-- tenantry: allow drops-data nothing uses it since May\ndrop table notes'),
    ).toEqual([])
  })

  it('keeps the findings of rules that the comment does not name', () => {
    const sql = '-- tenantry: allow blocks-writers small\ndrop table notes'
    expect(rulesOf(lint(sql))).toEqual(['drops-data'])
  })

  it('accepts the safer form that it suggests for a check constraint', () => {
    const [finding] = lint('alter table notes add constraint short check (length(body) < 9)')
    const safer = finding?.safer?.split('; ')[0]?.replace('…', 'check (length(body) < 9)') ?? ''
    expect(lint(safer)).toEqual([])
  })
})
