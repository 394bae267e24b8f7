import { describe, expect, it } from 'vitest'
import { relationshipsOf } from '../../../../emulator/services/data/schema-cache/relationships.ts'
import {
  type Cardinality,
  keyOf,
  type Table,
} from '../../../../emulator/services/data/schema-cache/schema-cache.ts'

const named = (name: string) => ({ schema: 's', name })

function table(name: string, keyColumns: readonly string[]): Table {
  return {
    ...named(name),
    comment: undefined,
    isView: false,
    isInsertable: true,
    isUpdatable: true,
    isDeletable: true,
    keyColumns,
    columns: new Map(),
  }
}

function foreignKey(from: string, column: string, to: string, isUnique = false) {
  return {
    constraint: `${from}_${column}_fkey`,
    table: named(from),
    foreignTable: named(to),
    columns: [[column, 'id']] as const,
    isUnique,
  }
}

function kindsFrom(
  source: string,
  tables: readonly Table[],
  keys: readonly ReturnType<typeof foreignKey>[],
): (readonly [string, Cardinality['kind'] | 'computed'])[] {
  const all = relationshipsOf(new Map(tables.map((each) => [keyOf(each), each])), keys, [])
  return (all.get(keyOf(named(source))) ?? []).map((one) => [
    one.foreignTable.name,
    one.kind === 'computed' ? 'computed' : one.cardinality.kind,
  ])
}

describe('relationships', () => {
  it('exist in both directions of a foreign key', () => {
    const keys = [foreignKey('orders', 'client_id', 'clients')]
    expect(kindsFrom('orders', [], keys)).toEqual([['clients', 'manyToOne']])
    expect(kindsFrom('clients', [], keys)).toEqual([['orders', 'oneToMany']])
  })

  it('are one-to-one when the key is unique', () => {
    const keys = [foreignKey('details', 'order_id', 'orders', true)]
    expect(kindsFrom('details', [], keys)).toEqual([['orders', 'oneToOne']])
    expect(kindsFrom('orders', [], keys)).toEqual([['details', 'oneToOne']])
  })

  it('join two tables through a table whose primary key consists of two foreign keys', () => {
    const keys = [foreignKey('links', 'a_id', 'as'), foreignKey('links', 'b_id', 'bs')]
    expect(kindsFrom('as', [table('links', ['a_id', 'b_id'])], keys)).toEqual([
      ['bs', 'manyToMany'],
      ['links', 'oneToMany'],
    ])
  })

  it('do not join tables through a table whose primary key is a separate column', () => {
    const keys = [foreignKey('links', 'a_id', 'as'), foreignKey('links', 'b_id', 'bs')]
    expect(kindsFrom('as', [table('links', ['id'])], keys)).toEqual([['links', 'oneToMany']])
  })

  it('exist in both directions between a table and itself', () => {
    expect(kindsFrom('people', [], [foreignKey('people', 'boss', 'people')])).toEqual([
      ['people', 'oneToMany'],
      ['people', 'manyToOne'],
    ])
  })
})
