// Evaluates expressions of policies as an identity: in its role, with its claims, inside the fence, read-only. The rows come
// as an array under the table's own name, so that columns, whole rows and outer references inside subqueries resolve as in
// the policy itself, and what a subquery reads stands under its own policies. A row that raises spoils no other.
import type { Clock } from '../../core/clock.ts'
import { type ActingPrincipal, claimSettings, searchPathOf } from '../../database/as-principal.ts'
import { type Answer, cellText, type Engine, SqlError } from '../../database/engine.ts'
import { PLAIN_FORMATS } from '../../database/row-reader.ts'
import { identifier, type Sql, sql, verbatim } from '../../database/sql.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { alikeRows } from './alike-rows.ts'

/** What one row gives: a text per expression, or why Postgres gave none. */
export type RowValues = readonly (string | null)[] | SqlError

/** Wall milliseconds for one round of questions. */
const TIME_LIMIT_MILLIS = 5_000
/** Wall milliseconds for all questions of one request: meanwhile the engine serves nobody else. */
const ALL_MILLIS = 10_000
/** Rows that raise are found by halving: so many questions, then the rest is taken to raise alike. */
const MAX_QUESTIONS = 2_000
const CANCELLED = '57014'

export interface Evaluation {
  readonly engine: Engine
  readonly table: SecuredTable
  readonly principal: ActingPrincipal
  /** `GET`, `PATCH` …: what policies may read of the request. */
  readonly method: string
  /** Wall milliseconds that are left; absent: as many as one round takes. */
  readonly timeLeft?: () => number
}

/** Counts down what one request may take of the engine's time. */
export function timeLeft(wallClock: Clock): () => number {
  const end = wallClock.now() + ALL_MILLIS
  return () => end - wallClock.now()
}

/** Whether time ran out, so that asking again is of no use. */
export function isTooSlow({ code }: SqlError): boolean {
  return code === CANCELLED
}

/**
 * Evaluates all expressions on each row.
 * @param rows texts of records
 * @returns one entry per row, the same for rows that are alike; one error when the statement fails whatever the rows are
 */
export async function evaluateRows(
  evaluation: Evaluation,
  expressions: readonly string[],
  rows: readonly string[],
): Promise<readonly RowValues[] | SqlError> {
  const [first] = await evaluateAsEach([evaluation.principal], evaluation, expressions, rows)
  return first ?? []
}

/** The same for several identities of one role, in one round trip as long as nothing raises. */
export async function evaluateAsEach(
  principals: readonly ActingPrincipal[],
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

/** Whether Postgres lets the row through each condition, asked in its own order: the first that does not settles it. */
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

/** An array literal of records' texts. */
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

// Nearly all cells are a boolean's one letter.
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

// Halves what failed until every row that raises stands alone. What fails without any row fails with every row.
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
  role: ActingPrincipal['role'],
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
    // A policy may cost the engine's life, too.
    if (error instanceof SqlError) return questions.map(() => error)
    throw error
  }
}
