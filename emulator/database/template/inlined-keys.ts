// Chooses the defaults and constraints that `create table` contains. This saves statements, and Postgres checks no rows for a
// foreign key of a new table. Called by plan-units.ts. Pure.
import type { ColumnRecord, RelationRecord } from '../catalog/relations.ts'
import { type Need, neighbours } from './cast-needs.ts'
import { isDeclared, isPartition } from './ddl/create-relation.ts'
import type { SchemaStructure } from './structure.ts'

/** The keys of objects that are created before any table and never need one. */
const SELF_CONTAINED = /^(sequence|type|collation|dictionary|configuration):/

type Needs = (key: string) => readonly string[]
type Inlined = ReadonlyMap<string, string>

export function defaultKey(relation: RelationRecord, column: ColumnRecord): string {
  return `default:${relation.name}.${column.name}`
}

/**
 * Returns the keys of the defaults and constraints to write inside `create table`, with their table's key. Defaults and
 * constraints that call a function of the schema are left out, because the function may need the table.
 * @param edges which object needs which, by key
 * @param withForeignKeys false leaves all foreign keys out
 */
export function inlinedKeys(
  structure: SchemaStructure,
  edges: readonly Need[],
  withForeignKeys: boolean,
): Inlined {
  const needs = neighbours(edges)
  const own = ownKeys(structure, needs)
  if (!withForeignKeys) return own
  const inlined = new Map(own)
  const candidates = foreignKeys(structure, needs, own)
  const componentOf = componentsOf([
    ...edges.map(({ from, to }) => [own.get(from) ?? from, own.get(to) ?? to] as const),
    ...candidates.flatMap(({ table, targets }) =>
      targets.map((target) => [table, target] as const),
    ),
  ])
  const isAcyclic = (table: string, target: string) =>
    table === target || componentOf(table) !== componentOf(target)
  for (const { key, table, targets } of candidates)
    if (targets.every((target) => isAcyclic(table, target))) inlined.set(key, table)
  return inlined
}

/** The defaults and constraints that need no other table. */
function ownKeys({ constraints, relations }: SchemaStructure, needs: Needs): Inlined {
  const inlined = new Map<string, string>()
  const isSelfContained = (key: string, table: string) =>
    needs(key).every((need) => need === table || SELF_CONTAINED.test(need))
  const tables = new Map(
    relations.flatMap((table) => (isTable(table) ? [[table.name, table] as const] : [])),
  )
  for (const table of tables.values())
    for (const column of table.columns) {
      const key = defaultKey(table, column)
      const plain =
        column.expression !== undefined &&
        column.generated === undefined &&
        isDeclared(table, column)
      if (plain && isSelfContained(key, table.key)) inlined.set(key, table.key)
    }
  for (const constraint of constraints) {
    const table = tables.get(constraint.table)
    if (table === undefined || constraint.kind === 'foreign' || !constraint.validated) continue
    if (!constraint.local && !isPartition(table)) continue
    if (isSelfContained(constraint.key, table.key)) inlined.set(constraint.key, table.key)
  }
  return inlined
}

interface ForeignKey {
  readonly key: string
  readonly table: string
  /** The tables that the foreign key needs, its own table included. */
  readonly targets: readonly string[]
}

/**
 * The foreign keys between plain tables whose target has the referenced key in its own `create table`. Postgres copies the
 * foreign keys of partitioned tables to partitions, so they are added later.
 */
function foreignKeys(
  { constraints, relations }: SchemaStructure,
  needs: Needs,
  own: Inlined,
): readonly ForeignKey[] {
  const plain = new Map(
    relations
      .filter((relation) => relation.kind === 'table' && !isPartition(relation))
      .map(({ key, name }) => [name, key]),
  )
  const plainKeys = new Set(plain.values())
  return constraints.flatMap(({ key, kind, local, table: name, validated }) => {
    const table = plain.get(name)
    if (table === undefined || kind !== 'foreign' || !validated || !local) return []
    const targets = needs(key).map((need) => own.get(need) ?? need)
    return targets.every((target) => plainKeys.has(target)) ? [{ key, table, targets }] : []
  })
}

function isTable(relation: RelationRecord): boolean {
  return relation.kind === 'table' || relation.kind === 'partitioned'
}

// Finds the cycles of a directed graph: its strongly connected components (Tarjan, "Depth-first search and linear graph
// algorithms", 1972). Pure.

/** Returns a look-up of a node's component. Two nodes have the same component when each can be reached from the other. */
export function componentsOf(
  edges: readonly (readonly [from: string, to: string])[],
): (node: string) => number | undefined {
  const targets = Map.groupBy(edges, ([from]) => from)
  const order = new Map<string, number>()
  const component = new Map<string, number>()
  const open: string[] = []
  /** Returns the lowest order among the open nodes that can be reached from the node. */
  const visit = (node: string): number => {
    const own = order.size
    order.set(node, own)
    open.push(node)
    let lowest = own
    for (const [, target] of targets.get(node) ?? []) {
      const known = order.get(target)
      if (known === undefined) lowest = Math.min(lowest, visit(target))
      else if (!component.has(target)) lowest = Math.min(lowest, known)
    }
    if (lowest === own)
      for (const member of open.splice(open.lastIndexOf(node))) component.set(member, own)
    return lowest
  }
  for (const node of targets.keys()) if (!order.has(node)) visit(node)
  return (node) => component.get(node)
}
