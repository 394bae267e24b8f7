// Loads a schema's relations and functions from the catalogue in one round trip.
import type { JsonObject } from '../../../core/json.ts'
import { parseSchemaName } from '../../../core/names.ts'
import { cellText, type Engine } from '../../../database/engine.ts'
import { script, verbatim } from '../../../database/sql.ts'
import type { DataSettings, QualifiedName } from '../settings.ts'
import {
  computedRelationshipsQuery,
  foreignKeysQuery,
  geoJsonQuery,
  mediaHandlersQuery,
  representationsQuery,
  routinesQuery,
  tablesQuery,
  viewsQuery,
} from './catalog-queries.ts'
import {
  compareOverloads,
  computedOf,
  documentOf,
  foreignKeyOf,
  isCallable,
  mediaHandlerOf,
  reachedOf,
  representationOf,
  routineOf,
  tableOf,
} from './records.ts'
import { type ForeignKey, relationshipsOf } from './relationships.ts'
import {
  type CustomMediaHandler,
  keyOf,
  type Relationship,
  type Routine,
  type SchemaCache,
  type Table,
} from './schema-cache.ts'
import { type ReachedRelation, viewKeysOf } from './view-keys.ts'

// With an empty search path, Postgres prints types and functions with their schema.
const QUALIFY_NAMES = verbatim("set local search_path to ''")

/**
 * Loads all objects that requests to `schemas` can name. Views in `extraSearchPath` also get primary and foreign keys (PostgREST,
 * "Recursive Views").
 * @throws {SqlError}
 */
export async function loadSchemaCache(
  engine: Engine,
  { schemas, extraSearchPath }: SearchedSchemas,
  version: number,
): Promise<SchemaCache> {
  const answers = await engine.admin(
    parseSchemaName(schemas[0] ?? '') ?? 'cluster',
    script([
      QUALIFY_NAMES,
      representationsQuery(),
      geoJsonQuery(),
      ...schemas.flatMap((schema) => QUERIES.map((query) => query(schema))),
    ]),
  )
  const [representations, geoJson, ...results] = answers.filter(
    (answer) => answer.fields.length > 0,
  )
  const loaded = schemas.map((schema, index) => {
    const start = index * QUERIES.length
    return readSchema(schema, results.slice(start, start + QUERIES.length).map(documentOf))
  })
  const keys = keysOf(loaded, new Set([...schemas, ...extraSearchPath]))
  const tables = new Map(
    loaded
      .flatMap((part) => part.tables)
      .map((table) => [
        keyOf(table),
        { ...table, keyColumns: keys.primaryKeys.get(keyOf(table)) ?? table.keyColumns },
      ]),
  )
  const exposed = new Set(schemas)
  const isExposed = (name: QualifiedName) => exposed.has(name.schema)
  const foreignKeys = keys.foreignKeys.filter(
    (key) => isExposed(key.table) && isExposed(key.foreignTable),
  )
  const computed = loaded
    .flatMap((part) => part.computed)
    .filter((one) => isExposed(one.foreignTable))
  return {
    version,
    tables,
    relationships: withKnown(
      relationshipsOf(tables, foreignKeys, computed),
      joinedUnseen(keys.foreignKeys.filter((key) => !isExposed(key.table))).filter(isExposed),
    ),
    routines: Map.groupBy(loaded.flatMap((part) => part.routines).sort(compareOverloads), keyOf),
    representations: new Map(
      (representations === undefined ? [] : documentOf(representations)).map(representationOf),
    ),
    mediaHandlers: loaded.flatMap((part) => part.mediaHandlers),
    hasGeoJson: cellText(geoJson?.rows[0]?.[0]) !== '0',
  }
}

export type SearchedSchemas = Pick<DataSettings, 'schemas' | 'extraSearchPath'>

const QUERIES = [
  tablesQuery,
  foreignKeysQuery,
  routinesQuery,
  computedRelationshipsQuery,
  viewsQuery,
  mediaHandlersQuery,
]

// Tables that are related only through a junction in a schema that is not exposed.
function joinedUnseen(foreignKeys: readonly ForeignKey[]): readonly QualifiedName[] {
  return [...Map.groupBy(foreignKeys, ({ table }) => keyOf(table)).values()].flatMap((keys) =>
    keys
      .filter(({ constraint, foreignTable }) =>
        keys.some(
          (other) =>
            other.constraint !== constraint && other.foreignTable.schema === foreignTable.schema,
        ),
      )
      .map(({ foreignTable }) => foreignTable),
  )
}

// Adds an empty list for each related table whose relationships are all in hidden schemas.
function withKnown(
  shown: ReadonlyMap<string, readonly Relationship[]>,
  related: readonly QualifiedName[],
): ReadonlyMap<string, readonly Relationship[]> {
  return new Map([...related.map((name) => [keyOf(name), []] as const), ...shown])
}

// Removes duplicates. Two schemas both list a foreign key between them, and a relation that views of both schemas read.
function keysOf(loaded: readonly LoadedSchema[], searched: ReadonlySet<string>) {
  const foreignKeys = new Map(
    loaded
      .flatMap((part) => part.foreignKeys)
      .map((key) => [`${keyOf(key.table)}\0${key.constraint}`, key]),
  )
  const relations = new Map(
    loaded.flatMap((part) => part.reached).map((relation) => [relation.oid, relation]),
  )
  return viewKeysOf([...relations.values()], [...foreignKeys.values()], searched)
}

interface LoadedSchema {
  readonly tables: readonly Table[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly routines: readonly Routine[]
  readonly computed: readonly Extract<Relationship, { kind: 'computed' }>[]
  readonly reached: readonly ReachedRelation[]
  readonly mediaHandlers: readonly CustomMediaHandler[]
}

function readSchema(schema: string, documents: readonly (readonly JsonObject[])[]): LoadedSchema {
  const [tables = [], foreignKeys = [], routines = [], computed = [], reached = [], handlers = []] =
    documents
  return {
    tables: tables.map((record) => tableOf(schema, record)),
    foreignKeys: foreignKeys.map(foreignKeyOf),
    routines: routines.filter(isCallable).map((record) => routineOf(schema, record)),
    computed: computed.map(computedOf),
    reached: reached.map(reachedOf),
    mediaHandlers: handlers.map(mediaHandlerOf),
  }
}
