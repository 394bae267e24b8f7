// Which objects of a schema that is not exposed are used by exposed schemas: tables below views, but no views, junctions or
// functions.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../../emulator/database/engine.ts'
import { findRelationship } from '../../../../emulator/services/data/plan/find-relationship.ts'
import { loadSchemaCache } from '../../../../emulator/services/data/schema-cache/load.ts'
import {
  keyOf,
  type SchemaCache,
} from '../../../../emulator/services/data/schema-cache/schema-cache.ts'
import { admin, openTestEngine } from '../../../support/test-engine.ts'

let engine: Engine
let cache: SchemaCache
let searching: SchemaCache

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await admin(
    engine,
    'cluster',
    `create schema shown; create schema hidden;
     create table hidden.clients (id integer primary key);
     create table hidden.orders (id integer primary key, client_id integer references hidden.clients);
     create table shown.users (id integer primary key, age bit(3));
     create table shown.tasks (id integer primary key);
     create table hidden.links (
       user_id integer references shown.users, task_id integer references shown.tasks, primary key (user_id, task_id));
     create table hidden.apart (id integer primary key);
     create table shown.lone (id integer primary key references hidden.apart);
     create view shown.clients as select * from hidden.clients;
     create view shown.orders as select * from hidden.orders;
     create view hidden.between as select id, client_id from hidden.orders;
     create view shown.above as select * from hidden.between;
     create function shown.friends(shown.users) returns setof shown.users language sql as 'select $1.*';
     create function hidden.enemies(shown.users) returns setof shown.users language sql as 'select $1.*';
     create function hidden.st_asgeojson(shown.users) returns text language sql as $$ select '{}' $$`,
  )
  cache = await loadSchemaCache(engine, { schemas: ['shown'], extraSearchPath: [] }, 1)
  searching = await loadSchemaCache(engine, { schemas: ['shown'], extraSearchPath: ['hidden'] }, 2)
})

afterAll(() => engine.close())

function find(from: string, target: string, within = cache): string {
  try {
    return findRelationship(within, 'shown', from, target, undefined).kind
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'failed'
  }
}

describe('a hidden schema', () => {
  it('provides the keys of its tables to exposed views over them', () => {
    expect(find('orders', 'clients')).toBe('foreignKey')
    expect(find('clients', 'orders')).toBe('foreignKey')
  })

  it('provides the keys of its views only when the search path contains the schema', () => {
    expect(find('above', 'clients')).toBe('PGRST200')
    expect(find('above', 'clients', searching)).toBe('foreignKey')
    expect(searching.tables.get(keyOf({ schema: 'shown', name: 'above' }))?.keyColumns).toEqual([
      'id',
    ])
  })

  it('provides no junction tables', () => {
    expect(find('users', 'tasks')).toBe('PGRST200')
  })

  it('registers exposed tables that its junctions join, but not a table that only references it', () => {
    const isKnown = (name: string) => cache.relationships.has(keyOf({ schema: 'shown', name }))
    expect(['tasks', 'orders', 'lone'].map(isKnown)).toEqual([true, true, false])
  })

  it('provides no computed relationships', () => {
    expect(find('users', 'friends')).toBe('computed')
    expect(find('users', 'enemies')).toBe('PGRST200')
    expect(find('users', 'enemies', searching)).toBe('PGRST200')
  })

  it('offers no GeoJSON for a function that is only named like PostGIS’s', () => {
    expect(cache.hasGeoJson).toBe(false)
  })
})

describe('a column of bits', () => {
  it('has the number of bits as its length', () => {
    const users = cache.tables.get(keyOf({ schema: 'shown', name: 'users' }))
    expect(users?.columns.get('age')?.maxLength).toBe(3)
  })
})
