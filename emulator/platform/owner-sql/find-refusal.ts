// Finds what an owner's script may not contain (docs/wire/platform.md#db-exec): transaction control, role changes and names of
// other schemas. The engine refuses these at run time when the script's text does not show them. Pure.
import type { SchemaName } from '../../core/names.ts'
import type { ParsedStatement, SqlParser, Token, TreeFields } from '../../database/sql-parser.ts'
import {
  constantText,
  fieldsOf,
  listOf,
  namesOf,
  textOf,
  visitStatement,
} from '../../database/sql-tree.ts'
import { qualifiersOf } from './qualifiers.ts'

export interface Refusal {
  readonly code: 'transaction_control_blocked' | 'role_change_blocked' | 'system_schema_protected'
  readonly message: string
  readonly hint: string
}

const ROLE_SETTINGS = new Set(['role', 'session_authorization'])

/** Returns the first refusal of a script, or `undefined`. */
export function findRefusal(
  parser: SqlParser,
  text: string,
  statements: readonly ParsedStatement[],
  schemaName: SchemaName,
): Refusal | undefined {
  for (const statement of statements) {
    if (statement.kind === 'TransactionStmt') return transactionControl(statement.fields)
    let found: Refusal | undefined
    visitStatement(statement, (kind, fields) => {
      found ??= refusalOf(parser, text, kind, fields, schemaName)
    })
    if (found !== undefined) return found
  }
  return undefined
}

function refusalOf(
  parser: SqlParser,
  text: string,
  kind: string,
  fields: TreeFields,
  schemaName: SchemaName,
): Refusal | undefined {
  if (changesRole(kind, fields)) return roleChange()
  const foreign = qualifiersOf(parser, text, kind, fields).find(
    ({ schema, isCall }) => !isOwn(schema, isCall, schemaName),
  )
  if (foreign !== undefined) return foreignSchema(foreign.schema, schemaName)
  if (kind !== 'DoStmt' && kind !== 'CreateFunctionStmt') return undefined
  const finding = inspectBodies(parser, fields, schemaName)
  if (finding === undefined) return undefined
  return finding.kind === 'role' ? roleChange() : foreignSchema(finding.schema, schemaName)
}

function changesRole(kind: string, fields: TreeFields): boolean {
  if (kind === 'VariableSetStmt')
    return ROLE_SETTINGS.has((textOf(fields, 'name') ?? '').toLowerCase())
  if (kind !== 'FuncCall' || namesOf(fields['funcname']).at(-1) !== 'set_config') return false
  return listOf(fields, 'args').some((argument) => {
    const named = fieldsOf(argument, 'NamedArgExpr')
    const value = constantText(named === undefined ? argument : fieldsOf(named, 'arg'))
    return ROLE_SETTINGS.has((value ?? '').toLowerCase())
  })
}

// Whether the script may name the schema. Besides the project's own schema these are `extensions`, the caller's temporary
// objects and functions of `auth`.
function isOwn(schema: string, isCall: boolean, own: SchemaName): boolean {
  return (
    schema === own ||
    schema === 'extensions' ||
    schema === 'pg_temp' ||
    (schema === 'auth' && isCall)
  )
}

function transactionControl(fields: TreeFields): Refusal {
  const word = (textOf(fields, 'kind') ?? '').replace('TRANS_STMT_', '').replaceAll('_', ' ')
  return {
    code: 'transaction_control_blocked',
    message: `${word} is not allowed here, because each call runs in its own transaction.`,
    hint: 'Leave the statement out. When a statement fails, the whole call is undone.',
  }
}

function roleChange(): Refusal {
  return {
    code: 'role_change_blocked',
    message: 'The SQL changes the role, but db/exec always runs as the project’s owner role.',
    hint: 'Leave out SET ROLE and SET SESSION AUTHORIZATION. To test policies, send a REST request with a key of the role.',
  }
}

function foreignSchema(schema: string, own: SchemaName): Refusal {
  return {
    code: 'system_schema_protected',
    message: `The SQL names the schema "${schema}", which does not belong to this project.`,
    hint:
      schema.startsWith('pg_') || schema === 'information_schema'
        ? 'Use catalogue views without the schema: pg_tables, pg_policies, pg_class.'
        : `Use names without a schema, or "${own}".`,
  }
}

// Searches function and DO bodies for what `find-refusal.ts` refuses. The search can miss SQL text that a body builds at run
// time. The engine enforces the rules in that case. Pure.

type BodyFinding = { readonly kind: 'role' } | { readonly kind: 'schema'; readonly schema: string }

const SYSTEM_SCHEMAS = new Set(['pg_catalog', 'information_schema', 'pg_toast'])
const ROLE_STATEMENT =
  /^\s*(?:re)?set\s+(?:local\s+|session\s+)?(?:role|session\s+authorization)\b/i
const SPAN = 4

/** Returns the first forbidden use in the bodies of a `DoStmt` or `CreateFunctionStmt`. */
function inspectBodies(
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
