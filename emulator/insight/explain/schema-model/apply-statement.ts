// Changes a model as a statement changes its schema. Statements that no rule needs are skipped.
import type { ParsedStatement, SqlParser, TreeFields } from '../../../database/sql-parser.ts'
import { fieldsOf, listOf, namesOf, nodesOf, textOf } from '../../../database/sql-tree.ts'
import { addIndex, alterTable, createTable, createTableAs, nameIn } from './apply-to-tables.ts'
import { joined, referencesOf, referencesOfBody } from './references.ts'
import {
  emptyModel,
  type ModelPolicy,
  policiesOf,
  policyKey,
  type SchemaModel,
} from './schema-model.ts'

type Apply = (model: SchemaModel, fields: TreeFields) => void

/** Returns the model of a schema that the statements build. */
export function modelOfStatements(
  parser: SqlParser,
  statements: readonly ParsedStatement[],
): SchemaModel {
  const model = emptyModel(parser)
  for (const statement of statements) applyStatement(model, statement)
  return model
}

export function applyStatement(model: SchemaModel, { fields, kind }: ParsedStatement): void {
  STATEMENTS.get(kind)?.(model, fields)
}

/** Reads the option `security_invoker` in a list. Returns `undefined` when the list lacks the option. */
function invokerIn(fields: TreeFields, field: string): boolean | undefined {
  const option = nodesOf(fields, field, 'DefElem').find(
    (one) => textOf(one, 'defname') === 'security_invoker',
  )
  if (option === undefined) return undefined
  const argument = fieldsOf(option, 'arg') ?? {}
  const text = textOf(fieldsOf(argument, 'String') ?? {}, 'sval')?.toLowerCase()
  const number = fieldsOf(argument, 'Integer')?.['ival']
  return !(['false', 'off', 'no', '0'].includes(text ?? 'true') || number === 0)
}

function createView({ views }: SchemaModel, fields: TreeFields): void {
  views.set(nameIn(fields, 'view'), {
    references: referencesOf(fields['query']),
    isInvoker: invokerIn(fields, 'options') ?? false,
  })
}

function alterRelation(model: SchemaModel, fields: TreeFields): void {
  const name = nameIn(fields, 'relation')
  const view = model.views.get(name)
  if (view === undefined) {
    alterTable(model, fields)
    return
  }
  for (const command of nodesOf(fields, 'cmds', 'AlterTableCmd')) {
    const isInvoker = invokerIn(fieldsOf(fieldsOf(command, 'def') ?? {}, 'List') ?? {}, 'items')
    if (isInvoker !== undefined) model.views.set(name, { ...view, isInvoker })
  }
}

function optionsOf(fields: TreeFields, field: string): ReadonlyMap<string, TreeFields> {
  return new Map(
    nodesOf(fields, field, 'DefElem').map((option) => [textOf(option, 'defname') ?? '', option]),
  )
}

function isDefiner(options: ReadonlyMap<string, TreeFields>): boolean | undefined {
  const security = options.get('security')
  const value = security && fieldsOf(fieldsOf(security, 'arg') ?? {}, 'Boolean')
  return security && value?.['boolval'] === true
}

function createFunction(model: SchemaModel, fields: TreeFields): void {
  const options = optionsOf(fields, 'options')
  const [body = ''] = namesOf(
    fieldsOf(fieldsOf(options.get('as') ?? {}, 'arg') ?? {}, 'List')?.['items'],
  )
  const atomic = fields['sql_body']
  const references =
    atomic === undefined ? referencesOfBody(model.parser, body) : referencesOf(atomic)
  const name = namesOf(fields['funcname']).at(-1) ?? ''
  const isReplaced = fields['replace'] === true
  const other = isReplaced ? undefined : model.functions.get(name)
  model.functions.set(name, {
    references: other === undefined ? references : joined(other.references, references),
    isDefiner: (other?.isDefiner ?? true) && isDefiner(options) === true,
  })
}

function alterFunction({ functions }: SchemaModel, fields: TreeFields): void {
  const name = namesOf(fieldsOf(fields, 'func')?.['objname']).at(-1) ?? ''
  const known = functions.get(name)
  const definer = isDefiner(optionsOf(fields, 'actions'))
  if (known !== undefined && definer !== undefined)
    functions.set(name, { ...known, isDefiner: definer })
}

