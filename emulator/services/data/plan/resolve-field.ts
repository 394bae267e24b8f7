// Resolves field names of a request to columns, with types from the schema cache (PostgREST, "Domain Representations", "JSON
// Columns", "Full-Text Search"). Pure.
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

/** A field of unknown type. */
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

/** Resolves a field for ordering or grouping. A field for this purpose is not converted. */
export function resolveField(cache: SchemaCache, table: QualifiedName, field: Field): PlannedField {
  return resolve(cache.tables.get(keyOf(table)), field, undefined)
}

/** A field of the response body, with its conversion to JSON. */
export function resolveOutput(
  cache: SchemaCache,
  table: QualifiedName,
  field: Field,
): PlannedField {
  return asOutput(cache, resolveField(cache, table, field))
}

/** Adds the field's conversion to JSON, if its type has one. */
export function asOutput(cache: SchemaCache, field: PlannedField): PlannedField {
  return transformed(cache, field, field.type, 'json')
}

/** A field that a filter compares with a value of the query string. */
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

/** A column to write from the body. Returns `undefined` when the table has no such column. */
export function resolveInput(
  cache: SchemaCache,
  table: Table,
  name: string,
): PlannedField | undefined {
  const column = table.columns.get(name)
  if (column === undefined) return undefined
  return transformed(cache, fieldOfColumn(column), 'json', column.type)
}

/** Whether at least one column of the table has a conversion to JSON. */
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
    // Postgres could not use an index on a JSON column if the expression converted the column to JSON again.
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
