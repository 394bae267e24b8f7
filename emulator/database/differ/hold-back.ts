// Builds the structure that a step may reach without destroying data: the second structure, with everything of the first whose
// removal or change destroys data. Pure.
import type { RelationRecord } from '../catalog/relations.ts'
import type { SchemaStructure } from '../template/structure.ts'
import { isSubsequence } from './can-alter.ts'
import { commentOwners } from './comments.ts'
import { plainIdentifier } from './local-names.ts'
import {
  isTable,
  mentions,
  type Objects,
  objectsOf,
  relationKey,
  type SchemaObject,
  SECTIONS,
} from './objects.ts'
import { losesData } from './type-change.ts'

/** @returns `to` itself when nothing is held back */
export function holdBack(from: Objects, to: Objects): Objects {
  const keeper = new Keeper(from, to)
  return keeper.isNeeded() ? objectsOf(keeper.structure()) : to
}

type Column = RelationRecord['columns'][number]

class Keeper {
  readonly #from: Objects
  readonly #to: Objects
  /** Objects that stay as the first structure has them. */
  readonly #old = new Set<string>()
  /** Objects of the second structure that have to wait, because they need what is held back. */
  readonly #waiting = new Set<string>()
  /** Columns that stay as they are, as `table.column`. */
  readonly #columns = new Set<string>()

  constructor(from: Objects, to: Objects) {
    this.#from = from
    this.#to = to
    for (const object of from.byKey.values()) this.#keepIfLost(object)
  }

  isNeeded(): boolean {
    return this.#old.size > 0 || this.#columns.size > 0
  }

