// Rewrites scripts before sending: narrows `grant … to public`, limits SELECTs, and blanks out statements that only the
// platform may run. Line breaks stay, so that line numbers of errors match the caller's script. Pure.
import type { SchemaName } from '../../core/names.ts'
import type { ParsedStatement, SqlParser, TreeFields } from '../../database/sql-parser.ts'
import {
  fieldsOf,
  listOf,
  namesOf,
  numberOf,
  textOf,
  visitStatement,
} from '../../database/sql-tree.ts'
import type { SqlAdvice } from './sql-outcome.ts'

/** The LIMIT that is added to a SELECT without one (docs/wire/platform.md#db-exec). */
const ROW_LIMIT = 1000

export interface Rewritten {
  readonly text: string
  /** The changes to the caller's text, by position. */
  readonly edits: readonly Edit[]
  readonly advice: readonly SqlAdvice[]
  /**
   * The comment that the script sets on its schema; `null` removes the comment. The platform sets the comment, because it owns
   * the schema.
   */
  readonly schemaComment: string | null | undefined
}

/** Replaces the original text from string index `start` to `end` with `text`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Which SELECTs without a LIMIT get one, and its number of rows. */
export interface RowLimit {
  readonly selects: 'last' | 'every'
  readonly rows: number
}

const LAST_SELECT: RowLimit = { selects: 'last', rows: ROW_LIMIT }

const API_ROLES = 'anon, authenticated'

export function rewriteScript(
  parser: SqlParser,
  text: string,
  statements: readonly ParsedStatement[],
  schemaName: SchemaName,
  limit: RowLimit = LAST_SELECT,
): Rewritten {
  const edits: Edit[] = []
  const advice: SqlAdvice[] = []
  let schemaComment: string | null | undefined
  for (const statement of statements) {
    visitStatement(statement, (kind, fields) => {
      if (kind !== 'GrantStmt' || fields['is_grant'] !== true) return
      const found = publicEdits(parser, text, fields)
      edits.push(...found)
      if (found.length > 0) advice.push(publicAdvice(fields))
    })
    const comment = ownSchemaComment(statement, schemaName)
    if (comment !== undefined) schemaComment = comment
    if (comment !== undefined || makesOwnSchema(statement, schemaName))
      edits.push(blank(text, statement))
  }
  for (const { end } of unboundedSelects(statements, limit))
    edits.push({ start: end, end, text: `\nlimit ${limit.rows}` })
  edits.sort((a, b) => a.start - b.start)
  return { text: applyEdits(text, edits), edits, advice, schemaComment }
}

function unboundedSelects(
  statements: readonly ParsedStatement[],
  { selects }: RowLimit,
): readonly ParsedStatement[] {
  return (selects === 'last' ? statements.slice(-1) : statements).filter(isUnboundedSelect)
}

/** @param edits in the order of the text, without overlaps */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const edit of edits) {
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

function publicEdits(parser: SqlParser, text: string, grant: TreeFields): readonly Edit[] {
  return listOf(grant, 'grantees').flatMap((grantee) => {
    const role = fieldsOf(grantee, 'RoleSpec')
    if (role === undefined || textOf(role, 'roletype') !== 'ROLESPEC_PUBLIC') return []
    const start = parser.indexOf(text, numberOf(role, 'location') ?? 0)
    const word = /^"?public"?/i.exec(text.slice(start))?.[0]
    return word === undefined ? [] : [{ start, end: start + word.length, text: API_ROLES }]
  })
}

function publicAdvice(grant: TreeFields): SqlAdvice {
  const subject =
    listOf(grant, 'objects').map(objectName).filter(Boolean).join(', ') || 'default privileges'
  return {
    kind: 'grantToPublicConverted',
    subject,
    message: `GRANT … TO PUBLIC on ${subject} was run as GRANT … TO ${API_ROLES}, because PUBLIC would include every tenant.`,
    remedy: `Name the roles: GRANT … TO ${API_ROLES}.`,
  }
}

function objectName(object: TreeFields): string {
  const relation = fieldsOf(object, 'RangeVar')
  if (relation !== undefined) return textOf(relation, 'relname') ?? ''
  const routine = fieldsOf(object, 'ObjectWithArgs')
  if (routine !== undefined) return namesOf(routine['objname']).at(-1) ?? ''
  return namesOf([object])[0] ?? namesOf(fieldsOf(object, 'List')?.['items']).at(-1) ?? ''
}

function ownSchemaComment(
  { kind, fields }: ParsedStatement,
  schemaName: SchemaName,
): string | null | undefined {
  if (kind !== 'CommentStmt' || textOf(fields, 'objtype') !== 'OBJECT_SCHEMA') return undefined
  return namesOf([fields['object']])[0] === schemaName
    ? (textOf(fields, 'comment') ?? null)
    : undefined
}

// Matches `create schema if not exists` for the project's own schema. Postgres would refuse it for lack of privileges, although
// the schema exists.
function makesOwnSchema({ kind, fields }: ParsedStatement, schemaName: SchemaName): boolean {
  if (kind !== 'CreateSchemaStmt' || textOf(fields, 'schemaname') !== schemaName) return false
  return fields['if_not_exists'] === true && listOf(fields, 'schemaElts').length === 0
}

function blank(text: string, { end, start }: ParsedStatement): Edit {
  return { start, end, text: text.slice(start, end).replaceAll(/[^\n]/g, ' ') }
}

function isUnboundedSelect({ kind, fields }: ParsedStatement): boolean {
  return kind === 'SelectStmt' && fields['limitCount'] === undefined && !createsTable(fields)
}

function createsTable(select: TreeFields): boolean {
  if (select['intoClause'] !== undefined) return true
  const left = fieldsOf(select, 'larg')
  return left !== undefined && createsTable(left)
}
