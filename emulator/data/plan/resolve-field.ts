// Names in a request to fields with what the schema cache knows of their types (PostgREST, "Domain Representations",
// "JSON Columns", "Full-Text Search"). Pure.
import type { Field, Operation } from '../request/api-request.ts'
import {
  type Column,
  keyOf,
  representationKey,
  type SchemaCache,
  type Table,
} from '../schema-cache/schema-cache.ts'
import type { QualifiedName } from '../settings.ts'
import type { PlannedField } from './plan.ts'

/** A field of which nothing but the name is known. */
export function unknownField(name: string): PlannedField {
  return {
    name,
    path: [],
    toJson: false,
    textSearch: undefined,
    type: '',
    transform: undefined,
    defaultExpression: undefined,
    isWholeRow: false,
  }
}

export function fieldOfColumn(column: Column): PlannedField {
  return {
    ...unknownField(column.name),
    type: column.type,
    defaultExpression: column.defaultExpression,
  }
}

/** A field whose value is wanted as it is: ordered by, or grouped. */
export function resolveField(cache: SchemaCache, table: QualifiedName, field: Field): PlannedField {
  return resolve(cache.tables.get(keyOf(table)), field, undefined)
}

/** A field that goes into the body. */
export function resolveOutput(
  cache: SchemaCache,
  table: QualifiedName,
  field: Field,
): PlannedField {
  return asOutput(cache, resolveField(cache, table, field))
}

/** The field as it appears in JSON. */
export function asOutput(cache: SchemaCache, field: PlannedField): PlannedField {
  return transformed(cache, field, field.type, 'json')
}

/** A field compared with a value out of the query string. */
export function resolveFiltered(
  cache: SchemaCache,
  table: QualifiedName,
  field: Field,
  operation: Operation,
): PlannedField {
  const textSearch = operation.kind === 'textSearch' ? { language: operation.language } : undefined
  const resolved = resolve(cache.tables.get(keyOf(table)), field, textSearch)
  return transformed(cache, resolved, 'text', resolved.type)
}

/** A column written from the body; `undefined` when the table has none of that name. */
export function resolveInput(
  cache: SchemaCache,
  table: Table,
  name: string,
): PlannedField | undefined {
  const column = table.columns.get(name)
  if (column === undefined) return undefined
  return transformed(cache, fieldOfColumn(column), 'json', column.type)
}

/** Whether any column of the table looks different in JSON. */
export function hasOutputForms(cache: SchemaCache, table: Table): boolean {
  if (cache.representations.size === 0) return false
  return [...table.columns.values()].some((column) =>
    cache.representations.has(representationKey(column.type, 'json')),
  )
}

function resolve(
  table: Table | undefined,
  field: Field,
  textSearch: PlannedField['textSearch'],
): PlannedField {
  const column = table?.columns.get(field.name)
  if (column === undefined) return { ...unknownField(field.name), path: field.path, toJson: true }
  const isJson = column.type === 'json' || column.type === 'jsonb'
  return {
    ...fieldOfColumn(column),
    path: field.path,
    // Converting a column that is JSON already would keep its indexes from being used.
    toJson: !isJson,
    textSearch: column.baseType === 'tsvector' ? undefined : textSearch,
  }
}

function transformed(
  cache: SchemaCache,
  field: PlannedField,
  sourceType: string,
  targetType: string,
): PlannedField {
  if (cache.representations.size === 0) return field
  const transform = cache.representations.get(representationKey(sourceType, targetType))
  return transform === undefined ? field : { ...field, type: sourceType, transform }
}
