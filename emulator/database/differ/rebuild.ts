// Finds the objects that a step has to drop: removed objects, objects that cannot be altered, and objects that depend on these.
// Postgres refuses to drop an object, or to change its type, while other objects depend on it. Pure.

import type { FiringRecord } from '../catalog/attached.ts'
import type { ColumnRecord, RelationRecord } from '../catalog/relations.ts'
import type { RoutineRecord } from '../catalog/types.ts'
import { canAlter } from './can-alter.ts'
import { plainIdentifier } from './local-names.ts'
import { isTable, mentions, type Objects, relationKey, type SchemaObject } from './objects.ts'

export interface Changes {
  readonly from: Objects
  readonly to: Objects
  /** Keys of objects to drop. The step creates an object again when the second structure also has it. */
  readonly rebuilt: ReadonlySet<string>
  /** Generated columns to drop and to add again, as `table.column`. */
  readonly regenerated: ReadonlySet<string>
  /** Columns whose type is dropped and created again, as `table.column`. */
  readonly retyped: ReadonlySet<string>
}

/** Whether both structures have the table and the step does not drop it. */
export function isKept({ from, rebuilt, to }: Changes, table: string): boolean {
  return (
    !rebuilt.has(relationKey(table)) &&
    from.relation(table) !== undefined &&
    to.relation(table) !== undefined
  )
}

/** Whether the step creates the object, because it is new or was dropped before. */
export function isCreated({ from, rebuilt, to }: Changes, key: string): boolean {
  return to.byKey.has(key) && (rebuilt.has(key) || !from.byKey.has(key))
}

export function findChanges(from: Objects, to: Objects): Changes {
  return new Finder(from, to).find()
}

type Reason = 'type' | 'gone'

class Finder {
  readonly #from: Objects
  readonly #to: Objects
  readonly #rebuilt = new Set<string>()
  readonly #regenerated = new Set<string>()
  readonly #retyped = new Set<string>()
  readonly #touched = new Set<string>()

  constructor(from: Objects, to: Objects) {
    this.#from = from
    this.#to = to
  }

