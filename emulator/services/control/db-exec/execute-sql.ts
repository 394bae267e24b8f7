// Implements db/exec (docs/wire/platform.md#db-exec): runs an owner's SQL in one transaction as the project's owner role and
// returns the last result as JSON. Throws a `ManagementError` when the analysis refuses the script; returns errors of Postgres
// as `sqlError`.
import { type JsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { ownerRoleOf, type SchemaName } from '../../../core/names.ts'
import { SECOND_MILLIS } from '../../../core/time.ts'
import { searchPathOf } from '../../../database/as-principal.ts'
import {
  cellText,
  type Engine,
  type Notice,
  rowsLeftOut,
  SqlError,
  type StatementResult,
  type WorkResult,
  wasNotBegun,
} from '../../../database/engine.ts'
import { identifier, literal, script, sql, tenantScript } from '../../../database/sql.ts'
import {
  firstWordOf,
  indexOfCharacter,
  lineAt,
  loadSqlParser,
  type SqlParser,
} from '../../../database/sql-parser.ts'
import {
  type ArrayText,
  parseArrayText,
  parseRecordText,
} from '../../../database/values/row-text.ts'
import {
  createTypeShapes,
  type TypeShape,
  type TypeShapes,
} from '../../../database/values/type-shapes.ts'
import { type Analysis, analyseScript } from '../../../platform/owner-sql/analyse-script.ts'
import { rowSecurityAdvice } from '../../../platform/owner-sql/created-tables.ts'
import type { ExecuteSql, SqlAdvice, SqlOutcome } from '../../../platform/owner-sql/sql-outcome.ts'
import { ManagementError } from '../errors.ts'

export interface SqlExecutorDeps {
  readonly engine: Engine
  /** Maximum size of the rows in a response, in bytes. */
  readonly maxResultBytes: number
}

type Ready = Analysis & { readonly kind: 'ready' }

/** Time limit of one call (docs/wire/platform.md#db-exec). */
const TIMEOUT_MILLIS = 30 * SECOND_MILLIS

/** Creates the function that the route `db/exec` calls. */
export function createSqlExecutor({ engine, maxResultBytes }: SqlExecutorDeps): ExecuteSql {
  const typeShapes = createTypeShapes(engine)
  return async (project, sqlText, signal, requestId) => {
    const { schemaName } = project
    const parser = await loadSqlParser()
    const analysis = analyseScript(parser, sqlText, schemaName)
    if (analysis.kind === 'refused') {
      const { code, hint, message } = analysis.refusal
      throw new ManagementError(code, message, { hint })
    }
    if (analysis.kind === 'broken') return { ...analysis, kind: 'sqlError' }
    try {
      const bounds = { signal, requestId, maxResultBytes }
      const result = await runAsOwner(engine, schemaName, analysis.text, bounds)
      await commentSchema(engine, schemaName, analysis.schemaComment)
      if (rowsLeftOut(result.results.at(-2)) > 0) return tooLarge(maxResultBytes)
      return await outcomeOf(result, analysis, (oids) => typeShapes.of(schemaName, oids))
    } catch (error) {
      if (error instanceof SqlError && !wasNotBegun(error))
        return sqlErrorOf(parser, error, analysis, sqlText)
      throw error
    }
  }
}

function runAsOwner(
  engine: Engine,
  schemaName: SchemaName,
  text: string,
  {
    signal,
    requestId,
    maxResultBytes,
  }: {
    readonly signal: AbortSignal
    readonly requestId: string | undefined
    readonly maxResultBytes: number
  },
): Promise<WorkResult> {
  return engine.run({
    actor: { schemaName, role: ownerRoleOf(schemaName) },
    settings: { search_path: searchPathOf(schemaName) },
    mode: 'readWrite',
    statements: tenantScript(text),
    end: 'commit',
    timeoutMillis: TIMEOUT_MILLIS,
    maxResultBytes,
    signal,
    ...(requestId === undefined ? {} : { requestId }),
  })
}

/**
 * Sets the schema comment that the owner's script asked for. The platform owns the schema, so the platform's role runs the
 * statement, with the text as a literal. Does nothing for `undefined`. @throws {SqlError}
 */
export async function commentSchema(
  engine: Engine,
  schemaName: SchemaName,
  schemaComment: string | null | undefined,
): Promise<void> {
  if (schemaComment === undefined) return
  const text = schemaComment === null ? sql`null` : literal(schemaComment)
  await engine.admin(
    schemaName,
    script([sql`comment on schema ${identifier(schemaName)} is ${text}`]),
  )
}

// The limit is checked after the commit, so the script's changes stay.
function tooLarge(maxResultBytes: number): SqlOutcome {
  return {
    kind: 'sqlError',
    code: '54000',
    message: `the script was run and committed, but its result has more than ${maxResultBytes} bytes of rows; select fewer rows or columns, or start Tenantry with a larger --max-result`,
    line: undefined,
  }
}

type ShapesOf = (oids: readonly number[]) => ReturnType<TypeShapes['of']>

/**
 * The second-to-last result is the script's. The last result lists the tables without row-level security (`unprotectedQuery`).
 */
async function outcomeOf(
  { durationMillis, notices, results }: WorkResult,
  analysis: Ready,
  shapesOf: ShapesOf,
): Promise<SqlOutcome> {
  const result = results.at(-2)
  const unprotected = (results.at(-1)?.rows ?? []).map(([name]) => cellText(name) ?? '')
  return {
    kind: 'done',
    columns: result?.fields.map(({ name }) => name) ?? [],
    rows: result === undefined ? [] : await rowsOf(result, shapesOf),
    rowsAffected: result === undefined ? 0 : rowsAffected(result),
    durationMillis,
    advice: [...analysis.advice, ...unprotected.map(rowSecurityAdvice), ...leftOutAdvice(notices)],
  }
}

async function rowsOf(
  { fields, rows }: StatementResult,
  shapesOf: ShapesOf,
): Promise<readonly JsonObject[]> {
  if (rows.length === 0) return []
  const shapeOf = await shapesOf(fields.map(({ typeOid }) => typeOid))
  const shapes = fields.map(({ name, typeOid }) => ({ name, shape: shapeOf(typeOid) }))
  return rows.map((row) =>
    Object.fromEntries(
      shapes.map(({ name, shape }, index): [string, JsonValue] => [
        name,
        decodeCell(cellText(row[index]), shape),
      ]),
    ),
  )
}

/** Returns the number that ends a command tag, such as `INSERT 0 3`. Returns 0 for statements that report no count. */
function rowsAffected({ commandTag }: StatementResult): number {
  return Number(/ (\d+)$/.exec(commandTag)?.[1] ?? 0)
}

// Line numbers match the caller's script, because rewriting keeps line breaks and additions follow the last line.
function sqlErrorOf(
  parser: SqlParser,
  { code, facts, message }: SqlError,
  { text }: Ready,
  sqlText: string,
): SqlOutcome {
  const lastLine = lineAt(sqlText, sqlText.length)
  const { position } = facts
  const line =
    position === undefined
      ? lineOfStatement(parser, text, facts.statementsDone)
      : Math.min(lineAt(text, indexOfCharacter(text, position - 1)), lastLine)
  // An error of the commit belongs to no line of the script, so its line is left out.
  return {
    kind: 'sqlError',
    code,
    message,
    line: line !== undefined && line <= lastLine ? line : undefined,
  }
}

// Many errors have no position, for example those of constraints. The line is then that of the failed statement.
function lineOfStatement(
  parser: SqlParser,
  text: string,
  statementsDone: number | undefined,
): number | undefined {
  const failed = statementsDone === undefined ? undefined : parser.parse(text)[statementsDone]
  return failed && lineAt(text, firstWordOf(text, failed))
}

// Finds the notices of GRANT and REVOKE on all objects of a schema (cluster/shared/32-grants-on-all.sql). Pure.
// The message of privilege_not_granted or privilege_not_revoked, such as "GRANT left out 8 tables of the platform".
const SQL_STATES = new Set(['01007', '01006'])
const MESSAGE = /^(GRANT|REVOKE) left out (\d+ \w+) of the platform$/

/**
 * Returns one advice for each GRANT or REVOKE that skipped objects of the platform. The subject is the number and kind of these
 * objects.
 */
function leftOutAdvice(notices: readonly Notice[]): readonly SqlAdvice[] {
  return notices.flatMap(({ message, sqlState }) => {
    const [, command, subject] = (SQL_STATES.has(sqlState) && MESSAGE.exec(message)) || []
    if (command === undefined || subject === undefined) return []
    return [
      {
        kind: 'platformLeftOut' as const,
        subject,
        message: `${message}. The project’s own objects were changed.`,
        remedy: `Nothing to do. To avoid this advice, name the objects: ${command} … ON notes.`,
      },
    ]
  })
}

// Converts a cell from Postgres's text format to JSON by its type, for the `rows` of db/exec. Pure.

const BOOLEAN = 16
const BIGINT = 20
const NUMBERS = new Set([
  21 /* int2 */, 23 /* int4 */, 26 /* oid */, 700 /* float4 */, 701 /* float8 */,
])
const JSONS = new Set([114 /* json */, 3802 /* jsonb */])

/**
 * Returns the cell as JSON; `undefined` is SQL NULL. NaN, infinities and bigints beyond the range of JSON numbers stay text.
 * Arrays become lists and composites become objects; their elements follow the same rules.
 */
function decodeCell(text: string | undefined, shape: TypeShape): JsonValue {
  if (text === undefined) return null
  switch (shape.kind) {
    case 'scalar':
      return decodeScalar(text, shape.oid)
    case 'array':
      return decodeElements(parseArrayText(text, shape.delimiter), shape.element())
    case 'record': {
      const cells = parseRecordText(text)
      return Object.fromEntries(
        shape.fields.map((field, index) => [
          field.name,
          decodeCell(cells[index] ?? undefined, field.shape()),
        ]),
      )
    }
    default:
      return shape satisfies never
  }
}

function decodeElements(elements: ArrayText, shape: TypeShape): JsonValue {
  return elements.map((element) =>
    element === null || typeof element === 'string'
      ? decodeCell(element ?? undefined, shape)
      : decodeElements(element, shape),
  )
}

function decodeScalar(text: string, typeOid: number): JsonValue {
  if (typeOid === BOOLEAN) return text === 't'
  if (JSONS.has(typeOid)) return decodeJson(text)
  const isNumeric = NUMBERS.has(typeOid) || typeOid === BIGINT
  if (!isNumeric) return text
  const number = Number(text)
  const isExact = typeOid === BIGINT ? Number.isSafeInteger(number) : Number.isFinite(number)
  return isExact ? number : text
}

function decodeJson(text: string): JsonValue {
  const value = parseJson(text)
  return value === undefined ? text : value
}
