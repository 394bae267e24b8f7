// Finds the relations, functions and columns that occur in SQL: in expressions, queries and bodies of functions. Pure.
// cspell:ignore ctename
import { type SqlParser, SqlSyntaxError } from '../../../database/sql-parser.ts'
import { namesOf, textOf, visitStatement } from '../../../database/sql-tree.ts'

/** Names without schemas. Objects of other schemas than a project's are left out. */
export interface References {
  readonly relations: ReadonlySet<string>
  readonly functions: ReadonlySet<string>
  readonly columns: ReadonlySet<string>
  /** Whether the SQL contains a query inside an expression, such as `(select auth.uid())`. */
  readonly hasSubquery: boolean
}

/** @param trees expressions or statements of a parse tree */
export function referencesOf(...trees: readonly unknown[]): References {
  const relations = new Set<string>()
  const functions = new Set<string>()
  const columns = new Set<string>()
  const named = new Set<string>()
  let hasSubquery = false
  visitStatement({ kind: 'References', fields: { trees }, start: 0, end: 0 }, (kind, fields) => {
    if (kind === 'RangeVar' && isOwn(textOf(fields, 'schemaname')))
      relations.add(textOf(fields, 'relname') ?? '')
    else if (kind === 'CommonTableExpr') named.add(textOf(fields, 'ctename') ?? '')
    else if (kind === 'SubLink') hasSubquery = true
    else if (kind === 'ColumnRef') columns.add(namesOf(fields['fields']).at(-1) ?? '')
    else if (kind === 'FuncCall') {
      const names = namesOf(fields['funcname'])
      if (isOwn(names.at(-2))) functions.add(names.at(-1) ?? '')
    }
  })
  for (const name of named) relations.delete(name)
  return { relations, functions, columns, hasSubquery }
}

function isOwn(schema: string | undefined): boolean {
  return schema === undefined || schema.startsWith('proj_')
}

/** @param body text of a function in SQL or another language, such as PL/pgSQL */
export function referencesOfBody(parser: SqlParser, body: string): References {
  try {
    return referencesOf(parser.parse(body).map(({ fields, kind }) => ({ [kind]: fields })))
  } catch (error) {
    if (!(error instanceof SqlSyntaxError)) throw error
    return wordsOfBody(body)
  }
}

const COMMENTS_AND_TEXTS = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g
const NAME = String.raw`(?:proj_\w+\.)?(?:"([^"]+)"|([a-z_][\w$]*))`
const RELATION = new RegExp(String.raw`\b(?:from|join|update|into|only)\s+${NAME}(?!\s*\()`, 'gi')
const CALL = new RegExp(String.raw`(?<![.\w])${NAME}\s*\(`, 'gi')
const WORD = new RegExp(NAME, 'gi')

// The parser cannot parse PL/pgSQL. Names that follow FROM, JOIN and similar words count as relations.
function wordsOfBody(body: string): References {
  const text = body.replaceAll(COMMENTS_AND_TEXTS, ' ')
  const all = (pattern: RegExp): ReadonlySet<string> =>
    new Set(
      [...text.matchAll(pattern)].map(([, quoted, plain = '']) => quoted ?? plain.toLowerCase()),
    )
  return {
    relations: all(RELATION),
    functions: all(CALL),
    columns: all(WORD),
    hasSubquery: true,
  }
}

/** Returns all names that occur in at least one of the arguments. */
export function joined(...all: readonly References[]): References {
  const of = (part: 'relations' | 'functions' | 'columns'): ReadonlySet<string> =>
    new Set(all.flatMap((one) => [...one[part]]))
  return {
    relations: of('relations'),
    functions: of('functions'),
    columns: of('columns'),
    hasSubquery: all.some((one) => one.hasSubquery),
  }
}
