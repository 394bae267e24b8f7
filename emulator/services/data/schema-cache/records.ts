// Decodes the catalogue's JSON documents. The decoders never throw: an unexpected document becomes an empty record.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { cellText, type StatementResult } from '../../../database/engine.ts'
import type { ForeignKey } from './relationships.ts'
import {
  type Column,
  type ColumnPairs,
  type CustomMediaHandler,
  keyOf,
  type Relationship,
  type Routine,
  type RoutineParameter,
  representationKey,
  type Table,
} from './schema-cache.ts'
import type { ReachedRelation } from './view-keys.ts'

/** Decodes a view, or a relation that a view reads. */
export function reachedOf(record: JsonObject): ReachedRelation {
  return {
    schema: text(record['schema']),
    name: text(record['name']),
    oid: text(record['oid']),
    columns: new Map(pairs(record['columns'])),
    keyColumns: texts(record['keyColumns']),
    rule: optionalText(record['rule']),
  }
}

/** Decodes a media type handler. */
export function mediaHandlerOf(record: JsonObject): CustomMediaHandler {
  const target = optionalText(record['target'])
  return {
    routine: { schema: text(record['schema']), name: text(record['name']) },
    target:
      target === undefined ? undefined : { schema: text(record['targetSchema']), name: target },
    mediaType: text(record['mediaType']),
  }
}

/** Decodes a cast between a domain and JSON or text: its key in `representations`, and the name of its function. */
export function representationOf(record: JsonObject): readonly [string, string] {
  const key = representationKey(text(record['source']), text(record['target']))
  return [key, text(record['routine'])]
}

/** Decodes a relation with its columns. */
export function tableOf(schema: string, record: JsonObject): Table {
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

/** Decodes a foreign key. */
export function foreignKeyOf(record: JsonObject): ForeignKey {
  return {
    constraint: text(record['constraint']),
    table: { schema: text(record['schema']), name: text(record['table']) },
    foreignTable: { schema: text(record['foreignSchema']), name: text(record['foreignTable']) },
    columns: pairs(record['columns']),
    isUnique: record['isUnique'] === true,
  }
}

/** Decodes a computed relationship. */
export function computedOf(record: JsonObject): Extract<Relationship, { kind: 'computed' }> {
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

/** Whether callers can call the function: all parameters have names, or the only parameter has a type that can hold a body. */
export function isCallable(record: JsonObject): boolean {
  const parameters = objects(record['parameters'])
  if (record['hasNames'] === true || parameters.length === 0) return true
  return parameters.length === 1 && SINGLE_UNNAMED.has(text(parameters[0]?.['type']))
}

export function routineOf(schema: string, record: JsonObject): Routine {
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

/** Sorts the candidates of PGRST203: fewer parameters first, then by comment, then by names and types. */
export function compareOverloads(first: Routine, second: Routine): number {
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

// Maps types to types without a length, so that a value that is too long reaches the function instead of failing at the cast.
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

/** Returns the objects of the JSON array in the first cell. Returns an empty list for any other cell. */
export function documentOf(result: StatementResult): readonly JsonObject[] {
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
