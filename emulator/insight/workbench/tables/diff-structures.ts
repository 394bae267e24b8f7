// Compares the structures of two projects, such as a template and its tenant, object by object.
import type { StructureDiff } from '../../../contract/tables.ts'
import { type JsonValue, stableStringify } from '../../../core/json.ts'
import { isLedger, LEDGER_TABLE, type SchemaName } from '../../../core/names.ts'
import type { ColumnRecord } from '../../../database/catalog/relations.ts'
import type { Engine } from '../../../database/engine.ts'
import { renameStructure } from '../../../database/template/rename-structure.ts'
import { loadStructure, type SchemaStructure } from '../../../database/template/structure.ts'

export type Difference = StructureDiff['differences'][number]

/** Compares without schema names, rows and the platform's `auth_*` tables. @throws {SqlError} */
export async function diffStructures(
  engine: Engine,
  here: SchemaName,
  there: SchemaName,
): Promise<StructureDiff> {
  const [ours, theirs] = [await loadStructure(engine, here), await loadStructure(engine, there)]
  return { differences: differencesOf(ours, theirs) }
}

/** An object of a structure, as one line or one SQL statement. */
interface Described {
  readonly object: string
  readonly name: string
  readonly text: string
}

/** Returns the differences of two structures, seen from `here`. Leaves out the table of applied migrations. */
export function differencesOf(
  here: SchemaStructure,
  there: SchemaStructure,
): readonly Difference[] {
  const ours = described(here)
  const theirs = described(renameStructure(there, here.schemaName))
  const keys = [...new Set([...ours.keys(), ...theirs.keys()])]
  return keys.flatMap((key) => {
    const [own, other] = [ours.get(key), theirs.get(key)]
    const either = own ?? other
    if (either === undefined || own?.text === other?.text) return []
    const { object, name } = either
    const kind = own === undefined ? 'missing' : other === undefined ? 'extra' : 'different'
    return [{ kind, object, name, here: own?.text ?? null, there: other?.text ?? null }]
  })
}

const OBJECTS = {
  collations: 'collation',
  conversions: 'conversion',
  dictionaries: 'text search dictionary',
  configurations: 'text search configuration',
  types: 'type',
  sequences: 'sequence',
  routines: 'function',
  operators: 'operator',
  casts: 'cast',
  constraints: 'constraint',
  indexes: 'index',
  statistics: 'statistics',
  triggers: 'trigger',
  rules: 'rule',
  policies: 'policy',
  grants: 'grant',
  defaultPrivileges: 'default privileges',
  comments: 'comment',
} as const satisfies Partial<Record<keyof SchemaStructure, string>>

function described(structure: SchemaStructure): ReadonlyMap<string, Described> {
  const all = new Map<string, Described>()
  const add = (key: string, object: string, name: string, text: string) => {
    all.set(key, { object, name: bare(name, structure), text })
  }
  for (const relation of structure.relations) {
    const { key, name, kind, columns, ...rest } = relation
    if (isLedger(name)) continue
    add(key, RELATIONS[kind], name, rest.query ?? facts(rest))
    // A view's query determines its columns, so they are not compared.
    if (kind === 'view' || kind === 'materialized') continue
    for (const column of columns)
      add(`column:${name}.${column.name}`, 'column', `${name}.${column.name}`, columnText(column))
  }
  for (const [section, object] of Object.entries(OBJECTS))
    for (const record of structure[section as keyof typeof OBJECTS]) {
      if (isOfLedger(record)) continue
      const { key, ...rest } = record
      const at = key.indexOf(':')
      add(`${object} ${key}`, object, key.slice(at + 1), definitionOf(rest))
    }
  if (structure.schemaComment !== undefined)
    add('schema comment', 'comment', 'schema', structure.schemaComment)
  return all
}

const LEDGER_OBJECT = new RegExp(`[ .]${LEDGER_TABLE}(?:\\.|$)`)

function isOfLedger(record: object): boolean {
  const { object = '', table = '' } = record as {
    readonly table?: string
    readonly object?: string
  }
  return isLedger(table) || LEDGER_OBJECT.test(object)
}

const RELATIONS = {
  table: 'table',
  partitioned: 'table',
  view: 'view',
  materialized: 'materialized view',
} as const

function bare(name: string, { schemaName }: SchemaStructure): string {
  return name.replaceAll(`${schemaName}.`, '')
}

function columnText({ type, notNull, expression, generated, identity }: ColumnRecord): string {
  const value =
    expression === undefined
      ? ''
      : generated === undefined
        ? ` default ${expression}`
        : ` generated always as (${expression}) ${generated}`
  const counter =
    identity === undefined
      ? ''
      : ` generated ${identity.always ? 'always' : 'by default'} as identity`
  return `${type}${notNull === undefined ? '' : ' not null'}${value}${counter}`
}

/** Returns the object's SQL statement, or its other members as JSON. */
function definitionOf(record: object): string {
  const { definition, ...rest } = record as { readonly definition?: string }
  const others = facts(rest)
  if (definition === undefined) return others
  return hasMore(rest) ? `${definition} ${others}` : definition
}

// Default values of members. The text of an object leaves out members with these values.
const ORDINARY: Readonly<Record<string, JsonValue>> = {
  clustered: false,
  validated: true,
  local: true,
  firing: 'origin',
}
const NAMING = new Set(['name', 'table', 'kind', 'signature'])

function hasMore(record: object): boolean {
  return Object.entries(record).some(
    ([name, value]) => !NAMING.has(name) && ORDINARY[name] !== value,
  )
}

function facts(record: object): string {
  // The catalogue's queries return JSON records, so the cast is safe.
  return stableStringify({ ...record } as unknown as JsonValue)
}
