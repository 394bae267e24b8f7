// Derives relationships and their cardinality from foreign keys: in both directions, and through junction tables (PostgREST,
// "Resource Embedding"). Pure.
import type { QualifiedName } from '../settings.ts'
import {
  type Cardinality,
  type ColumnPairs,
  isSameName,
  keyOf,
  type Relationship,
  type Table,
} from './schema-cache.ts'

export interface ForeignKey {
  readonly constraint: string
  readonly table: QualifiedName
  readonly foreignTable: QualifiedName
  readonly columns: ColumnPairs
  /** Whether the columns are a primary key or unique, which makes the relationship one-to-one. */
  readonly isUnique: boolean
}

type KeyRelationship = Extract<Relationship, { kind: 'foreignKey' }>
type ComputedRelationship = Extract<Relationship, { kind: 'computed' }>

/**
 * Relationships by the key of their source table. A computed relationship replaces relationships to a table with the same name as
 * the function.
 */
export function relationshipsOf(
  tables: ReadonlyMap<string, Table>,
  foreignKeys: readonly ForeignKey[],
  computed: readonly ComputedRelationship[],
): ReadonlyMap<string, readonly Relationship[]> {
  const isView = (name: QualifiedName) => tables.get(keyOf(name))?.isView === true
  const direct = foreignKeys.map((key) => ({
    ...fromForeignKey(key),
    isView: isView(key.table),
    isForeignView: isView(key.foreignTable),
  }))
  const detected = [...direct, ...direct.map(inverse), ...throughJunctions(tables, direct)]
  const replaced = new Set(computed.map(({ table, routine }) => keyOf(table) + keyOf(routine)))
  const kept = detected.filter(
    ({ table, foreignTable }) => !replaced.has(keyOf(table) + keyOf(foreignTable)),
  )
  const bySource = new Map<string, Relationship[]>()
  for (const relationship of [...kept, ...computed]) {
    const key = keyOf(relationship.table)
    const known = bySource.get(key)
    if (known === undefined) bySource.set(key, [relationship])
    else known.push(relationship)
  }
  for (const list of bySource.values()) list.sort(compare)
  return bySource
}

function fromForeignKey(key: ForeignKey): KeyRelationship {
  const { constraint, columns } = key
  return {
    kind: 'foreignKey',
    table: key.table,
    foreignTable: key.foreignTable,
    isSelf: isSameName(key.table, key.foreignTable),
    cardinality: key.isUnique
      ? { kind: 'oneToOne', constraint, columns, isParent: false }
      : { kind: 'manyToOne', constraint, columns },
    isView: false,
    isForeignView: false,
  }
}

function inverse(relationship: KeyRelationship): KeyRelationship {
  return {
    kind: 'foreignKey',
    table: relationship.foreignTable,
    foreignTable: relationship.table,
    isSelf: relationship.isSelf,
    cardinality: inverseCardinality(relationship.cardinality),
    isView: relationship.isForeignView,
    isForeignView: relationship.isView,
  }
}

function inverseCardinality(cardinality: Cardinality): Cardinality {
  if (cardinality.kind === 'manyToMany') return cardinality
  const { constraint } = cardinality
  const columns = swap(cardinality.columns)
  if (cardinality.kind === 'oneToOne')
    return { kind: 'oneToOne', constraint, columns, isParent: !cardinality.isParent }
  return { kind: cardinality.kind === 'manyToOne' ? 'oneToMany' : 'manyToOne', constraint, columns }
}

// A table is a junction when its primary key includes the columns of two of its foreign keys.
function throughJunctions(
  tables: ReadonlyMap<string, Table>,
  direct: readonly KeyRelationship[],
): KeyRelationship[] {
  const found: KeyRelationship[] = []
  const bySource = Map.groupBy(direct, ({ table }) => keyOf(table))
  for (const [key, list] of bySource) {
    const keyColumns = new Set(tables.get(key)?.keyColumns)
    for (const source of list)
      for (const target of list) {
        const joined = junctionOf(source, target, keyColumns)
        if (joined !== undefined) found.push(joined)
      }
  }
  return found
}

function junctionOf(
  source: KeyRelationship,
  target: KeyRelationship,
  keyColumns: ReadonlySet<string>,
): KeyRelationship | undefined {
  const first = source.cardinality
  const second = target.cardinality
  if (first.kind !== 'manyToOne' || second.kind !== 'manyToOne') return undefined
  if (first.constraint === second.constraint) return undefined
  const own = [...first.columns, ...second.columns].map(([column]) => column)
  if (!own.every((column) => keyColumns.has(column))) return undefined
  return {
    kind: 'foreignKey',
    table: source.foreignTable,
    foreignTable: target.foreignTable,
    isSelf: isSameName(source.foreignTable, target.foreignTable),
    cardinality: {
      kind: 'manyToMany',
      junction: {
        table: source.table,
        sourceConstraint: first.constraint,
        targetConstraint: second.constraint,
        sourceColumns: swap(first.columns),
        targetColumns: swap(second.columns),
      },
    },
    isView: source.isForeignView,
    isForeignView: target.isForeignView,
  }
}

function swap(columns: ColumnPairs): ColumnPairs {
  return columns.map(([own, foreign]) => [foreign, own])
}

const RANK: Readonly<Record<Cardinality['kind'], number>> = {
  oneToMany: 0,
  manyToOne: 1,
  oneToOne: 2,
  manyToMany: 3,
}

// Sorts the candidates of PGRST201 by table, cardinality, constraint and columns, with computed relationships last.
function compare(first: Relationship, second: Relationship): number {
  return compareLists(sortKey(first), sortKey(second))
}

type SortKey = readonly (string | number | SortKey)[]

function compareLists(left: SortKey, right: SortKey): number {
  for (const [index, part] of left.entries()) {
    const other = right[index]
    // If one list starts with the other, the shorter list comes first.
    if (other === undefined) return 1
    if (typeof part === 'object' && typeof other === 'object') {
      const order = compareLists(part, other)
      if (order !== 0) return order
    } else if (part !== other) return part < other ? -1 : 1
  }
  return left.length - right.length
}

function sortKey(relationship: Relationship): SortKey {
  const { foreignTable } = relationship
  const target = [foreignTable.schema, foreignTable.name, relationship.isSelf ? 1 : 0]
  if (relationship.kind === 'computed')
    return [1, relationship.routine.schema, relationship.routine.name, ...target]
  const { cardinality, isView, isForeignView } = relationship
  return [
    0,
    ...target,
    RANK[cardinality.kind],
    ...cardinalityKey(cardinality),
    isView ? 1 : 0,
    isForeignView ? 1 : 0,
  ]
}

function cardinalityKey(cardinality: Cardinality): SortKey {
  if (cardinality.kind !== 'manyToMany') return [cardinality.constraint, cardinality.columns]
  const { table, sourceConstraint, targetConstraint, sourceColumns, targetColumns } =
    cardinality.junction
  return [
    table.schema,
    table.name,
    sourceConstraint,
    targetConstraint,
    sourceColumns,
    targetColumns,
  ]
}
