// Finds the schemas that a node of the parse tree names. Pure.
import type { SqlParser, TreeFields } from '../../database/sql-parser.ts'
import { fieldsOf, isFields, listOf, namesOf, numberOf, textOf } from '../../database/sql-tree.ts'

export interface Qualifier {
  readonly schema: string
  /** Whether the schema qualifies a function call. */
  readonly isCall: boolean
}

/** For each kind of node, the field that contains an object's dotted name. */
const NAME_FIELDS: Readonly<Record<string, string>> = {
  A_Expr: 'name',
  AlterDomainStmt: 'typeName',
  AlterEnumStmt: 'typeName',
  AlterStatsStmt: 'defnames',
  AlterTypeStmt: 'typeName',
  CollateClause: 'collname',
  CreateDomainStmt: 'domainname',
  CreateEnumStmt: 'typeName',
  CreateFunctionStmt: 'funcname',
  CreateRangeStmt: 'typeName',
  CreateStatsStmt: 'defnames',
  DefineStmt: 'defnames',
  FuncCall: 'funcname',
  IndexElem: 'opclass',
  ObjectWithArgs: 'objname',
  SortBy: 'useOp',
  SubLink: 'operName',
  TypeName: 'names',
}

/** Kinds of objects whose name has two parts after the schema: the table, and its column, policy or trigger. */
const TWO_PARTS = new Set([
  'OBJECT_COLUMN',
  'OBJECT_POLICY',
  'OBJECT_RULE',
  'OBJECT_TRIGGER',
  'OBJECT_TABCONSTRAINT',
])

/** Lists the schemas that the node itself names. The caller visits nested nodes separately. */
export function qualifiersOf(
  parser: SqlParser,
  text: string,
  kind: string,
  fields: TreeFields,
): readonly Qualifier[] {
  return schemasOf(parser, text, kind, fields).map((schema) => ({
    schema,
    isCall: kind === 'FuncCall',
  }))
}

function schemasOf(
  parser: SqlParser,
  text: string,
  kind: string,
  fields: TreeFields,
): readonly string[] {
  switch (kind) {
    case 'RangeVar':
      return present(textOf(fields, 'schemaname'))
    case 'ColumnRef':
      return first(namesOf(fields['fields']), hasStar(fields) ? 1 : 2)
    case 'CreateTrigStmt':
      return first(namesOf(fields['funcname']), 1)
    case 'CreateSchemaStmt':
      return present(textOf(fields, 'schemaname'))
    case 'AlterObjectSchemaStmt':
      return [
        ...present(textOf(fields, 'newschema')),
        ...objectSchemas(fields, 'objectType', 'object'),
      ]
    case 'DropStmt':
      return listOf(fields, 'objects').flatMap((object) =>
        objectSchema(object, textOf(fields, 'removeType')),
      )
    case 'CommentStmt':
      return objectSchemas(fields, 'objtype', 'object')
    case 'AlterOwnerStmt':
      return objectSchemas(fields, 'objectType', 'object')
    case 'RenameStmt':
      return textOf(fields, 'renameType') === 'OBJECT_SCHEMA'
        ? present(textOf(fields, 'subname'))
        : objectSchemas(fields, 'renameType', 'object')
    case 'GrantStmt':
      return namesSchemas(fields)
        ? listOf(fields, 'objects').flatMap((object) => namesOf([object]))
        : []
    case 'DefElem':
      return textOf(fields, 'defname') === 'schemas' ? namesOf(items(fieldsOf(fields, 'arg'))) : []
    default:
      return dottedSchema(parser, text, kind, fields)
  }
}

// Ignores a `pg_catalog` that Postgres's grammar inserted, as for `int`, `extract(…)` or `like … escape`.
function dottedSchema(
  parser: SqlParser,
  text: string,
  kind: string,
  fields: TreeFields,
): readonly string[] {
  const field = NAME_FIELDS[kind]
  if (field === undefined) return []
  const schemas = first(namesOf(fields[field]), fields['pct_type'] === true ? 2 : 1)
  if (schemas[0] !== 'pg_catalog' || (kind !== 'TypeName' && kind !== 'FuncCall')) return schemas
  const location = numberOf(fields, 'location') ?? 0
  const written = text.slice(parser.indexOf(text, location))
  return /^("pg_catalog"|pg_catalog\b|u&")/i.test(written) ? schemas : []
}

/** Returns the first name when at least `rest` more names follow, and an empty list otherwise. */
function first(names: readonly string[], rest: number): readonly string[] {
  return names.length > rest ? names.slice(0, 1) : []
}

function present(name: string | undefined): readonly string[] {
  return name === undefined ? [] : [name]
}

function hasStar(fields: TreeFields): boolean {
  return listOf(fields, 'fields').some((part) => 'A_Star' in part)
}

function namesSchemas(fields: TreeFields): boolean {
  return (
    textOf(fields, 'targtype') === 'ACL_TARGET_ALL_IN_SCHEMA' ||
    textOf(fields, 'objtype') === 'OBJECT_SCHEMA'
  )
}

function objectSchemas(
  fields: TreeFields,
  kindField: string,
  objectField: string,
): readonly string[] {
  const object = fieldsOf(fields, objectField)
  return object === undefined ? [] : objectSchema(object, textOf(fields, kindField))
}

/** Returns the schema in an object's name. Types and functions are separate nodes, which the caller visits. */
function objectSchema(object: TreeFields, kind: string | undefined): readonly string[] {
  if (kind === 'OBJECT_SCHEMA') return namesOf([object])
  return first(namesOf(items(object)), TWO_PARTS.has(kind ?? '') ? 2 : 1)
}

function items(node: TreeFields | undefined): unknown {
  const list = node === undefined ? undefined : node['List']
  return isFields(list) ? list['items'] : undefined
}
