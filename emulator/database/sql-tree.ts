// Walks a parse tree without knowledge of every kind of node. Pure.
import type { ParsedStatement, TreeFields } from './sql-parser.ts'

/** Called for each node with its kind, but not for lists and plain values. */
export type Visitor = (kind: string, fields: TreeFields) => void

// Fields that contain a node without naming its kind, and the kind of that node.
const BARE_FIELDS: Readonly<Record<string, string>> = {
  relation: 'RangeVar',
  rel: 'RangeVar',
  typevar: 'RangeVar',
  sequence: 'RangeVar',
  view: 'RangeVar',
  viewrel: 'RangeVar',
  pktable: 'RangeVar',
  table: 'RangeVar',
  typeName: 'TypeName',
  ofTypename: 'TypeName',
  returnType: 'TypeName',
  argType: 'TypeName',
  sourcetype: 'TypeName',
  targettype: 'TypeName',
  func: 'ObjectWithArgs',
  funccall: 'FuncCall',
  setstmt: 'VariableSetStmt',
  action: 'GrantStmt',
}

/** Visits every node of the statement, outermost first. Uses a list instead of recursion, because trees can be deep. */
export function visitStatement({ kind, fields }: ParsedStatement, visit: Visitor): void {
  const waiting: (readonly [name: string, value: unknown])[] = [[kind, fields]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [name, value] = next
    if (isFields(value)) {
      // A node inside a list is wrapped: {"RangeVar": {…}}. Kinds begin with a capital, fields do not.
      const known = /^[A-Z]/.test(name) ? name : BARE_FIELDS[name]
      if (known !== undefined) visit(known, value)
    }
    for (const member of membersOf(value).reverse()) waiting.push(member)
  }
}

function membersOf(value: unknown): (readonly [name: string, value: unknown])[] {
  if (Array.isArray(value)) return value.map((member: unknown) => ['', member])
  return isFields(value) ? Object.entries(value) : []
}

export function isFields(value: unknown): value is TreeFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the field if it contains text. */
export function textOf(fields: TreeFields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns the field if it contains a number. */
export function numberOf(fields: TreeFields, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' ? value : undefined
}

export function fieldsOf(fields: TreeFields, name: string): TreeFields | undefined {
  const value = fields[name]
  return isFields(value) ? value : undefined
}

/** Returns the nodes of a field that contains a list. Returns an empty list for other fields. */
export function listOf(fields: TreeFields, name: string): readonly TreeFields[] {
  const value = fields[name]
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** Returns the nodes of one kind in a field that contains a list: `[{"Constraint": {…}}, …]`. */
export function nodesOf(fields: TreeFields, name: string, kind: string): readonly TreeFields[] {
  return listOf(fields, name).flatMap((node) => {
    const found = fieldsOf(node, kind)
    return found === undefined ? [] : [found]
  })
}

/** Returns the parts of a dotted name: `[{"String": {"sval": "a"}}, …]`. Skips `*` and other nodes. */
export function namesOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((part: unknown) => {
    const string = isFields(part) ? fieldsOf(part, 'String') : undefined
    return string === undefined ? [] : [textOf(string, 'sval') ?? '']
  })
}

/** Returns the text of a constant, or `undefined` for other nodes. */
export function constantText(node: TreeFields | undefined): string | undefined {
  const constant = node === undefined ? undefined : fieldsOf(node, 'A_Const')
  const value = constant === undefined ? undefined : fieldsOf(constant, 'sval')
  return value === undefined ? undefined : textOf(value, 'sval')
}
