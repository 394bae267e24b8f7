// The SQL statements of structure edits: quoted names, defaults, and the order of the statements.
import { describe, expect, it } from 'vitest'
import {
  type ColumnDraft,
  type StructureEdit,
  statementsOf,
  titleOf,
} from '../../../emulator/contract/structure-edits.ts'

const DUE: ColumnDraft = { name: 'due', type: 'date', isNullable: true, default: { kind: 'none' } }
const table = 'my "rooms"'

describe('the statements of an edit', () => {
  it.each<readonly [StructureEdit, readonly string[]]>([
    [
      { kind: 'add_column', table, column: DUE },
      ['alter table "my ""rooms""" add column "due" date'],
    ],
    [
      {
        kind: 'add_column',
        table: 'rooms',
        column: {
          name: 'State',
          type: ' text ',
          isNullable: false,
          default: { kind: 'value', text: "it's \\ new" },
        },
      },
      [`alter table "rooms" add column "State" text not null default E'it''s \\\\ new'`],
    ],
    [
      {
        kind: 'add_column',
        table: 'rooms',
        column: { ...DUE, default: { kind: 'expression', sql: ' now() ' } },
      },
      ['alter table "rooms" add column "due" date default now()'],
    ],
    [
      {
        kind: 'change_column',
        table: 'rooms',
        before: { ...DUE, default: { kind: 'expression', sql: 'now()' } },
        after: { name: 'until', type: 'timestamptz', isNullable: false, default: { kind: 'none' } },
      },
      [
        'alter table "rooms" alter column "due" drop default',
        'alter table "rooms" alter column "due" type timestamptz using "due"::timestamptz',
        'alter table "rooms" alter column "due" set not null',
        'alter table "rooms" rename column "due" to "until"',
      ],
    ],
    [
      {
        kind: 'change_column',
        table: 'rooms',
        before: { ...DUE, isNullable: false },
        after: { ...DUE, default: { kind: 'value', text: '2026-01-01' } },
      },
      [
        `alter table "rooms" alter column "due" set default '2026-01-01'`,
        'alter table "rooms" alter column "due" drop not null',
      ],
    ],
    [{ kind: 'change_column', table, before: DUE, after: DUE }, []],
    [
      { kind: 'drop_column', table: 'rooms', column: 'due' },
      ['alter table "rooms" drop column "due"'],
    ],
    [
      { kind: 'add_index', table: 'rooms', columns: ['due', 'a b'] },
      ['create index on "rooms" ("due", "a b")'],
    ],
    [{ kind: 'drop_index', index: 'rooms_due_idx' }, ['drop index "rooms_due_idx"']],
    [
      { kind: 'add_unique', table: 'rooms', columns: ['due'] },
      ['alter table "rooms" add unique ("due")'],
    ],
    [
      {
        kind: 'add_foreign_key',
        table: 'rooms',
        columns: ['owner'],
        target: 'auth_users',
        targetColumns: ['id'],
        onDelete: 'set null',
      },
      [
        'alter table "rooms" add foreign key ("owner") references "auth_users" ("id") on delete set null',
      ],
    ],
    [
      {
        kind: 'add_foreign_key',
        table: 'rooms',
        columns: ['owner'],
        target: 'auth_users',
        targetColumns: ['id'],
        onDelete: 'no action',
      },
      ['alter table "rooms" add foreign key ("owner") references "auth_users" ("id")'],
    ],
    [
      { kind: 'drop_constraint', table: 'rooms', constraint: 'rooms_owner_fkey' },
      ['alter table "rooms" drop constraint "rooms_owner_fkey"'],
    ],
    [
      { kind: 'rename_table', table: 'rooms', to: 'halls' },
      ['alter table "rooms" rename to "halls"'],
    ],
    [{ kind: 'rename_table', table: 'rooms', to: 'rooms' }, []],
    [{ kind: 'drop_table', table: 'rooms' }, ['drop table "rooms"']],
    [
      {
        kind: 'create_table',
        table: 'halls',
        columns: [{ ...DUE, name: 'id', type: 'int', isNullable: false }, DUE],
        key: ['id'],
        hasRowSecurity: true,
      },
      [
        'create table "halls" (\n  "id" int not null,\n  "due" date,\n  primary key ("id")\n)',
        'alter table "halls" enable row level security',
      ],
    ],
    [
      { kind: 'create_table', table: 'halls', columns: [DUE], key: [], hasRowSecurity: false },
      ['create table "halls" (\n  "due" date\n)'],
    ],
  ])('%j', (edit, statements) => {
    expect(statementsOf(edit)).toEqual(statements)
    expect(titleOf(edit)).toMatch(/^[A-Z].*[a-z"]$/)
  })
})