  #keepIfLost(object: SchemaObject): void {
    const after = this.#to.byKey.get(object.key)
    if (object.section === 'relations' && isTable(object.record)) {
      const isChanged =
        after?.section !== 'relations' ||
        after.record.kind !== object.record.kind ||
        after.record.partitionKey !== object.record.partitionKey
      if (isChanged) this.#keepTable(object.record)
      else
        for (const column of object.record.columns)
          this.#keepColumn(object.record, after.record, column)
    } else if (object.section === 'sequences' && after === undefined) this.#keep(object.key)
    else if (object.section === 'types' && losesValues(object, after)) {
      this.#keep(object.key)
      this.#postpone(object.key)
    }
  }

  #keepTable(table: RelationRecord): void {
    this.#keep(table.key)
    this.#postpone(table.key)
    for (const object of this.#from.byKey.values())
      if (object.table === table.name && this.#standsAlone(object)) this.#keep(object.key)
  }

  /** False for a foreign key whose other table changes: it holds no data, and it would prevent the change. */
  #standsAlone({ key, record, section, table }: SchemaObject): boolean {
    if (section !== 'constraints' || record.kind !== 'foreign') return true
    return this.#from
      .needs(key)
      .every(
        (need) =>
          need === relationKey(table ?? '') ||
          this.#to.byKey.get(need)?.text === this.#from.byKey.get(need)?.text,
      )
  }

  #keepColumn(before: RelationRecord, after: RelationRecord, column: Column): void {
    if (column.generated !== undefined) return
    const other = after.columns.find(({ name }) => name === column.name)
    const isLost =
      other === undefined || other.generated !== undefined || losesData(column.type, other.type)
    if (isLost) this.#holdColumn(before, after, column.name)
  }

  /** Leaves a column as it was, and lets everything wait that needs the column in its second form. */
  #holdColumn(before: RelationRecord, after: RelationRecord, name: string): void {
    const held = `${before.name}.${name}`
    if (this.#columns.has(held)) return
    this.#columns.add(held)
    const column = before.columns.find((one) => one.name === name)
    if (column !== undefined) this.#keepNeeds(before.key, (need) => this.#isNeedOf(need, column))
    this.#keep(`default:${held}`)
    if (!after.columns.some((one) => one.name === name)) return
    this.#waitFor(`default:${held}`)
    const isRead = (text: string) => mentions(text.replaceAll('\\"', '"'), plainIdentifier(name))
    for (const other of after.columns)
      if (other.generated !== undefined && isRead(other.expression ?? ''))
        this.#holdColumn(before, after, other.name)
    for (const user of this.#to.users(after.key)) {
      const object = this.#to.byKey.get(user)
      const isTableOfIt = object?.section === 'relations' && isTable(object.record)
      if (object !== undefined && !isTableOfIt && isRead(object.text)) this.#waitFor(user)
    }
  }

  #isNeedOf(need: string, { collation, identity, type }: Column): boolean {
    const record = this.#from.byKey.get(need)?.record
    const name = record !== undefined && 'name' in record ? plainIdentifier(record.name) : need
    return [type, collation ?? '', identity?.sequence ?? ''].some((text) => mentions(text, name))
  }

  /** Keeps the object as it was, and what it needs and would lose. */
  #keep(key: string): void {
    if (this.#old.has(key) || !this.#from.byKey.has(key)) return
    this.#old.add(key)
    this.#keepNeeds(key, () => true)
  }

  #keepNeeds(key: string, isWanted: (need: string) => boolean): void {
    for (const need of this.#from.needs(key))
      if (isWanted(need) && !this.#to.byKey.has(need)) this.#keep(need)
  }

  /** Lets everything wait that needs the object in its second form. */
  #postpone(key: string): void {
    for (const user of this.#to.users(key)) {
      const object = this.#to.byKey.get(user)
      if (object === undefined || object.text === this.#from.byKey.get(user)?.text) continue
      const isKeptTable =
        object.section === 'relations' && isTable(object.record) && this.#from.byKey.has(user)
      if (!isKeptTable) this.#waitFor(user)
    }
  }

  #waitFor(key: string): void {
    if (this.#waiting.has(key) || this.#old.has(key)) return
    this.#waiting.add(key)
    this.#keep(key)
    this.#postpone(key)
  }

  structure(): SchemaStructure {
    const [from, to] = [this.#from.structure, this.#to.structure]
    const section = <One extends { readonly key: string }>(
      before: readonly One[],
      after: readonly One[],
    ): readonly One[] => [
      ...after.filter(({ key }) => !this.#old.has(key) && !this.#waiting.has(key)),
      ...before.filter(({ key }) => this.#old.has(key)),
    ]
    const sections = Object.fromEntries(
      SECTIONS.map((name) => [name, section<{ readonly key: string }>(from[name], to[name])]),
    ) as Pick<SchemaStructure, (typeof SECTIONS)[number]>
    const relations = sections.relations.map((relation) => this.#mixedColumns(relation))
    const mixed = {
      ...to,
      ...sections,
      relations,
      dependencies: this.#dependencies(),
    }
    return { ...mixed, ...this.#extras(objectsOf({ ...mixed, comments: [], grants: [] })) }
  }

  /** The second structure's columns, with those that are held back. */
  #mixedColumns(relation: RelationRecord): RelationRecord {
    const before = this.#from.relation(relation.name)
    if (before === undefined || !isTable(relation) || this.#old.has(relation.key)) return relation
    const isHeld = ({ name }: Column) => this.#columns.has(`${relation.name}.${name}`)
    const old = new Map(before.columns.filter(isHeld).map((column) => [column.name, column]))
    const names = new Set(relation.columns.map(({ name }) => name))
    return {
      ...relation,
      columns: [
        ...relation.columns.map(
          (column) => old.get(column.name) ?? this.#withOldDefault(relation, column),
        ),
        ...[...old.values()].filter(({ name }) => !names.has(name)),
      ],
    }
  }

  #withOldDefault({ name }: RelationRecord, column: Column): Column {
    if (!this.#waiting.has(`default:${name}.${column.name}`)) return column
    const { expression: _new, ...rest } = column
    const before = this.#from.relation(name)?.columns.find((old) => old.name === column.name)
    return before?.expression === undefined ? rest : { ...rest, expression: before.expression }
  }

  #dependencies(): SchemaStructure['dependencies'] {
    const isOld = (key: string) => this.#old.has(key)
    const edges = [
      ...this.#to.structure.dependencies.filter(({ from }) => !isOld(from)),
      ...this.#from.structure.dependencies.filter(
        ({ from, to }) => isOld(from) || isOld(to) || this.#hasHeldColumn(from),
      ),
    ]
    return [...new Map(edges.map((edge) => [edge.key, edge])).values()]
  }

  #hasHeldColumn(key: string): boolean {
    return [...this.#columns].some(
      (column) =>
        key.startsWith('relation:') && column.startsWith(`${key.slice('relation:'.length)}.`),
    )
  }

  /** Grants and comments of what is held back are those of the first structure. */
  #extras(held: Objects): Pick<SchemaStructure, 'comments' | 'grants'> {
    const [from, to] = [this.#from.structure, this.#to.structure]
    const owners = commentOwners(held)
    const isOld = (object: string) => {
      const key = owners(object)
      return key !== undefined && (this.#old.has(key) || !this.#to.byKey.has(key))
    }
    const hasComment = new Set(to.comments.map(({ object }) => object))
    const comments = [
      ...to.comments.filter(({ object }) => owners(object) !== undefined && !isOld(object)),
      ...from.comments.filter(
        ({ object }) =>
          isOld(object) ||
          (!hasComment.has(object) &&
            [...this.#columns].some((column) => object === this.#columnComment(column))),
      ),
    ]
    const keys = new Set(to.grants.map(({ key }) => key))
    return {
      comments,
      grants: [...to.grants, ...from.grants.filter(({ key }) => !keys.has(key))],
    }
  }

  #columnComment(column: string): string {
    const at = column.lastIndexOf('.')
    const names = [column.slice(0, at), column.slice(at + 1)].map(plainIdentifier)
    return `column ${this.#to.structure.schemaName}.${names.join('.')}`
  }
}

/** Whether values of the type would be lost: labels of an enum, attributes of a composite type. */
function losesValues(
  before: Extract<SchemaObject, { readonly section: 'types' }>,
  after: SchemaObject | undefined,
): boolean {
  if (after?.section !== 'types') return false
  const [labels, others] = [before.record.labels ?? [], after.record.labels ?? []]
  if (labels.length > 0) return !labels.every((label) => others.includes(label))
  const attributes = (before.record.attributes ?? []).map(({ name }) => name)
  const kept = (after.record.attributes ?? []).map(({ name }) => name)
  return (
    !isSubsequence(
      attributes.filter((name) => kept.includes(name)),
      attributes,
    ) || !attributes.every((name) => kept.includes(name))
  )
}
