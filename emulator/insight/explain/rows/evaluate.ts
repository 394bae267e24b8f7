// Evaluates policy expressions as an identity: with its role and claims, read-only, inside the fence (docs/architecture.md,
// glossary). The rows are passed as an array under the table's name. So columns, whole rows and outer references resolve as in
// the policy, and policies also apply to subqueries. An error in one row does not affect other rows.

import type { Clock } from '../../../core/clock.ts'
import type { Principal } from '../../../core/principal.ts'
import { claimSettings, searchPathOf } from '../../../database/as-principal.ts'
import { type Answer, cellText, type Engine, SqlError } from '../../../database/engine.ts'
import { PLAIN_FORMATS } from '../../../database/row-reader.ts'
import { identifier, type Sql, sql, verbatim } from '../../../database/sql.ts'
import { parseRecordText } from '../../../database/values/row-text.ts'
import type { SecuredTable } from '../../tables/table.ts'

/** The values of one row: text for each expression, or the error that Postgres raised for this row. */
export type RowValues = readonly (string | null)[] | SqlError

/** Maximum duration of one round trip, in wall-clock milliseconds. */
export const TIME_LIMIT_MILLIS = 5_000
/** Maximum duration of all round trips of one request, in wall-clock milliseconds. The engine does no other work meanwhile. */
const ALL_MILLIS = 10_000
/** Rows that raise an error are found by bisection. After this many statements the remaining rows get the same error. */
const MAX_QUESTIONS = 2_000
const CANCELLED = '57014'

/** HTTP method that policies see as `request.method` for each command. */
export const METHODS = { select: 'GET', insert: 'POST', update: 'PATCH', delete: 'DELETE' } as const

export interface Evaluation {
  readonly engine: Pick<Engine, 'ask' | 'run'>
  readonly table: SecuredTable
  readonly principal: Principal
  /** HTTP method that policies see as `request.method`. */
  readonly method: string
  /** Returns the remaining wall-clock milliseconds. If this function is absent, the limit of one round trip applies. */
  readonly timeLeft?: () => number
}

/** Returns a function for the milliseconds that remain of one request's time limit. */
export function timeLeft(wallClock: Clock): () => number {
  const end = wallClock.now() + ALL_MILLIS
  return () => end - wallClock.now()
}

/** Whether the evaluation ran out of time. A retry would fail, too. */
export function isTooSlow({ code }: SqlError): boolean {
  return code === CANCELLED
}

/**
 * Evaluates all expressions for each row.
 * @param rows texts of records
 * @returns one entry per row, and the same object for equal rows; or a single error if the statement fails even without rows
 */
export async function evaluateRows(
  evaluation: Evaluation,
  expressions: readonly string[],
  rows: readonly string[],
): Promise<readonly RowValues[] | SqlError> {
  const [first] = await evaluateAsEach([evaluation.principal], evaluation, expressions, rows)
  return first ?? []
}

/**
 * Evaluates rows like evaluateRows, for several identities of one role. Takes one round trip unless an expression raises an
 * error.
 */
export async function evaluateAsEach(
  principals: readonly Principal[],
  evaluation: Omit<Evaluation, 'principal'>,
  expressions: readonly string[],
  rows: readonly string[],
): Promise<readonly (readonly RowValues[] | SqlError)[]> {
  const [{ role } = { role: undefined }] = principals
  if (role === undefined) return []
  const statement = statementOf(evaluation.table, expressions)
  const { kinds, kindOf } = alikeRows(evaluation.table, expressions, rows)
  const params = [arrayText(kinds)]
  const asked = principals.map((principal) => ({ settings: claimSettings(principal), params }))
  const answers = await ask(evaluation, role, statement, asked)
  const results: (readonly RowValues[] | SqlError)[] = []
  for (const [index, principal] of principals.entries()) {
    const answer = answers[index] ?? tooSlow()
    const values =
      answer instanceof SqlError
        ? await apart({ ...evaluation, principal }, statement, kinds, answer)
        : answer.map(textsOf)
    results.push(values instanceof SqlError ? values : kindOf.map((kind) => values[kind] ?? []))
  }
  return results
}

/** Whether all conditions are true for the row. Evaluates them in order, and stops at the first that is not true. */
export async function meetsAll(
  evaluation: Evaluation,
  quals: readonly string[],
  row: string,
): Promise<boolean | SqlError> {
  for (const qual of quals) {
    const statement = sql`select 1 ${sourceOf(evaluation.table)} where ${verbatim(qual)}`
    const [answer] = await ask(evaluation, evaluation.principal.role, statement, [
      { settings: claimSettings(evaluation.principal), params: [arrayText([row])] },
    ])
    if (answer === undefined) return tooSlow()
    if (answer instanceof SqlError) return answer
    if (answer.length === 0) return false
  }
  return true
}

