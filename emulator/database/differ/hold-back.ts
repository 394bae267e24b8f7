// Finds the structure that a step may reach without destroying data. This is the second structure, except for the objects and
// columns of the first structure whose removal or change would destroy data. Pure.
import type { RelationRecord } from '../catalog/relations.ts'
import { canAlterRelation, isSubsequence } from './can-alter.ts'
import { type Held, heldStructure } from './held-structure.ts'
import { plainIdentifier } from './local-names.ts'
import {
  isTable,
  mentions,
  type Objects,
  objectsOf,
  relationKey,
  type SchemaObject,
} from './objects.ts'
import { losesData } from './type-change.ts'

/** @returns `to` itself when nothing is held back */
export function holdBack(from: Objects, to: Objects): Objects {
  const keeper = new Keeper(from, to)
  return keeper.isNeeded() ? objectsOf(heldStructure(keeper.held())) : to
}

type Column = RelationRecord['columns'][number]

class Keeper {
  readonly #from: Objects
  readonly #to: Objects
  readonly #old = new Set<string>()
  readonly #waiting = new Set<string>()
  readonly #columns = new Set<string>()

  constructor(from: Objects, to: Objects) {
    this.#from = from
    this.#to = to
    for (const object of from.byKey.values()) this.#keepIfLost(object)
  }

  isNeeded(): boolean {
    return this.#old.size > 0 || this.#columns.size > 0
  }

  held(): Held {
    return {
      from: this.#from,
      to: this.#to,
      old: this.#old,
      waiting: this.#waiting,
      columns: this.#columns,
    }
  }

  #keepIfLost(object: SchemaObject): void {
    const after = this.#to.byKey.get(object.key)
    if (object.section === 'relations' && isTable(object.record)) {
      if (after?.section !== 'relations' || !canAlterRelation(object.record, after.record))
        this.#keepTable(object.record)
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
    this.#holdInParents(table)
    for (const user of this.#to.users(table.key))
      for (const { name } of table.columns) this.#holdInChild(table, user, name)
  }

  /** Keeps the parents' columns of a kept table in their old form, because Postgres changes them together with the table's. */
  #holdInParents({ columns, parents = [] }: RelationRecord): void {
    for (const before of this.#from.structure.relations) {
      const qualified = `${this.#from.structure.schemaName}.${plainIdentifier(before.name)}`
      const after = this.#to.relation(before.name)
      if (!parents.includes(qualified) || after === undefined || !isTable(after)) continue
      if (this.#old.has(before.key)) continue
      for (const column of before.columns) {
        const other = columnOf(after, column.name)
        const isShared = columns.some(({ name }) => name === column.name)
        if (isShared && !isSameColumn(column, other)) this.#holdColumn(before, after, column.name)
      }
    }
  }

  /** False for a foreign key to another table that changes. The key contains no data, and would prevent the change. */
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
    const other = columnOf(after, column.name)
    const isLost =
      other === undefined || other.generated !== undefined || losesData(column.type, other.type)
    if (isLost) this.#holdColumn(before, after, column.name)
  }

  /** Keeps a column in its old form. All objects that need its new form must wait. */
  #holdColumn(before: RelationRecord, after: RelationRecord, name: string): void {
    const held = `${before.name}.${name}`
    if (this.#columns.has(held)) return
    this.#columns.add(held)
    const column = columnOf(before, name)
    if (column !== undefined) this.#keepNeeds(before.key, (need) => this.#isNeedOf(need, column))
    if (column?.generated !== undefined) this.#holdColumnsIn(before.key, column.expression ?? '')
    this.#keep(`default:${held}`)
    for (const user of this.#to.users(after.key)) this.#holdInChild(after, user, name)
    if (columnOf(after, name) === undefined) return
    this.#waitFor(`default:${held}`)
    for (const other of after.columns)
      if (other.generated !== undefined && isRead(other.expression ?? '', name))
        this.#holdColumn(before, after, other.name)
    for (const user of this.#to.users(after.key)) {
      const object = this.#to.byKey.get(user)
      const isTableOfIt = object?.section === 'relations' && isTable(object.record)
      if (object !== undefined && !isTableOfIt && isRead(object.text, name)) this.#waitFor(user)
    }
  }

  /** Keeps the column in a child, too, because Postgres changes both together. A new child waits for the parent's new columns. */
  #holdInChild(parent: RelationRecord, user: string, column: string): void {
    const child = this.#to.byKey.get(user)
    if (child?.section !== 'relations' || !isTable(child.record)) return
    const { parents = [], name } = child.record
    if (!parents.includes(`${this.#to.structure.schemaName}.${plainIdentifier(parent.name)}`))
      return
    const before = this.#from.relation(name)
    if (before === undefined) {
      // A child that is not a partition need not wait for a dropped column: it inherits the column until the parent loses it.
      const isPartition = child.record.partitionBound !== undefined
      if (isPartition || columnOf(parent, column) !== undefined) this.#waitFor(user)
      return
    }
    const old = columnOf(before, column)
    if (old !== undefined && !isSameColumn(old, columnOf(child.record, column)))
      this.#holdColumn(before, child.record, column)
  }

  #isNeedOf(need: string, { collation, identity, type }: Column): boolean {
    const record = this.#from.byKey.get(need)?.record
    const name = record !== undefined && 'name' in record ? plainIdentifier(record.name) : need
    return [type, collation ?? '', identity?.sequence ?? ''].some((text) => mentions(text, name))
  }

  /** Keeps the object in its old form, together with the objects that it needs and that the step would drop. */
  #keep(key: string): void {
    if (this.#old.has(key) || !this.#from.byKey.has(key)) return
    this.#old.add(key)
    this.#keepNeeds(key, () => true)
    const object = this.#from.byKey.get(key)
    if (object === undefined || (object.section === 'relations' && isTable(object.record))) return
    const tables = object.table === undefined ? [] : [relationKey(object.table)]
    for (const need of new Set([...tables, ...this.#from.needs(key)]))
      this.#holdColumnsIn(need, object.text)
  }

  /** Keeps the columns that `text` names in their old form, because `text` belongs to a kept object. */
  #holdColumnsIn(key: string, text: string): void {
    const [before, after] = [this.#from.byKey.get(key), this.#to.byKey.get(key)]
    if (before?.section !== 'relations' || after?.section !== 'relations') return
    if (!isTable(before.record) || !isTable(after.record) || this.#old.has(key)) return
    for (const column of before.record.columns) {
      const other = columnOf(after.record, column.name)
      if (!isSameColumn(column, other) && isRead(text, column.name))
        this.#holdColumn(before.record, after.record, column.name)
    }
  }

  #keepNeeds(key: string, isWanted: (need: string) => boolean): void {
    for (const need of this.#from.needs(key))
      if (isWanted(need) && !this.#to.byKey.has(need)) this.#keep(need)
  }

  /** All objects that need the new form of the object must wait. */
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
}

function columnOf({ columns }: RelationRecord, column: string): Column | undefined {
  return columns.find(({ name }) => name === column)
}

function isRead(text: string, column: string): boolean {
  return mentions(text.replaceAll('\\"', '"'), plainIdentifier(column))
}

function isSameColumn(before: Column, after: Column | undefined): boolean {
  return (
    before.type === after?.type &&
    before.collation === after.collation &&
    before.generated === after.generated &&
    (before.generated === undefined || before.expression === after.expression)
  )
}

/** Whether the change would lose values of the type: labels of an enum, or attributes of a composite type. */
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
