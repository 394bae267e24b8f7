// Changes the tables of a model as a statement changes those of its schema (apply-statement.ts).
import type { TreeFields } from '../../../database/sql-parser.ts'
import { fieldsOf, namesOf, nodesOf, textOf } from '../../../database/sql-tree.ts'
import type { ModelTable, SchemaModel } from './schema-model.ts'

/** Returns the name of the relation in a field. */
export function nameIn(fields: TreeFields, field: string): string {
  return textOf(fieldsOf(fields, field) ?? {}, 'relname') ?? ''
}

function addTable({ tables }: SchemaModel, relation: TreeFields): void {
  const name = textOf(relation, 'relname') ?? ''
  const isUnlogged = textOf(relation, 'relpersistence') === 'u'
  if (!tables.has(name)) tables.set(name, { ...newTable(name), isUnlogged })
}

function newTable(name: string): ModelTable {
  return {
    name,
    hasRowSecurity: false,
    isForced: false,
    isUnlogged: false,
    foreignKeys: [],
    indexes: [],
  }
}

/** Also changes a table that no statement has created, because the statement that created it is not always known. */
function change(
  { tables }: SchemaModel,
  table: string,
  changes: (before: ModelTable) => Partial<ModelTable>,
): void {
  const before = tables.get(table) ?? newTable(table)
  tables.set(table, { ...before, ...changes(before) })
}

export function createTable(model: SchemaModel, fields: TreeFields): void {
  addTable(model, fieldsOf(fields, 'relation') ?? {})
  const table = nameIn(fields, 'relation')
  for (const constraint of nodesOf(fields, 'tableElts', 'Constraint'))
    addConstraint(model, table, constraint, [])
  for (const column of nodesOf(fields, 'tableElts', 'ColumnDef')) addColumn(model, table, column)
}

function addColumn(model: SchemaModel, table: string, column: TreeFields): void {
  const own = [textOf(column, 'colname') ?? '']
  for (const constraint of nodesOf(column, 'constraints', 'Constraint'))
    addConstraint(model, table, constraint, own)
}

/** @param own the column that the constraint belongs to */
function addConstraint(
  model: SchemaModel,
  table: string,
  constraint: TreeFields,
  own: readonly string[],
): void {
  const columnsOf = (field: string): readonly string[] => {
    const named = namesOf(constraint[field])
    return named.length > 0 ? named : own
  }
  const type = textOf(constraint, 'contype')
  if (type === 'CONSTR_PRIMARY' || type === 'CONSTR_UNIQUE')
    change(model, table, ({ indexes }) => ({ indexes: [...indexes, columnsOf('keys')] }))
  if (type === 'CONSTR_FOREIGN') {
    const columns = columnsOf('fk_attrs')
    const name = textOf(constraint, 'conname') ?? `${table}_${columns.join('_')}_fkey`
    const key = { name, columns, target: nameIn(constraint, 'pktable') }
    change(model, table, ({ foreignKeys }) => ({ foreignKeys: [...foreignKeys, key] }))
  }
}

export function addIndex(model: SchemaModel, fields: TreeFields): void {
  if (fields['whereClause'] !== undefined) return
  const columns = nodesOf(fields, 'indexParams', 'IndexElem').map(
    (one) => textOf(one, 'name') ?? '',
  )
  change(model, nameIn(fields, 'relation'), ({ indexes }) => ({ indexes: [...indexes, columns] }))
}

export function alterTable(model: SchemaModel, fields: TreeFields): void {
  const table = nameIn(fields, 'relation')
  for (const command of nodesOf(fields, 'cmds', 'AlterTableCmd'))
    ALTERATIONS.get(textOf(command, 'subtype') ?? '')?.(model, table, command)
}

type Alter = (model: SchemaModel, table: string, command: TreeFields) => void

function setting(changes: Partial<ModelTable>): Alter {
  return (model, table) => change(model, table, () => changes)
}

function definitionOf(command: TreeFields, kind: string): TreeFields {
  return fieldsOf(fieldsOf(command, 'def') ?? {}, kind) ?? {}
}

const dropConstraint: Alter = (model, table, command) => {
  const name = textOf(command, 'name')
  change(model, table, ({ foreignKeys }) => ({
    foreignKeys: foreignKeys.filter((key) => key.name !== name),
  }))
}

const ALTERATIONS: ReadonlyMap<string, Alter> = new Map([
  ['AT_EnableRowSecurity', setting({ hasRowSecurity: true })],
  ['AT_DisableRowSecurity', setting({ hasRowSecurity: false })],
  ['AT_ForceRowSecurity', setting({ isForced: true })],
  ['AT_NoForceRowSecurity', setting({ isForced: false })],
  ['AT_SetLogged', setting({ isUnlogged: false })],
  ['AT_SetUnLogged', setting({ isUnlogged: true })],
  [
    'AT_AddColumn',
    (model, table, command) => addColumn(model, table, definitionOf(command, 'ColumnDef')),
  ],
  [
    'AT_AddConstraint',
    (model, table, command) => addConstraint(model, table, definitionOf(command, 'Constraint'), []),
  ],
  ['AT_DropConstraint', dropConstraint],
])

/** CREATE TABLE AS. */
export function createTableAs(model: SchemaModel, fields: TreeFields): void {
  addTable(model, fieldsOf(fieldsOf(fields, 'into') ?? {}, 'rel') ?? {})
}