/** Formats the texts of records as an array literal. */
export function arrayText(elements: readonly string[]): string {
  return `{${elements.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}

function statementOf(table: SecuredTable, expressions: readonly string[]): Sql {
  const list = expressions.length === 0 ? 'null' : expressions.join(', ')
  return sql`select ${verbatim(list)} ${sourceOf(table)}`
}

function sourceOf({ schemaName, name }: SecuredTable): Sql {
  const array = sql`${''}::${identifier(schemaName, name)}[]`
  return sql`from pg_catalog.unnest(${array}) as ${identifier(name)}`
}

// Almost all cells are booleans, whose text is one letter.
function textsOf(row: readonly (Uint8Array | null)[]): readonly (string | null)[] {
  return row.map((cell) =>
    cell?.length === 1 ? String.fromCharCode(cell[0] ?? 0) : (cellText(cell) ?? null),
  )
}

function tooSlow(): SqlError {
  return new SqlError(CANCELLED, 'evaluating the policies takes too long')
}

interface Segment {
  readonly start: number
  readonly end: number
  readonly error: SqlError
}

// Bisects the failed rows until each row that raises an error is alone. Does not bisect when the statement fails even without
// rows, because it then fails for every row.
async function apart(
  evaluation: Evaluation,
  statement: Sql,
  rows: readonly string[],
  error: SqlError,
): Promise<readonly RowValues[] | SqlError> {
  if (error.code === CANCELLED) return tooSlow()
  const questionOf = (texts: readonly string[]) => ({
    settings: claimSettings(evaluation.principal),
    params: [arrayText(texts)],
  })
  const { role } = evaluation.principal
  const [empty] = await ask(evaluation, role, statement, [questionOf([])])
  if (empty instanceof SqlError) return empty
  const values: RowValues[] = rows.map(() => error)
  let failed: readonly Segment[] = [{ start: 0, end: rows.length, error }]
  for (let asked = 0; failed.length > 0 && asked < MAX_QUESTIONS; ) {
    const halves = failed.filter(({ start, end }) => end - start > 1).flatMap(halved)
    if (halves.length === 0) break
    asked += halves.length
    const answers = await ask(
      evaluation,
      role,
      statement,
      halves.map(({ start, end }) => questionOf(rows.slice(start, end))),
    )
    failed = halves.flatMap((half, index) => settle(half, answers[index] ?? tooSlow(), values))
  }
  return values
}

function halved({ start, end, error }: Segment): readonly Segment[] {
  const middle = Math.floor((start + end) / 2)
  return [
    { start, end: middle, error },
    { start: middle, end, error },
  ]
}

function settle({ start, end }: Segment, answer: Answer, values: RowValues[]): readonly Segment[] {
  if (answer instanceof SqlError) {
    values.fill(answer, start, end)
    return [{ start, end, error: answer }]
  }
  for (const [index, row] of answer.entries()) values[start + index] = textsOf(row)
  return []
}

async function ask(
  { engine, table, method, timeLeft = () => TIME_LIMIT_MILLIS }: Omit<Evaluation, 'principal'>,
  role: Principal['role'],
  statement: Sql,
  questions: readonly {
    readonly settings: Readonly<Record<string, string>>
    readonly params: readonly (string | null)[]
  }[],
): Promise<readonly Answer[]> {
  const left = Math.min(TIME_LIMIT_MILLIS, timeLeft())
  if (left < 1) return questions.map(tooSlow)
  try {
    return await engine.ask({
      actor: { schemaName: table.schemaName, role },
      settings: {
        search_path: searchPathOf(table.schemaName),
        ...PLAIN_FORMATS,
        'request.method': method,
        'request.path': `/${table.name}`,
        'request.headers': '{}',
        'request.cookies': '{}',
      },
      statement,
      questions,
      timeoutMillis: left,
    })
  } catch (error) {
    // All rows get this error when evaluating a policy crashes the engine.
    if (error instanceof SqlError) return questions.map(() => error)
    throw error
  }
}

export interface AlikeRows {
  /** One row for each group of equal rows, in the order of the rows. */
  readonly kinds: readonly string[]
  /** The index in `kinds` of each row's group. */
  readonly kindOf: readonly number[]
}

/**
 * Groups rows that are equal in all columns that the expressions read.
 * @param rows texts of records, with a cell for each column of the table
 */
export function alikeRows(
  { columns }: Pick<SecuredTable, 'columns'>,
  expressions: readonly string[],
  rows: readonly string[],
): AlikeRows {
  const isRead = columnsRead({ columns }, expressions)
  if (rows.length < 2 || isRead?.includes(false) !== true) return eachItsOwn(rows)
  const kinds: string[] = []
  const known = new Map<string, number>()
  const kindOf = rows.map((row) => {
    const key = keyOf(parseRecordText(row), isRead)
    const kind = known.get(key) ?? kinds.push(row) - 1
    known.set(key, kind)
    return kind
  })
  return { kinds, kindOf }
}

/** States for each column whether the expressions may read it. Returns `undefined` when they read a whole row. */
export function columnsRead(
  { columns }: Pick<SecuredTable, 'columns'>,
  expressions: readonly string[],
): readonly boolean[] | undefined {
  const text = expressions.join('\n')
  return readsWholeRow(text) ? undefined : columns.map(({ name }) => mentions(text, name))
}

function eachItsOwn(rows: readonly string[]): AlikeRows {
  return { kinds: rows, kindOf: rows.map((_, index) => index) }
}

// Postgres prints a whole row as `name.*`. The test also matches rows of other tables, which is slower but correct.
function readsWholeRow(text: string): boolean {
  return /\.\s*\*/.test(text)
}

// An expression that reads a column contains its name, quoted or not. The test also matches the same word with another
// meaning, which is slower but correct.
function mentions(text: string, column: string): boolean {
  const name = column.replaceAll('"', '""')
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isWord(text[at - 1]) && !isWord(text[at + name.length])) return true
  return false
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\w$]/.test(char)
}

// Separates cells with NUL, which no cell can contain.
function keyOf(cells: readonly (string | null)[], isRead: readonly boolean[]): string {
  let key = ''
  for (const [index, cell] of cells.entries())
    if (isRead[index] === true) key += cell === null ? '\0' : `\0=${cell}`
  return key
}
