// Helpers that all OpenAPI documents share. Pure.
import { z } from 'zod'

export type Json = Readonly<Record<string, unknown>>

/** Path of schemas in a document. */
export const COMPONENTS = '#/components/schemas/'

/** Describes schemas in their wire form, before zod applies defaults and transformations. */
export const AS_SENT: Pick<z.core.ToJSONSchemaParams, 'io' | 'unrepresentable' | 'override'> = {
  io: 'input',
  unrepresentable: 'any',
  override: ({ jsonSchema }) => leaveOutDefaults(jsonSchema),
}

/** Removes parts that tell a reader nothing: zod adds them to every text with a format, every integer and every record. */
function leaveOutDefaults(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'uuid' || schema.format === 'date-time') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (isAnyText(schema.propertyNames)) delete schema.propertyNames
}

function isAnyText(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"type":"string"}'
}

/** Schemas by the name that they have in the document. */
export type NamedSchemas = z.core.$ZodRegistry<{ id: string }>

/** Converts all named schemas. References among them become references of the document. */
export function componentsOf(named: NamedSchemas): Json {
  const { schemas } = z.toJSONSchema(named, { ...AS_SENT, uri: (id) => COMPONENTS + id })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  )
}

/** The same schema for each media type. */
export function contentOf(types: readonly string[], schema: Json): Json {
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}

/** Converts `GET /projects/:ref/users` to `getProjectsRefUsers`. */
export function operationId(name: string): string {
  const [method = '', ...words] = name.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '')
  return method.toLowerCase() + words.map(capitalized).join('')
}

/** Starts a word with a capital. */
export function capitalized(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`
}

/** Describes the members of a schema as query parameters. */
export function queryParameters(query: z.ZodType): readonly Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, AS_SENT)
  return Object.entries(properties).map(([param, schema]) => ({
    name: param,
    in: 'query',
    required: required.includes(param),
    schema,
  }))
}