  find(): Changes {
    for (const object of this.#from.byKey.values()) {
      const after = this.#to.byKey.get(object.key)
      if (after === undefined) this.#rebuild(object.key)
      else if (after.text !== object.text && !canAlter(object, after, this.#to, this.#from))
        this.#rebuild(object.key)
    }
    for (const relation of this.#from.structure.relations) this.#compareColumns(relation)
    return {
      from: this.#from,
      to: this.#to,
      rebuilt: this.#rebuilt,
      regenerated: this.#regenerated,
      retyped: this.#retyped,
    }
  }

  #compareColumns(before: RelationRecord): void {
    const after = this.#to.relation(before.name)
    if (!isTable(before) || after === undefined || !isTable(after)) return
    if (this.#rebuilt.has(before.key)) return
    const columns = new Map(after.columns.map((column) => [column.name, column]))
    for (const column of before.columns) {
      const other = columns.get(column.name)
      if (other === undefined) this.#touch(before, column.name, 'gone')
      else if (mustAddAgain(column, other)) this.#regenerate(before, column.name)
      else if (other.type !== column.type || other.collation !== column.collation)
        this.#touch(before, column.name, 'type')
    }
  }

  #rebuild(key: string): void {
    if (this.#rebuilt.has(key)) return
    this.#rebuilt.add(key)
    const object = this.#from.byKey.get(key)
    if (object === undefined) return
    for (const user of this.#from.users(key)) this.#rebuildUser(object, user)
    if (object.section === 'indexes' || object.section === 'constraints')
      for (const need of this.#from.needs(key)) if (this.#isCopy(object, need)) this.#rebuild(need)
    if (object.section === 'triggers') this.#rebuildCopies(object.record)
  }

  /** Whether the object is a partition's copy of an index or constraint. Postgres drops such a copy with the parent's index. */
  #isCopy({ table }: SchemaObject, key: string): boolean {
    const copy = this.#from.byKey.get(key)
    if (copy?.section !== 'indexes' && copy?.section !== 'constraints') return false
    return this.#isPartition(copy.record.table, table ?? '')
  }

  /** Creating a trigger again also creates its copies in partitions again, with the usual firing state. */
  #rebuildCopies({ name, table }: FiringRecord): void {
    for (const copy of this.#from.structure.triggers)
      if (
        copy.definition === undefined &&
        copy.name === name &&
        this.#isPartition(copy.table, table)
      )
        this.#rebuild(copy.key)
  }

  #isPartition(table: string, parent: string): boolean {
    const parents = this.#from.relation(table)?.parents ?? []
    return parents.includes(`${this.#from.structure.schemaName}.${plainIdentifier(parent)}`)
  }

  #rebuildUser(object: SchemaObject, user: string): void {
    const using = this.#from.byKey.get(user)
    if (using === undefined) return
    if (using.section !== 'relations' || !isTable(using.record)) {
      this.#rebuild(user)
      return
    }
    if (object.section === 'types' || object.section === 'collations')
      for (const column of using.record.columns)
        if (mentions(column.type, plainIdentifier(object.record.name))) {
          this.#retyped.add(`${using.record.name}.${column.name}`)
          if (column.generated === undefined) this.#touch(using.record, column.name, 'type')
          else this.#regenerate(using.record, column.name)
        }
    for (const column of using.record.columns)
      if (column.generated !== undefined && mentions(column.expression ?? '', nameIn(object)))
        this.#regenerate(using.record, column.name)
  }

  #regenerate(table: RelationRecord, column: string): void {
    this.#regenerated.add(`${table.name}.${column}`)
    this.#touch(table, column, 'gone')
  }

  #touch(table: RelationRecord, column: string, reason: Reason): void {
    const touched = `${reason} ${table.name}.${column}`
    if (this.#touched.has(touched)) return
    this.#touched.add(touched)
    for (const other of table.columns)
      if (
        other.generated !== undefined &&
        !this.#becomesPlain(table, other) &&
        mentions(other.expression ?? '', plainIdentifier(column))
      )
        this.#regenerate(table, other.name)
    for (const user of this.#from.users(table.key)) {
      const using = this.#from.byKey.get(user)
      if (using === undefined || this.#rebuilt.has(user)) continue
      if (this.#mustYield(using, table.name, column, reason)) this.#rebuild(user)
    }
  }

  /** Whether a stored generated column becomes an ordinary column. Postgres then keeps its values. */
  #becomesPlain(table: RelationRecord, { generated, name }: ColumnRecord): boolean {
    const after = this.#to.relation(table.name)?.columns.find((column) => column.name === name)
    return generated === 'stored' && after !== undefined && after.generated === undefined
  }

  #mustYield(using: SchemaObject, table: string, column: string, reason: Reason): boolean {
    switch (using.section) {
      case 'defaults':
        return using.record.column === column
      case 'routines':
        return isAtomic(using.record) && mentionsColumn(using.text, column)
      case 'relations':
        return !isTable(using.record) && mentionsColumn(using.text, column)
      case 'indexes':
      case 'constraints':
      case 'statistics':
        // Postgres itself builds these objects again when the column's type changes.
        if (reason === 'type' && !isForeign(using) && this.#isSame(using)) return false
        return mentionsColumn(this.#textAbout(using, table), column)
      default:
        return mentionsColumn(using.text, column)
    }
  }

  /** Returns the part of the object's text that names columns of the table. A foreign key names columns of two tables. */
  #textAbout(object: SchemaObject, table: string): string {
    if (!isForeign(object)) return object.text
    const [own, other] = object.record.definition.split(' REFERENCES ')
    const name = `${this.#from.structure.schemaName}.${plainIdentifier(table)}(`
    return `${object.record.table === table ? own : ''} ${other?.startsWith(name) ? other : ''}`
  }

  #isSame({ key, text }: SchemaObject): boolean {
    return this.#to.byKey.get(key)?.text === text
  }
}

function isForeign(
  object: SchemaObject,
): object is Extract<SchemaObject, { readonly section: 'constraints' }> {
  return object.section === 'constraints' && object.record.kind === 'foreign'
}

/** Whether the objects in the routine's body are dependencies. This is so for BEGIN ATOMIC, but not for a body that is a text. */
export function isAtomic({ definition = '' }: RoutineRecord): boolean {
  return !/\nAS /.test(definition)
}

function mentionsColumn(json: string, column: string): boolean {
  return mentions(json.replaceAll('\\"', '"').replaceAll('\\n', '\n'), plainIdentifier(column))
}

/** Whether a column must be dropped and added again, because it becomes generated or is generated in another way. */
function mustAddAgain(before: ColumnRecord, after: ColumnRecord): boolean {
  if (before.generated === after.generated) {
    if (after.generated === undefined) return false
    // Postgres changes the expression of a stored column in place, but its type only when an implicit cast exists.
    if (before.type !== after.type || before.collation !== after.collation) return true
    return after.generated === 'virtual' && before.expression !== after.expression
  }
  return after.generated !== undefined || before.generated === 'virtual'
}

/** Returns the object's name in the form that expressions use. */
export function nameIn({ key, record }: SchemaObject): string {
  if ('name' in record) return plainIdentifier(record.name.split('.').at(-1) ?? '')
  return /([^.(]+)\(/.exec(key)?.[1] ?? key
}
