// Decides which changed objects Postgres can alter in place; all others are dropped and created again. Pure.
import type { PolicyRecord } from '../catalog/attached.ts'
import type { RelationRecord } from '../catalog/relations.ts'
import type { RoutineRecord, TypeRecord } from '../catalog/types.ts'
import { quoteLiteral } from '../sql.ts'
import { plainIdentifier } from './local-names.ts'
import { isTable, mentions, type Objects, type SchemaObject, textOf } from './objects.ts'

/** Whether statements can turn `before` into `after` without dropping the object. */
export function canAlter(
  before: SchemaObject,
  after: SchemaObject,
  to: Objects,
  from: Objects,
): boolean {
  if (before.section !== after.section) return false
  switch (after.section) {
    case 'relations':
      return canAlterRelation(recordOf(before, after), after.record)
    case 'types':
      return canAlterType(recordOf(before, after), after.record, () =>
        usesNewLabel(recordOf(before, after), after.record, from, to),
      )
    case 'routines':
      return canReplaceRoutine(recordOf(before, after), after.record)
    case 'policies':
      return canAlterPolicy(recordOf(before, after), after.record)
    case 'constraints': {
      const { definition, local, validated } = recordOf(before, after)
      // Postgres adds and drops an inherited check together with the parent's check. But a table that joins a parent must already
      // have the check, so the check is kept.
      const isMoved = local !== after.record.local && !joinsParent(after.record.table, from, to)
      if (after.record.kind === 'check' && isMoved) return false
      return (
        definition === after.record.definition ||
        (!validated && definition.replace(/ NOT VALID$/, '') === after.record.definition)
      )
    }
    case 'indexes':
    case 'statistics':
    case 'triggers':
    case 'rules':
      return recordOf(before, after).definition === after.record.definition
    case 'sequences':
    case 'defaults':
      return true
    default:
      return false
  }
}

/** Whether the table gets a parent that it did not have before. */
export function joinsParent(table: string, from: Objects, to: Objects): boolean {
  const before = from.relation(table)?.parents ?? []
  return to.relation(table)?.parents?.some((parent) => !before.includes(parent)) === true
}

// The cast is safe, because the caller has checked that both objects have the same section.
export function recordOf<O extends SchemaObject>(before: SchemaObject, _after: O): O['record'] {
  return before.record as O['record']
}

/** Whether Postgres can alter the table or view in place. A partition key and the types of its columns cannot change. */
export function canAlterRelation(before: RelationRecord, after: RelationRecord): boolean {
  if (isTable(before) && isTable(after))
    return (
      before.kind === after.kind &&
      before.partitionKey === after.partitionKey &&
      keyTypes(before) === keyTypes(after)
    )
  return before.kind === 'view' && after.kind === 'view' && extendsColumns(before, after)
}

function keyTypes({ columns, partitionKey = '' }: RelationRecord): string {
  return columns
    .filter(({ name }) => mentions(partitionKey, plainIdentifier(name)))
    .map(({ name, type }) => `${name} ${type}`)
    .sort()
    .join()
}

/** `create or replace view` may only add columns at the end. */
function extendsColumns(before: RelationRecord, after: RelationRecord): boolean {
  return before.columns.every((column, index) => {
    const other = after.columns[index]
    return (
      other?.name === column.name &&
      other.type === column.type &&
      other.collation === column.collation
    )
  })
}

function canAlterType(before: TypeRecord, after: TypeRecord, usesLabel: () => boolean): boolean {
  if (before.labels !== undefined && after.labels !== undefined)
    return isSubsequence(before.labels, after.labels) && !usesLabel()
  if (before.domain !== undefined && after.domain !== undefined)
    return (
      before.domain.base === after.domain.base && before.domain.collation === after.domain.collation
    )
  if (before.attributes === undefined || after.attributes === undefined) return false
  const names = new Map(after.attributes.map((attribute) => [attribute.name, textOf(attribute)]))
  const kept = before.attributes.filter(({ name }) => names.has(name))
  return kept.every(
    (attribute, index) => textOf(attribute) === textOf(after.attributes?.[index] ?? {}),
  )
}

export function isSubsequence(short: readonly string[], long: readonly string[]): boolean {
  let at = 0
  for (const member of long) if (member === short[at]) at += 1
  return at === short.length
}

/** Postgres refuses to use a value of an enum in the transaction that adds it. */
function usesNewLabel(before: TypeRecord, after: TypeRecord, from: Objects, to: Objects): boolean {
  const added = (after.labels ?? []).filter((label) => !before.labels?.includes(label))
  const quoted = added.map((label) => JSON.stringify(quoteLiteral(label).trim()).slice(1, -1))
  return [...to.byKey.values()].some(
    ({ key, text, section }) =>
      section !== 'types' &&
      from.byKey.get(key)?.text !== text &&
      quoted.some((label) => text.includes(label) || text.includes(label.replaceAll('\\\\', '\\'))),
  )
}

/** Whether `create or replace` can replace the routine. This statement cannot change the result type and the parameters. */
function canReplaceRoutine(before: RoutineRecord, after: RoutineRecord): boolean {
  const header = ({ definition }: RoutineRecord) => definition?.split('\n LANGUAGE ')[0]
  return (
    before.kind === after.kind &&
    before.definition !== undefined &&
    header(before) === header(after)
  )
}

/** `alter policy` can neither change the command nor remove an expression. */
function canAlterPolicy(before: PolicyRecord, after: PolicyRecord): boolean {
  return (
    before.command === after.command &&
    before.permissive === after.permissive &&
    (before.using === undefined || after.using !== undefined) &&
    (before.check === undefined || after.check !== undefined)
  )
}
