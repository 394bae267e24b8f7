// Describes relations and functions as Swagger 2.0 schemas (PostgREST, "OpenAPI"). Pure.
import { type JsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import {
  type Column,
  keyOf,
  type Relationship,
  type Routine,
  type RoutineParameter,
  type SchemaCache,
  type Table,
} from '../schema-cache/schema-cache.ts'

const TYPES: Readonly<Record<string, string | undefined>> = {
  boolean: 'boolean',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  numeric: 'number',
  real: 'number',
  'double precision': 'number',
  json: undefined,
  jsonb: undefined,
}

const FORMATS: Readonly<Record<string, string>> = {
  smallint: 'int32',
  integer: 'int32',
  bigint: 'int64',
}

/** Schema of one row of a relation. */
export function definitionOf(cache: SchemaCache, table: Table): JsonObject {
  const columns = [...table.columns.values()]
  const relationships = cache.relationships.get(keyOf(table)) ?? []
  return {
    type: 'object',
    ...present('description', table.comment),
    ...propertiesOf(
      columns.map((column) => [column.name, columnSchema(table, relationships, column)]),
    ),
    ...requiredOf(columns.filter(({ isNullable }) => !isNullable)),
  }
}

/** Schema of the request body that calls a function. */
export function argumentsSchema({ parameters, comment }: Routine): JsonObject {
  return {
    type: 'object',
    ...present('description', comment),
    ...propertiesOf(parameters.map(({ name, type }) => [name, typeSchema(type)])),
    ...requiredOf(parameters.filter(({ isRequired }) => isRequired)),
  }
}

/** Describes a function's argument as a query parameter. In the query string, arrays and JSON values are text. */
export function argumentParameter(parameter: RoutineParameter): JsonObject {
  const { name, type, isRequired, isVariadic } = parameter
  const own = swaggerType(type)
  const start = { name, in: 'query', required: isRequired }
  if (!isVariadic)
    return {
      ...start,
      type: own === undefined || own === 'array' ? 'string' : own,
      format: formatOf(type),
    }
  const item = elementOf(type)
  return {
    ...start,
    type: own ?? 'string',
    collectionFormat: 'multi',
    items: { ...present('type', swaggerType(item)), format: formatOf(item) },
  }
}

/** Returns an object with one member, or an empty object if `value` is undefined. */
export function present(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value }
}

function columnSchema(
  table: Table,
  relationships: readonly Relationship[],
  column: Column,
): JsonObject {
  const { baseType, maxLength, enumValues, defaultExpression } = column
  return {
    ...typeSchema(baseType),
    ...present('description', descriptionOf(table, relationships, column)),
    ...present('maxLength', maxLength),
    ...(enumValues.length === 0 ? {} : { enum: [...enumValues] }),
    ...present('default', defaultExpression && defaultOf(baseType, defaultExpression)),
  }
}

function descriptionOf(
  table: Table,
  relationships: readonly Relationship[],
  { name, comment }: Column,
): string | undefined {
  const notes = [
    ...(table.keyColumns.includes(name) ? ['This is a Primary Key.<pk/>'] : []),
    ...foreignKeyNote(table.schema, relationships, name),
  ]
  if (notes.length === 0) return comment
  const start = comment === undefined ? '' : `${comment}\n\n`
  return `${start}${['Note:', ...notes].join('\n')}`
}

// Describes a column's foreign key. Names the foreign table rather than a view of this table, and ignores other schemas.
function foreignKeyNote(
  schema: string,
  relationships: readonly Relationship[],
  name: string,
): readonly string[] {
  const targets = relationships.flatMap((each) => {
    if (each.kind === 'computed' || each.cardinality.kind === 'manyToMany') return []
    const { cardinality, foreignTable, isForeignView } = each
    if (foreignTable.schema !== schema) return []
    const isOwn =
      cardinality.kind === 'manyToOne' || (cardinality.kind === 'oneToOne' && !cardinality.isParent)
    const [pair, ...others] = cardinality.columns
    if (!isOwn || pair === undefined || others.length > 0 || pair[0] !== name) return []
    return [{ table: foreignTable.name, column: pair[1], isForeignView }]
  })
  const target = targets.find(({ isForeignView }) => !isForeignView) ?? targets[0]
  if (target === undefined) return []
  const { table, column } = target
  return [
    `This is a Foreign Key to \`${table}.${column}\`.<fk table='${table}' column='${column}'/>`,
  ]
}

function typeSchema(type: string): JsonObject {
  const own = swaggerType(type)
  return {
    ...present('type', own),
    format: formatOf(type),
    ...(own === 'array' ? { items: present('type', swaggerType(elementOf(type))) } : {}),
  }
}

function swaggerType(type: string): string | undefined {
  if (Object.hasOwn(TYPES, type)) return TYPES[type]
  return type.endsWith('[]') ? 'array' : 'string'
}

function formatOf(type: string): string {
  return (Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined) ?? type
}

function elementOf(type: string): string {
  return type.replace(/\[\]$/, '')
}

// Returns a column's default if the default is a constant.
function defaultOf(type: string, expression: string): JsonValue | undefined {
  if (swaggerType(type) !== 'string') return parseJson(expression)
  const cast = `::${type}`
  const isCast = expression.endsWith(cast)
  const value = isCast ? expression.slice(0, -cast.length).replace(/^'+|'+$/g, '') : expression
  return parseJson(`"${value}"`)
}

function propertiesOf(entries: readonly (readonly [string, JsonObject])[]): JsonObject {
  return entries.length === 0 ? {} : { properties: Object.fromEntries(entries) }
}

function requiredOf(named: readonly { readonly name: string }[]): JsonObject {
  return named.length === 0 ? {} : { required: named.map(({ name }) => name) }
}
