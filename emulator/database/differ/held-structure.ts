// Builds the structure that a step reaches when some changes are held back (hold-back.ts). Pure.
import type { RelationRecord } from '../catalog/relations.ts'
import type { SchemaStructure } from '../template/structure.ts'
import { commentOwners } from './comments.ts'
import { plainIdentifier } from './local-names.ts'
import { isTable, type Objects, objectsOf, SECTIONS } from './objects.ts'

type Column = RelationRecord['columns'][number]

export interface Held {
  readonly from: Objects
  readonly to: Objects
  /** Objects that keep the form of the first structure. */
  readonly old: ReadonlySet<string>
  /** Objects of the second structure that must wait, because they need a change that is held back. */
  readonly waiting: ReadonlySet<string>
  /** Columns that keep the form of the first structure, as `table.column`. */
  readonly columns: ReadonlySet<string>
}

/** Builds the second structure without the changes that are held back. */
export function heldStructure(held: Held): SchemaStructure {
  const [from, to] = [held.from.structure, held.to.structure]
  const section = <One extends { readonly key: string }>(
    before: readonly One[],
    after: readonly One[],
  ): readonly One[] => [
    ...after.filter(({ key }) => !held.old.has(key) && !held.waiting.has(key)),
    ...before.filter(({ key }) => held.old.has(key)),
  ]
  const sections = Object.fromEntries(
    SECTIONS.map((name) => [name, section<{ readonly key: string }>(from[name], to[name])]),
  ) as Pick<SchemaStructure, (typeof SECTIONS)[number]>
  const relations = sections.relations.map((relation) => mixedColumns(held, relation))
  const mixed = {
    ...to,
    ...sections,
    relations,
    dependencies: dependenciesOf(held),
  }
  return { ...mixed, ...extras(held, objectsOf({ ...mixed, comments: [], grants: [] })) }
}

/** Returns the relation of the second structure, whose held-back columns have the form of the first structure. */
function mixedColumns(held: Held, relation: RelationRecord): RelationRecord {
  const before = held.from.relation(relation.name)
  if (before === undefined || !isTable(relation) || held.old.has(relation.key)) return relation
  const isHeld = ({ name }: Column) => held.columns.has(`${relation.name}.${name}`)
  const old = new Map(before.columns.filter(isHeld).map((column) => [column.name, column]))
  const names = new Set(relation.columns.map(({ name }) => name))
  return {
    ...relation,
    columns: [
      ...relation.columns.map(
        (column) => old.get(column.name) ?? withOldDefault(held, relation, column),
      ),
      ...[...old.values()].filter(({ name }) => !names.has(name)),
    ],
  }
}

function withOldDefault(held: Held, { name }: RelationRecord, column: Column): Column {
  if (!held.waiting.has(`default:${name}.${column.name}`)) return column
  const { expression: _new, ...rest } = column
  const before = held.from.relation(name)?.columns.find((old) => old.name === column.name)
  return before?.expression === undefined ? rest : { ...rest, expression: before.expression }
}

function dependenciesOf(held: Held): SchemaStructure['dependencies'] {
  const isOld = (key: string) => held.old.has(key)
  const edges = [
    ...held.to.structure.dependencies.filter(({ from }) => !isOld(from)),
    ...held.from.structure.dependencies.filter(
      ({ from, to }) => isOld(from) || isOld(to) || hasHeldColumn(held, from),
    ),
  ]
  return [...new Map(edges.map((edge) => [edge.key, edge])).values()]
}

function hasHeldColumn(held: Held, key: string): boolean {
  return [...held.columns].some(
    (column) =>
      key.startsWith('relation:') && column.startsWith(`${key.slice('relation:'.length)}.`),
  )
}

/** Objects whose changes are held back keep the grants and comments of the first structure. */
function extras(held: Held, mixed: Objects): Pick<SchemaStructure, 'comments' | 'grants'> {
  const [from, to] = [held.from.structure, held.to.structure]
  const owners = commentOwners(mixed)
  const isOld = (object: string) => {
    const key = owners(object)
    return key !== undefined && (held.old.has(key) || !held.to.byKey.has(key))
  }
  const hasComment = new Set(to.comments.map(({ object }) => object))
  const comments = [
    ...to.comments.filter(({ object }) => owners(object) !== undefined && !isOld(object)),
    ...from.comments.filter(
      ({ object }) =>
        isOld(object) ||
        (!hasComment.has(object) &&
          [...held.columns].some((column) => object === columnComment(held, column))),
    ),
  ]
  const keys = new Set(to.grants.map(({ key }) => key))
  return {
    comments,
    grants: [...to.grants, ...from.grants.filter(({ key }) => !keys.has(key))],
  }
}

function columnComment(held: Held, column: string): string {
  const at = column.lastIndexOf('.')
  const names = [column.slice(0, at), column.slice(at + 1)].map(plainIdentifier)
  return `column ${held.to.structure.schemaName}.${names.join('.')}`
}