function setPolicy({ policies }: SchemaModel, fields: TreeFields): void {
  const name = textOf(fields, 'policy_name') ?? ''
  const table = nameIn(fields, 'table')
  const key = policyKey(table, name)
  const known = policies.get(key)
  const roles = nodesOf(fields, 'roles', 'RoleSpec').map((role) =>
    textOf(role, 'roletype') === 'ROLESPEC_PUBLIC' ? 'public' : (textOf(role, 'rolename') ?? ''),
  )
  const part = (field: string, before: ModelPolicy['using'] | undefined) =>
    fields[field] === undefined && before !== undefined ? before : referencesOf(fields[field])
  policies.set(key, {
    name,
    table,
    command: textOf(fields, 'cmd_name') ?? known?.command ?? 'all',
    permissive: known?.permissive ?? fields['permissive'] === true,
    roles: roles.length > 0 ? roles : (known?.roles ?? ['public']),
    using: part('qual', known?.using),
    check: part('with_check', known?.check),
  })
}

function drop(model: SchemaModel, fields: TreeFields): void {
  const type = textOf(fields, 'removeType')
  for (const object of listOf(fields, 'objects')) {
    const names = namesOf(
      fieldsOf(object, 'List')?.['items'] ?? fieldsOf(object, 'ObjectWithArgs')?.['objname'],
    )
    const name = names.at(-1) ?? ''
    if (type === 'OBJECT_POLICY') model.policies.delete(policyKey(names.at(-2) ?? '', name))
    if (type === 'OBJECT_VIEW') model.views.delete(name)
    if (type === 'OBJECT_FUNCTION') model.functions.delete(name)
    if (type !== 'OBJECT_TABLE') continue
    model.tables.delete(name)
    for (const policy of policiesOf(model, name))
      model.policies.delete(policyKey(name, policy.name))
  }
}

function rename(model: SchemaModel, fields: TreeFields): void {
  const type = textOf(fields, 'renameType')
  const from = nameIn(fields, 'relation')
  const to = textOf(fields, 'newname') ?? ''
  if (type === 'OBJECT_POLICY')
    movePolicy(model, from, textOf(fields, 'subname') ?? '', { name: to })
  if (type === 'OBJECT_TABLE') renameTable(model, from, to)
}

function renameTable(model: SchemaModel, from: string, to: string): void {
  const table = model.tables.get(from)
  if (table === undefined) return
  model.tables.delete(from)
  model.tables.set(to, { ...table, name: to })
  for (const { name } of policiesOf(model, from)) movePolicy(model, from, name, { table: to })
  // Policies and views still refer to the renamed table, as in Postgres. Bodies of functions keep the old name, and fail.
  const renamed = (references: ModelPolicy['using']) => ({
    ...references,
    relations: new Set([...references.relations].map((one) => (one === from ? to : one))),
  })
  for (const [key, policy] of model.policies)
    model.policies.set(key, {
      ...policy,
      using: renamed(policy.using),
      check: renamed(policy.check),
    })
  for (const [name, view] of model.views)
    model.views.set(name, { ...view, references: renamed(view.references) })
}

function movePolicy(
  { policies }: SchemaModel,
  table: string,
  name: string,
  changes: Partial<Pick<ModelPolicy, 'name' | 'table'>>,
): void {
  const policy = policies.get(policyKey(table, name))
  if (policy === undefined) return
  policies.delete(policyKey(table, name))
  const moved = { ...policy, ...changes }
  policies.set(policyKey(moved.table, moved.name), moved)
}

const STATEMENTS: ReadonlyMap<string, Apply> = new Map([
  ['CreateStmt', createTable],
  ['CreateTableAsStmt', createTableAs],
  ['AlterTableStmt', alterRelation],
  ['IndexStmt', addIndex],
  ['ViewStmt', createView],
  ['CreateFunctionStmt', createFunction],
  ['AlterFunctionStmt', alterFunction],
  ['CreatePolicyStmt', setPolicy],
  ['AlterPolicyStmt', setPolicy],
  ['DropStmt', drop],
  ['RenameStmt', rename],
])
