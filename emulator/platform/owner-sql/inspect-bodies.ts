// Searches function and DO bodies for what `find-refusal.ts` refuses. The search is best effort, because a body can build SQL
// text at run time. The engine enforces the rules. Pure.
import type { SchemaName } from '../../core/names.ts'
import type { SqlParser, Token, TreeFields } from '../../database/sql-parser.ts'
import { fieldsOf, listOf, textOf } from '../../database/sql-tree.ts'

export type BodyFinding =
  | { readonly kind: 'role' }
  | { readonly kind: 'schema'; readonly schema: string }

const SYSTEM_SCHEMAS = new Set(['pg_catalog', 'information_schema', 'pg_toast'])
const ROLE_STATEMENT =
  /^\s*(?:re)?set\s+(?:local\s+|session\s+)?(?:role|session\s+authorization)\b/i
const SPAN = 4

/** Returns the first forbidden use in the bodies of a `DoStmt` or `CreateFunctionStmt`. */
export function inspectBodies(
  parser: SqlParser,
  fields: TreeFields,
  own: SchemaName,
): BodyFinding | undefined {
  for (const body of bodiesOf(fields)) {
    const finding = inspectText(parser, body, own)
    if (finding !== undefined) return finding
  }
  return undefined
}

function bodiesOf(fields: TreeFields): readonly string[] {
  return [...listOf(fields, 'args'), ...listOf(fields, 'options')].flatMap((option) => {
    const element = fieldsOf(option, 'DefElem')
    if (element === undefined || textOf(element, 'defname') !== 'as') return []
    const argument = fieldsOf(element, 'arg') ?? {}
    const parts = [argument, ...listOf(fieldsOf(argument, 'List') ?? {}, 'items')]
    return parts.flatMap((part) => textOf(fieldsOf(part, 'String') ?? {}, 'sval') ?? [])
  })
}

function inspectText(parser: SqlParser, body: string, own: SchemaName): BodyFinding | undefined {
  const tokens = parser.tokens(body)
  for (const [index, token] of tokens.entries()) {
    const found = inspectToken(tokens, index, token, own)
    if (found !== undefined) return found
  }
  return undefined
}

function inspectToken(
  tokens: readonly Token[],
  index: number,
  token: Token,
  own: SchemaName,
): BodyFinding | undefined {
  if (token.isString) return inspectLiteral(token.text)
  const here = tokens.slice(index, index + SPAN)
  if (/^(re)?set$/i.test(token.text) && ROLE_STATEMENT.test(here.map(({ text }) => text).join(' ')))
    return { kind: 'role' }
  if (
    token.text.toLowerCase() === 'set_config' &&
    /^E?'(role|session_authorization)'$/i.test(here[2]?.text ?? '')
  )
    return { kind: 'role' }
  if (here[1]?.text !== '.' || tokens[index - 1]?.text === '.') return undefined
  const name = token.text.startsWith('"') ? token.text.slice(1, -1) : token.text.toLowerCase()
  const isForeign = SYSTEM_SCHEMAS.has(name) || (name.startsWith('proj_') && name !== own)
  return isForeign ? { kind: 'schema', schema: name } : undefined
}

/** Checks a string literal, which can be a statement for EXECUTE. */
function inspectLiteral(literal: string): BodyFinding | undefined {
  const content = literal.replace(/^E?'|^\$\w*\$/i, '')
  return ROLE_STATEMENT.test(content) ? { kind: 'role' } : undefined
}
