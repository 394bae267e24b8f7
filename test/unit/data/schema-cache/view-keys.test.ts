import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../../emulator/database/engine.ts'
import { loadSchemaCache } from '../../../../emulator/services/data/schema-cache/load.ts'
import {
  keyOf,
  type SchemaCache,
} from '../../../../emulator/services/data/schema-cache/schema-cache.ts'
import { createTestTenant, openTestEngine, runAsOwner } from '../../../support/test-engine.ts'

const SCHEMA = 'proj_views'
const SEARCHED = { schemas: [SCHEMA], extraSearchPath: [] }
let engine: Engine
let cache: SchemaCache

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await createTestTenant(engine, SCHEMA)
  await runAsOwner(
    engine,
    SCHEMA,
    `create table clients (id integer primary key, name text);
     create table orders (
       id integer primary key,
       "client (id)" integer constraint of_client references clients,
       note text
     );
     create view renamed as
       select "client (id)" as who, id as number from orders where note <> '}) {:resno 1';
     create view above as select number as top, who from renamed;
     create view keyless as select note from orders;
     create view twice as select id as a, id as b from clients;
     create view counted as select count(*) as orders, "client (id)" as who from orders group by 2;
     create view united as select id from orders union all select id from clients;
     create view inner_only as select (select id from clients limit 1) as first, note from orders`,
  )
  cache = await loadSchemaCache(engine, SEARCHED, 1)
})

afterAll(() => engine.close())

const keyColumns = (name: string) => cache.tables.get(keyOf({ schema: SCHEMA, name }))?.keyColumns

function relationships(from: string, to: string) {
  const all = cache.relationships.get(keyOf({ schema: SCHEMA, name: from })) ?? []
  return all
    .filter((one) => one.foreignTable.name === to)
    .map((one) =>
      one.kind === 'foreignKey' && one.cardinality.kind !== 'manyToMany'
        ? [one.cardinality.kind, one.cardinality.columns]
        : [one.kind],
    )
}

describe('a view', () => {
  it('has its table’s primary key, with the view’s column names', () => {
    expect(keyColumns('renamed')).toEqual(['number'])
    expect(keyColumns('keyless')).toEqual([])
  })

  it('has the keys of a table that it reads through another view', () => {
    expect(keyColumns('above')).toEqual(['top'])
    expect(relationships('above', 'clients')).toEqual([['manyToOne', [['who', 'id']]]])
  })

  it('has the foreign keys of its columns in both directions, also to other views', () => {
    expect(relationships('renamed', 'clients')).toEqual([['manyToOne', [['who', 'id']]]])
    expect(relationships('clients', 'renamed')).toEqual([['oneToMany', [['id', 'who']]]])
    expect(relationships('counted', 'clients')).toEqual([['manyToOne', [['who', 'id']]]])
    expect(relationships('keyless', 'clients')).toEqual([])
  })

  it('has a relationship for each column that contains the key', () => {
    expect(relationships('orders', 'twice')).toEqual([
      ['manyToOne', [['client (id)', 'a']]],
      ['manyToOne', [['client (id)', 'b']]],
    ])
  })

  it('has no keys of subqueries', () => {
    expect(keyColumns('united')).toEqual([])
    expect(keyColumns('inner_only')).toEqual([])
  })
})
