// The schema map as text: what boxes contain, and a Mermaid diagram that Mermaid's own parser accepts.
import { describe, expect, it } from 'vitest'
import type {
  ForeignKey,
  TableColumn,
  TableStructure,
} from '../../../../../emulator/contract/tables.ts'
import { halvesOf, schemaMap } from '../../../../../renderer/features/schema-map/map-model.ts'
import { mermaidText } from '../../../../../renderer/features/schema-map/mermaid.ts'

function columnOf(name: string, type = 'bigint', more: Partial<TableColumn> = {}): TableColumn {
  return {
    name,
    type,
    is_key: false,
    is_nullable: false,
    default: null,
    is_generated: false,
    choices: null,
    comment: null,
    ...more,
  }
}

function keyTo(table: string, column: string, target: string, isUnique = false): ForeignKey {
  return {
    name: `${table}_${column}_fkey`,
    table,
    columns: [column],
    target_table: target,
    target_columns: ['id'],
    is_unique: isUnique,
  }
}

function tableOf(name: string, more: Partial<TableStructure> = {}): TableStructure {
  return {
    name,
    kind: 'table',
    rls_enabled: true,
    is_closed: false,
    policies: 1,
    rows: 3,
    is_exact: true,
    comment: null,
    columns: [columnOf('id', 'bigint', { is_key: true })],
    foreign_keys: [],
    indexes: [],
    referenced_by: [],
    ...more,
  }
}

const ODD = 'odd "name" %; drop'
const TABLES = [
  tableOf('auth_sessions', { is_closed: true }),
  tableOf('auth_users', { is_closed: true }),
  tableOf('people', {
    columns: [
      columnOf('id', 'uuid', { is_key: true }),
      columnOf('user_id', 'uuid'),
      columnOf('boss_id', 'uuid', { is_nullable: true }),
      columnOf('2 "words"', 'timestamp(3) with time zone'),
    ],
    foreign_keys: [
      keyTo('people', 'user_id', 'auth_users', true),
      keyTo('people', 'boss_id', 'people'),
    ],
  }),
  tableOf(ODD, { columns: [columnOf('a "b"', 'character varying(10)[]')] }),
]

describe('the schema map', () => {
  it('shows platform tables only when a table of the project references them', () => {
    const { boxes, keys } = schemaMap({ tables: TABLES }, 'keys')
    expect(boxes.map(({ table }) => table.name)).toEqual(['auth_users', 'people', ODD])
    expect(keys.map(({ isUnique, isNullable }) => [isUnique, isNullable])).toEqual([
      [true, false],
      [false, true],
    ])
  })

  it.each([
    ['keys', ['id', 'user_id', 'boss_id'], 1],
    ['all', ['id', 'user_id', 'boss_id', '2 "words"'], 0],
    ['none', [], 0],
  ] as const)('shows the columns of the setting "%s"', (shown, names, leftOut) => {
    const box = schemaMap({ tables: TABLES }, shown).boxes[1]
    expect(box?.lines.map(({ name }) => name)).toEqual(names)
    expect(box?.leftOut).toBe(leftOut)
  })

  it('splits long names near the middle', () => {
    expect(
      ['staffing_history', 'organisations', 'a_b', 'very_long_table_name_'].map(halvesOf),
    ).toEqual([['staffing_', 'history'], ['organisations'], ['a_b'], ['very_long_', 'table_name_']])
  })

  it('can be exported as a Mermaid diagram with all columns and quoted names', () => {
    expect(mermaidText(schemaMap({ tables: TABLES }, 'none'))).toBe(`erDiagram
  "auth_users" {
    bigint id PK
  }
  "people" {
    uuid id PK
    uuid user_id FK
    uuid boss_id FK
    timestamptz _2_words_ "2 #34;words#34;"
  }
  "odd #34;name#34; #37;; drop" {
    varchar(10)[] a_b_ "a #34;b#34;"
  }
  "auth_users" ||--o| "people" : "user_id"
  "people" |o--o{ "people" : "boss_id"
`)
  })
})
