// A schema cache made by hand: clinics and their visits.
import { relationshipsOf } from '../../../../emulator/services/data/schema-cache/relationships.ts'
import {
  type Column,
  keyOf,
  type SchemaCache,
  type Table,
} from '../../../../emulator/services/data/schema-cache/schema-cache.ts'

export function clinicCache(): SchemaCache {
  const tables = new Map(
    [
      table('clinics', { id: 'integer', name: 'text' }),
      table('visits', { id: 'integer', clinic_id: 'integer', note: 'text' }),
    ].map((each) => [keyOf(each), each]),
  )
  const foreignKeys = [
    {
      constraint: 'visits_clinic_id_fkey',
      table: { schema: 'proj_x', name: 'visits' },
      foreignTable: { schema: 'proj_x', name: 'clinics' },
      columns: [['clinic_id', 'id']] as const,
      isUnique: false,
    },
  ]
  return {
    version: 1,
    tables,
    relationships: relationshipsOf(tables, foreignKeys, []),
    routines: new Map(),
    representations: new Map(),
    mediaHandlers: [],
  }
}

function table(name: string, columns: Readonly<Record<string, string>>): Table {
  return {
    schema: 'proj_x',
    name,
    comment: undefined,
    isView: false,
    isInsertable: true,
    isUpdatable: true,
    isDeletable: true,
    keyColumns: ['id'],
    columns: new Map(Object.entries(columns).map(([key, type]) => [key, column(key, type)])),
  }
}

function column(name: string, type: string): Column {
  return {
    name,
    comment: undefined,
    isNullable: true,
    baseType: type,
    type,
    maxLength: undefined,
    defaultExpression: undefined,
    enumValues: [],
  }
}
