// Converts the parameters and definitions of PostgREST's Swagger 2.0 document to components of OpenAPI 3.1. Pure.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import { percentDecoded } from '../../../core/percent-decoded.ts'
import type { Json } from './json.ts'

export interface Relations {
  /** The rows of each relation, and below `<name>-write` its columns in a write. */
  readonly schemas: Json
  readonly parameters: Json
  /** The member `parameters` of an operation, without its body. */
  parametersOf(given: readonly JsonValue[]): Json
  /** The member `requestBody` of an operation. */
  requestBodyOf(given: readonly JsonValue[], method: string): Json
}

const DEFINITION = '#/definitions/'
const PARAMETER = '#/parameters/'

/**
 * Names a component after a relation or column. Components may have letters, digits, dots, underscores and hyphens; every other
 * character, and the hyphen, becomes its code point between hyphens.
 */
export function nameOf(text: string): string {
  return percentDecoded(text).replace(
    /[^a-zA-Z0-9._]/gu,
    (character) => `-${character.codePointAt(0)?.toString(16)}-`,
  )
}

export function relationsOf(swagger: JsonObject): Relations {
  const shared = new Map(entriesOf(swagger['parameters']))
  const resolve = (given: JsonValue): JsonObject => {
    const target = isJsonObject(given) ? (shared.get(referenceOf(given, PARAMETER)) ?? given) : {}
    return isJsonObject(target) ? target : {}
  }
  return {
    schemas: schemasOf(swagger),
    parameters: Object.fromEntries(
      [...shared].flatMap(([name, parameter]) =>
        isJsonObject(parameter) && parameter['in'] !== 'body'
          ? [[nameOf(name), parameterOf(parameter)]]
          : [],
      ),
    ),
    parametersOf: (given) => {
      const members = new Map<string, Json>()
      // The last parameter of each name wins. So a column named `limit` has no filter: `limit` bounds the page.
      for (const each of withConflict(given)) {
        const parameter = resolve(each)
        const name = referenceOf(each, PARAMETER)
        if (parameter['in'] === 'body') continue
        members.set(
          `${parameter['in']} ${parameter['name']}`,
          name === ''
            ? parameterOf(parameter)
            : { $ref: `#/components/parameters/${nameOf(name)}` },
        )
      }
      return members.size === 0 ? {} : { parameters: [...members.values()] }
    },
    requestBodyOf: (given, method) => {
      const body = given.map(resolve).find((parameter) => parameter['in'] === 'body')
      return body === undefined ? {} : { requestBody: bodyOf(body, method) }
    },
  }
}

function entriesOf(value: JsonValue | undefined): readonly [string, JsonValue][] {
  return isJsonObject(value)
    ? Object.entries(value).map(([name, member]) => [name, member ?? null])
    : []
}

/** Returns the part of a reference after the prefix, or an empty text for any other value. */
function referenceOf(value: JsonValue | undefined, prefix: string): string {
  const reference = isJsonObject(value) ? value['$ref'] : undefined
  return typeof reference === 'string' && reference.startsWith(prefix)
    ? reference.slice(prefix.length)
    : ''
}

// PostgREST's document defines the parameter `on_conflict`, but no operation refers to it.
function withConflict(given: readonly JsonValue[]): readonly JsonValue[] {
  const isUpsert = given.some((each) => referenceOf(each, PARAMETER) === 'preferPost')
  return isUpsert ? [...given, { $ref: `${PARAMETER}on_conflict` }] : given
}

const PARAMETER_MEMBERS = ['name', 'in', 'required', 'description']

// Clients may combine several preferences in one header, but PostgREST's document lists only single preferences.
const PREFER: Json = {
  name: 'Prefer',
  in: 'header',
  description: 'Preferences, separated by commas, such as `return=representation` or `count=exact`',
  schema: { type: 'string' },
}

function parameterOf(parameter: JsonObject): Json {
  if (parameter['name'] === 'Prefer') return PREFER
  const { collectionFormat, ...rest } = parameter
  const members = Object.entries(rest)
  const own = members.filter(([name]) => PARAMETER_MEMBERS.includes(name))
  const schema = Object.fromEntries(members.filter(([name]) => !PARAMETER_MEMBERS.includes(name)))
  return {
    ...Object.fromEntries(own),
    schema: collectionFormat === undefined ? schema : { ...schema, type: 'array' },
  }
}

function bodyOf({ schema, required }: JsonObject, method: string): Json {
  const relation = referenceOf(schema, DEFINITION)
  if (relation === '')
    return { required: required === true, content: { 'application/json': { schema } } }
  const row = { $ref: `#/components/schemas/${nameOf(relation)}-write` }
  const rows = { anyOf: [row, { type: 'array', items: row }] }
  return {
    required: true,
    content: {
      'application/json': { schema: method === 'post' ? rows : row },
    },
  }
}

function schemasOf(swagger: JsonObject): Json {
  const schemas: Record<string, Json> = {}
  for (const [name, definition] of entriesOf(swagger['definitions'])) {
    if (!isJsonObject(definition)) continue
    const { required, ...columns } = withNulls(definition)
    schemas[nameOf(name)] = { ...columns, ...(required !== undefined && { required }) }
    // A write may omit columns that have a default, and columns that an update does not change.
    if (isWritten(swagger, name)) schemas[`${nameOf(name)}-write`] = columns
  }
  return schemas
}

function isWritten({ paths }: JsonObject, name: string): boolean {
  const path = isJsonObject(paths) ? paths[`/${name}`] : undefined
  return isJsonObject(path) && path['post'] !== undefined
}

/** Allows null for every column that PostgREST does not list in `required`. PostgREST lists the columns that are never null. */
function withNulls(definition: JsonObject): JsonObject {
  const { properties, required } = definition
  if (!isJsonObject(properties)) return definition
  const never = new Set(Array.isArray(required) ? (required as readonly JsonValue[]) : [])
  const columns = entriesOf(properties).map(([name, column]) => [
    name,
    never.has(name) || !isJsonObject(column) ? column : nullable(column),
  ])
  return { ...definition, properties: Object.fromEntries(columns) }
}

function nullable(column: JsonObject): JsonObject {
  const { type, enum: values } = column
  return {
    ...column,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(Array.isArray(values) && { enum: [...(values as readonly JsonValue[]), null] }),
  }
}
