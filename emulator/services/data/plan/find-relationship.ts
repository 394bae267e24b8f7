// Finds the relationship of an embed (PostgREST, "Foreign Key Joins", "Hints"). Pure.
import type { JsonValue } from '../../../core/json.ts'
import { DataError } from '../errors.ts'
import {
  type Cardinality,
  keyOf,
  type Relationship,
  type SchemaCache,
} from '../schema-cache/schema-cache.ts'
import { type HintFact, relationshipHint } from './hints.ts'

/**
 * Finds the one relationship from `origin` that matches `target` and `hint`.
 * @throws {DataError} PGRST200 when no relationship matches, PGRST201 when several match.
 */
export function findRelationship(
  cache: SchemaCache,
  schema: string,
  origin: string,
  target: string,
  hint: string | undefined,
): Relationship {
  const known = cache.relationships.get(keyOf({ schema, name: origin })) ?? []
  const candidates = known.filter(
    (relationship) => schemaOf(relationship) === schema && isMeant(relationship, target, hint),
  )
  const [only, ...others] = candidates
  if (only === undefined)
    throw none(
      schema,
      origin,
      target,
      hint,
      relationshipHint(cache, { schema, name: origin }, target),
    )
  if (others.length > 0) throw ambiguous(origin, target, candidates)
  return only
}

// A computed relationship belongs to the schema of its function.
function schemaOf(relationship: Relationship): string {
  return (relationship.kind === 'computed' ? relationship.routine : relationship.foreignTable)
    .schema
}

function isMeant(relationship: Relationship, target: string, hint: string | undefined): boolean {
  if (relationship.kind === 'computed') return target === relationship.routine.name
  const { cardinality, foreignTable, isForeignView } = relationship
  const isTable = target === foreignTable.name
  if (relationship.isSelf) return isMeantSelf(cardinality, isTable, target, hint)
  if (hint !== undefined)
    return (
      isTable &&
      (isConstraint(cardinality, hint) ||
        isColumn(cardinality, hint, 0) ||
        isColumn(cardinality, hint, 1) ||
        isJunction(cardinality, hint))
    )
  return (
    isTable ||
    (!isForeignView && (isConstraint(cardinality, target) || isColumn(cardinality, target, 0)))
  )
}

// A table with a foreign key to itself has two relationships. The table's name selects the child rows, and the column's name
// selects the parent row.
function isMeantSelf(
  cardinality: Cardinality,
  isTable: boolean,
  target: string,
  hint: string | undefined,
): boolean {
  const isToMany = isTable && cardinality.kind === 'oneToMany'
  if (hint !== undefined) return isToMany && isColumn(cardinality, hint, 1)
  return isToMany || (cardinality.kind === 'manyToOne' && isColumn(cardinality, target, 0))
}

function isConstraint(cardinality: Cardinality, name: string): boolean {
  return cardinality.kind !== 'manyToMany' && cardinality.constraint === name
}

// A column's name matches only a foreign key that consists of this one column.
function isColumn(cardinality: Cardinality, name: string, side: 0 | 1): boolean {
  if (cardinality.kind === 'manyToMany' || cardinality.columns.length !== 1) return false
  return cardinality.columns[0]?.[side] === name
}

function isJunction(cardinality: Cardinality, name: string): boolean {
  return cardinality.kind === 'manyToMany' && cardinality.junction.table.name === name
}

function none(
  schema: string,
  origin: string,
  target: string,
  hint: string | undefined,
  guess: HintFact,
): DataError {
  const searched = hint === undefined ? `${target}'` : `${target}' using the hint '${hint}'`
  return new DataError(
    'PGRST200',
    `Could not find a relationship between '${origin}' and '${target}' in the schema cache`,
    {
      ...guess,
      details: `Searched for a foreign key relationship between '${origin}' and '${searched} in the schema '${schema}', but no matches were found.`,
    },
  )
}

function ambiguous(origin: string, target: string, candidates: readonly Relationship[]): DataError {
  // PostgREST's hint has an empty entry for a computed relationship.
  const hints = candidates.map((relationship) => {
    if (relationship.kind === 'computed') return ''
    const { cardinality, foreignTable } = relationship
    const name =
      cardinality.kind === 'manyToMany' ? cardinality.junction.table.name : cardinality.constraint
    return `'${foreignTable.name}!${name}'`
  })
  return new DataError(
    'PGRST201',
    `Could not embed because more than one relationship was found for '${origin}' and '${target}'`,
    {
      details: candidates.map(describe),
      hint: `Try changing '${target}' to one of the following: ${hints.join(', ')}. Find the desired relationship in the 'details' key.`,
    },
  )
}

const WIRE_NAME: Readonly<Record<Cardinality['kind'], string>> = {
  oneToMany: 'one-to-many',
  manyToOne: 'many-to-one',
  oneToOne: 'one-to-one',
  manyToMany: 'many-to-many',
}

function describe(relationship: Relationship): JsonValue {
  if (relationship.kind === 'computed') return {}
  const { cardinality, table, foreignTable } = relationship
  return {
    cardinality: WIRE_NAME[cardinality.kind],
    embedding: `${table.name} with ${foreignTable.name}`,
    relationship: pathOf(cardinality, table.name, foreignTable.name),
  }
}

function pathOf(cardinality: Cardinality, table: string, foreignTable: string): string {
  if (cardinality.kind === 'manyToMany') {
    const { junction } = cardinality
    const source = junction.sourceColumns.map(([, column]) => column).join(', ')
    const target = junction.targetColumns.map(([, column]) => column).join(', ')
    return `${junction.table.name} using ${junction.sourceConstraint}(${source}) and ${junction.targetConstraint}(${target})`
  }
  const own = cardinality.columns.map(([column]) => column).join(', ')
  const foreign = cardinality.columns.map(([, column]) => column).join(', ')
  return `${cardinality.constraint} using ${table}(${own}) and ${foreignTable}(${foreign})`
}
