// Whether a policy's expression is true for every row, as far as its text shows. Pure.
import type { SqlParser } from '../../../database/sql-parser.ts'
import { fieldsOf, isFields, listOf, namesOf, nodesOf, textOf } from '../../../database/sql-tree.ts'

/** @param expression the text of USING or WITH CHECK */
export function isAlwaysTrueText(parser: SqlParser, expression: string): boolean {
  const [select] = parser.parse(`select (${expression})`)
  const [target] = select === undefined ? [] : nodesOf(select.fields, 'targetList', 'ResTarget')
  return isAlwaysTrue(target?.['val'])
}

/** @param value an expression of the parse tree */
export function isAlwaysTrue(value: unknown): boolean {
  if (!isFields(value)) return false
  const constant = fieldsOf(value, 'A_Const')
  const bool = constant === undefined ? undefined : fieldsOf(constant, 'boolval')
  if (bool !== undefined) return bool['boolval'] === true
  const expression = fieldsOf(value, 'A_Expr')
  if (expression !== undefined && namesOf(expression['name'])[0] === '=')
    return (
      isConstant(expression['lexpr']) &&
      withoutPlaces(expression['lexpr']) === withoutPlaces(expression['rexpr'])
    )
  const either = fieldsOf(value, 'BoolExpr')
  if (either === undefined) return false
  const isOr = textOf(either, 'boolop') === 'OR_EXPR'
  const isAnd = textOf(either, 'boolop') === 'AND_EXPR'
  const terms = listOf(either, 'args')
  return (isOr && terms.some(isAlwaysTrue)) || (isAnd && terms.every(isAlwaysTrue))
}

function isConstant(value: unknown): boolean {
  return isFields(value) && fieldsOf(value, 'A_Const') !== undefined
}

function withoutPlaces(value: unknown): string {
  return JSON.stringify(value, (name, member: unknown) =>
    name === 'location' ? undefined : member,
  )
}
