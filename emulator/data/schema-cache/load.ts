// Reads a schema's relations and functions out of the catalogue, in one round trip, and puts them into records.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../core/json.ts'
import { cellText, type Engine, type StatementResult } from '../../database/engine.ts'
import { script, verbatim } from '../../database/sql.ts'
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
import { type ForeignKey, relationshipsOf } from './relationships.ts'
import {
  type Column,
  type ColumnPairs,
  type CustomMediaHandler,
  keyOf,
  type Relationship,
  type Routine,
  type RoutineParameter,
  representationKey,
  type SchemaCache,
  type Table,
} from './schema-cache.ts'
import { type ReachedRelation, viewKeysOf } from './view-keys.ts'

// Types and functions are printed with their schema unless it is searched.
const QUALIFY_NAMES = verbatim("set local search_path to ''")

/**
 * Loads what requests to `schemas` can name; views of `extraSearchPath` are looked through for keys (PostgREST, "Recursive
 * Views"). @throws {SqlError}
 */
export async function loadSchemaCache(
  engine: Engine,
  { schemas, extraSearchPath }: SearchedSchemas,
  version: number,
): Promise<SchemaCache> {
  const answers = await engine.admin(
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

/** What of the settings says where names are looked for. */
export type SearchedSchemas = Pick<DataSettings, 'schemas' | 'extraSearchPath'>

const QUERIES = [
  tablesQuery,
  foreignKeysQuery,
  routinesQuery,
  computedRelationshipsQuery,
  viewsQuery,
  mediaHandlersQuery,
]

// What a hidden junction joins to something of its own schema.
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

// Such a relation is known to have relationships, of which none is shown.
function withKnown(
  shown: ReadonlyMap<string, readonly Relationship[]>,
  related: readonly QualifiedName[],
): ReadonlyMap<string, readonly Relationship[]> {
  return new Map([...related.map((name) => [keyOf(name), []] as const), ...shown])
}

// A key between two schemas, or a relation below views of two, is told twice.
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

function reachedOf(record: JsonObject): ReachedRelation {
  return {
    schema: text(record['schema']),
    name: text(record['name']),
    oid: text(record['oid']),
    columns: new Map(pairs(record['columns'])),
    keyColumns: texts(record['keyColumns']),
    rule: optionalText(record['rule']),
  }
}

function mediaHandlerOf(record: JsonObject): CustomMediaHandler {
  const target = optionalText(record['target'])
  return {
    routine: { schema: text(record['schema']), name: text(record['name']) },
    target:
      target === undefined ? undefined : { schema: text(record['targetSchema']), name: target },
    mediaType: text(record['mediaType']),
  }
}

function representationOf(record: JsonObject): readonly [string, string] {
  const key = representationKey(text(record['source']), text(record['target']))
  return [key, text(record['routine'])]
}

function tableOf(schema: string, record: JsonObject): Table {
  const isBase = record['isBase'] === true
  // Bits of pg_relation_is_updatable: 4 update, 8 insert, 16 delete.
  const events = Number(record['updatable'] ?? 0)
  const columns = objects(record['columns']).map(columnOf)
  return {
    schema,
    name: text(record['name']),
    comment: optionalText(record['comment']),
    isView: record['isView'] === true,
    isInsertable: isBase || (events & 8) !== 0,
    isUpdatable: isBase || (events & 4) !== 0,
    isDeletable: isBase || (events & 16) !== 0,
    keyColumns: texts(record['keyColumns']),
    columns: new Map(columns.map((column) => [column.name, column])),
  }
}

function columnOf(record: JsonObject): Column {
  const maxLength = record['maxLength']
  return {
    name: text(record['name']),
    comment: optionalText(record['comment']),
    isNullable: record['isNullable'] === true,
    baseType: text(record['baseType']),
    type: text(record['type']),
    maxLength: typeof maxLength === 'number' ? maxLength : undefined,
    defaultExpression: optionalText(record['defaultExpression']),
    enumValues: texts(record['enumValues']),
  }
}

function foreignKeyOf(record: JsonObject): ForeignKey {
  return {
    constraint: text(record['constraint']),
    table: { schema: text(record['schema']), name: text(record['table']) },
    foreignTable: { schema: text(record['foreignSchema']), name: text(record['foreignTable']) },
    columns: pairs(record['columns']),
    isUnique: record['isUnique'] === true,
  }
}

function computedOf(record: JsonObject): Extract<Relationship, { kind: 'computed' }> {
  const table = { schema: text(record['tableSchema']), name: text(record['table']) }
  const foreignTable = { schema: text(record['foreignSchema']), name: text(record['foreignTable']) }
  return {
    kind: 'computed',
    routine: { schema: text(record['schema']), name: text(record['name']) },
    table,
    foreignTable,
    isSelf: keyOf(table) === keyOf(foreignTable),
    isToOne: record['isToOne'] === true,
  }
}

const SINGLE_UNNAMED = new Set(['bytea', 'json', 'jsonb', 'text', 'xml'])

// Arguments are passed by name, but for a single one of a type a body can have.
function isCallable(record: JsonObject): boolean {
  const parameters = objects(record['parameters'])
  if (record['hasNames'] === true || parameters.length === 0) return true
  return parameters.length === 1 && SINGLE_UNNAMED.has(text(parameters[0]?.['type']))
}

function routineOf(schema: string, record: JsonObject): Routine {
  const required = Number(record['required'] ?? 0)
  return {
    schema,
    name: text(record['name']),
    oid: text(record['oid']),
    comment: optionalText(record['comment']),
    parameters: objects(record['parameters']).map((one, index) =>
      parameterOf(one, index < required),
    ),
    returns: {
      isSet: record['isSet'] === true,
      kind: record['isComposite'] === true ? 'composite' : 'scalar',
      type: { schema: text(record['returnSchema']), name: text(record['returnName']) },
      isDomain: record['isDomain'] === true,
    },
    volatility: volatilityOf(record['volatility']),
    hasVariadic: record['hasVariadic'] === true,
    settings: texts(record['settings']).map(settingOf),
  }
}

// The order in which PGRST203 lists them: fewer parameters first, then what is said of them, then their names and types.
function compareOverloads(first: Routine, second: Routine): number {
  const [left, right] = [overloadKey(first), overloadKey(second)]
  for (const [index, part] of left.entries()) {
    const other = right[index] ?? ''
    if (part !== other) return part < other ? -1 : 1
  }
  return 0
}

function overloadKey({ parameters, comment }: Routine): readonly (string | number)[] {
  return [
    parameters.length,
    comment === undefined ? 0 : 1,
    comment ?? '',
    ...parameters.flatMap(({ name, type }) => [name, type]),
  ]
}

// Lengths are left out, so that a longer value is refused by the function and not by the cast.
const LOOSE_TYPES: Readonly<Record<string, string>> = {
  bit: 'bit varying',
  'bit[]': 'bit varying[]',
  character: 'character varying',
  'character[]': 'character varying[]',
}

function parameterOf(record: JsonObject, isRequired: boolean): RoutineParameter {
  const type = text(record['type'])
  return {
    name: text(record['name']),
    type,
    looseType: LOOSE_TYPES[type] ?? type,
    isRequired,
    isVariadic: record['isVariadic'] === true,
  }
}

function settingOf(setting: string): readonly [string, string] {
  const equals = setting.indexOf('=')
  return [setting.slice(0, equals), setting.slice(equals + 1)]
}

function volatilityOf(value: JsonValue | undefined): Routine['volatility'] {
  if (value === 'i') return 'immutable'
  return value === 's' ? 'stable' : 'volatile'
}

function documentOf(result: StatementResult): readonly JsonObject[] {
  return objects(parseJson(cellText(result.rows[0]?.[0]) ?? '[]'))
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : []
}

function texts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).map(text) : []
}

function pairs(value: JsonValue | undefined): ColumnPairs {
  if (!Array.isArray(value)) return []
  return (value as readonly JsonValue[]).map((pair) => {
    const [own = '', foreign = ''] = texts(pair)
    return [own, foreign] as const
  })
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function optionalText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
