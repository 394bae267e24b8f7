// Which policies the editor offers for a table, and their SQL.
import { describe, expect, it } from 'vitest'
import type { ForeignKey } from '../../../emulator/contract/tables.ts'
import { memberships } from '../../../emulator/insight/explain/suggested-fixes/memberships.ts'
import type { Column, Table } from '../../../emulator/insight/tables/table.ts'
import { policyTemplates } from '../../../emulator/insight/workbench/policies/policy-templates.ts'

function table(
  name: string,
  columns: Readonly<Record<string, string>>,
  keys: Readonly<Record<string, string>> = {},
  referencedBy: readonly ForeignKey[] = [],
): Table {
  return {
    name,
    isClosed: false,
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, type }) as Column),
    foreignKeys: Object.entries(keys).map(([column, target]) => keyOf(name, column, target)),
    referencedBy,
  } as unknown as Table
}

function keyOf(from: string, column: string, target: string): ForeignKey {
  return {
    name: `${from}_${column}`,
    table: from,
    columns: [column],
    target_table: target,
    target_columns: ['id'],
    is_unique: false,
  }
}

const templates = (of: Table, ...related: readonly Table[]) =>
  policyTemplates({ ...of, policies: [] }, memberships(of, related))
const titles = (of: Table, ...related: readonly Table[]) =>
  templates(of, ...related).map(({ title }) => title)
const FOR_ALL = ['Signed-in users read every row', 'Everyone reads every row']

describe('policyTemplates', () => {
  it('offers all rows for any table, to users or to everyone', () => {
    const found = templates(table('prices', { id: 'bigint' }))
    expect(found).toEqual([
      {
        title: FOR_ALL[0],
        policy: {
          name: 'users_read_all',
          command: 'select',
          permissive: true,
          roles: ['authenticated'],
          using: 'true',
          check: null,
        },
      },
      {
        title: FOR_ALL[1],
        policy: {
          name: 'everyone_reads_all',
          command: 'select',
          permissive: true,
          roles: ['anon', 'authenticated'],
          using: 'true',
          check: null,
        },
      },
    ])
  })

  it('offers own rows through a column that references users or has a typical name', () => {
    const own = ['read', 'insert', 'read and write'].map(
      (verb) => `Users ${verb} their own rows (%s)`,
    )
    const named = (column: string) => [
      ...own.map((title) => title.replace('%s', column)),
      ...FOR_ALL,
    ]
    const keyed = table('notes', { writer: 'uuid' }, { writer: 'auth_users' })
    expect(titles(keyed)).toEqual(named('writer'))
    expect(titles(table('notes', { user_id: 'uuid' }))).toEqual(named('user_id'))
    expect(titles(table('notes', { owner_id: 'uuid' }))).toEqual(named('owner_id'))
    // The first column references another table, and the second is not a UUID.
    expect(titles(table('notes', { owner_id: 'uuid' }, { owner_id: 'teams' }))).toEqual(FOR_ALL)
    expect(titles(table('notes', { user_id: 'bigint' }))).toEqual(FOR_ALL)
    const [read, insert, both] = templates(keyed).map(({ policy }) => policy)
    const condition = '"writer" = (select auth.uid())'
    expect(read).toMatchObject({ command: 'select', using: condition, check: null })
    expect(insert).toMatchObject({ command: 'insert', using: null, check: condition })
    expect(both).toMatchObject({ command: 'all', using: condition, check: condition })
  })

  it('offers the rows of a group through a membership table', () => {
    const key = keyOf('room_members', 'room_id', 'rooms')
    const rooms = table('rooms', { id: 'bigint', name: 'text' }, {}, [key])
    const members = table(
      'room_members',
      { room_id: 'bigint', user_id: 'uuid' },
      { room_id: 'rooms', user_id: 'auth_users' },
    )
    const [first] = templates(rooms, members)
    expect(first).toMatchObject({
      title: 'Users read rows that lead to them through room_members',
      policy: {
        name: 'users_read_by_room_members',
        command: 'select',
        roles: ['authenticated'],
        using:
          'exists (select from "room_members" as linked where linked."room_id" = "rooms"."id" and linked."user_id" = auth.uid())',
      },
    })
    const messages = table('messages', { room_id: 'bigint' }, { room_id: 'rooms' })
    expect(titles(messages, rooms, members)[0]).toBe(
      'Users read rows that lead to them through room_members',
    )
  })

  it('offers rows with a public flag to everyone', () => {
    const [first] = templates(table('posts', { is_published: 'boolean' }))
    expect(first).toMatchObject({
      title: 'Everyone reads rows with is_published',
      policy: { roles: ['anon', 'authenticated'], using: '"is_published"' },
    })
  })

  it('gives a policy a name that no policy of the table has', () => {
    const named = { ...table('prices', {}), policies: [{ name: 'users_read_all' }] }
    const [first] = policyTemplates(named as unknown as Parameters<typeof policyTemplates>[0], [])
    expect(first?.policy.name).toBe('users_read_all_2')
  })
})
