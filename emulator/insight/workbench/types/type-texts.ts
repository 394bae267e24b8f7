// Writes TypeScript types as text: the type of a Postgres value in JSON, and the members of object types. Pure.
import type { TypeFact } from './type-facts.ts'

/** The types that a schema defines, which the generated file contains under their names. */
export interface NamedTypes {
  readonly schemaName: string
  /** All types by oid. */
  readonly types: ReadonlyMap<string, TypeFact>
  /** Tables, views and composite types by name. The row of each table or view is a type, too. */
  readonly rows: ReadonlyMap<string, 'Tables' | 'Views' | 'CompositeTypes'>
}

/** A member of an object type. */
export interface Member {
  readonly name: string
  readonly type: string
  readonly isOptional?: boolean
}

// Types of pg_catalog that Postgres writes as JSON without quotes, and types without values. Postgres writes all other types as
// text, even `oid` (https://github.com/postgres/postgres, src/backend/utils/adt/jsonfuncs.c, json_categorize_type).
const BUILT_IN: Readonly<Record<string, string>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'number',
  json: 'Json',
  jsonb: 'Json',
  void: 'undefined',
  record: 'Record<string, unknown>',
}

/** Returns the TypeScript type of the JSON to which Postgres converts a value. @param oid the oid of the value's type */
export function typeScriptOf(oid: string, named: NamedTypes): string {
  const type = named.types.get(oid)
  if (type === undefined) return 'unknown'
  if (type.element !== null) return arrayOf(typeScriptOf(type.element, named))
  if (type.base !== null) return typeScriptOf(type.base, named)
  if (type.kind === 'c') return rowOf(type, named)
  if (type.hasJsonCast) return 'Json'
  if (type.kind === 'e') return enumOf(type, named)
  const builtIn = type.schema === 'pg_catalog' ? BUILT_IN[type.name] : undefined
  return builtIn ?? (type.kind === 'p' ? 'unknown' : 'string')
}

function enumOf(type: TypeFact, { schemaName }: NamedTypes): string {
  return type.schema === schemaName
    ? `${schemaType(schemaName)}['Enums'][${JSON.stringify(type.name)}]`
    : labelsOf(type)
}

function rowOf(type: TypeFact, named: NamedTypes): string {
  const kind = type.schema === named.schemaName ? named.rows.get(type.name) : undefined
  if (kind === undefined) return `{ ${fieldTypes(type, named).map(memberText).join('; ')} }`
  const own = `${schemaType(named.schemaName)}['${kind}'][${JSON.stringify(type.name)}]`
  return kind === 'CompositeTypes' ? own : `${own}['Row']`
}

function schemaType(schemaName: string): string {
  return `Database[${JSON.stringify(schemaName)}]`
}

/** Returns the fields of a composite type. */
export function fieldTypes(type: TypeFact, named: NamedTypes): readonly Member[] {
  return type.fields.map(({ isNullable, name, type: oid }) => ({
    name,
    type: orNull(typeScriptOf(oid, named), isNullable),
  }))
}

/** Returns the labels of an enum as a union. */
export function labelsOf({ labels }: TypeFact): string {
  return labels.map((label) => JSON.stringify(label)).join(' | ') || 'never'
}

export function arrayOf(type: string): string {
  return `${type.includes(' | ') ? `(${type})` : type}[]`
}

export function orNull(type: string, isNullable: boolean): string {
  return isNullable ? `${type} | null` : type
}

/** Returns the object type whose members are `items`, one on a line. */
export function members<Item extends { readonly name: string }>(
  items: readonly Item[],
  typeOf: (item: Item) => string,
  indent: number,
): string {
  if (items.length === 0) return '{ [_ in never]: never }'
  return block(
    items.map((item) => memberText({ name: item.name, type: typeOf(item) })),
    indent,
  )
}

export function record(fields: readonly Member[], indent: number): string {
  return block(fields.map(memberText), indent)
}

export function block(lines: readonly string[], indent: number): string {
  if (lines.length === 0) return '{}'
  const space = ' '.repeat(indent + 2)
  return `{\n${lines.map((line) => space + line).join('\n')}\n${' '.repeat(indent)}}`
}

export function keyed(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

function memberText({ isOptional = false, name, type }: Member): string {
  return `${keyed(name)}${isOptional ? '?' : ''}: ${type}`
}
