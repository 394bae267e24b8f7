// Finds what is risky in the SQL of migration steps: locks, rewrites, lost data, open doors. Reads only text and row counts.
// Pure. A comment `-- tenantry: allow <rule> <reason>` before a statement accepts its findings of that rule.
import { createdTables } from '../../control/sql-console/created-tables.ts'
import {
  lineAt,
  type ParsedStatement,
  type SqlParser,
  SqlSyntaxError,
} from '../../database/sql-parser.ts'
import type { LintContext, LintStatement, Problem } from './problem.ts'
import { exposureProblems } from './rules/exposure.ts'
import { lockProblems } from './rules/locks.ts'
import { lossProblems } from './rules/loss.ts'
import { missingRowSecurity } from './rules/row-security.ts'
import { runnableProblems } from './rules/runnable.ts'

/** A step's file name and text. */
export interface LintedStep {
  readonly file: string
  readonly sql: string
}

export interface LintFinding extends Problem {
  readonly file: string
  /** 1-based line of the statement. */
  readonly line: number
}

/** What is known about the projects that the steps will reach. */
export interface LintFacts {
  /** The largest number of rows that any project has in the table; undefined when it is unknown. */
  readonly rowsOf: (table: string) => number | undefined
}

/** Returns the findings in the order of the steps and their lines. */
export function lintSteps(
  parser: SqlParser,
  steps: readonly LintedStep[],
  facts: LintFacts,
): readonly LintFinding[] {
  const parsed = steps.map((step) => ({ step, ...parseStep(parser, step) }))
  const all = parsed.flatMap(({ statements }) => statements)
  const context: LintContext = {
    parser,
    created: new Set(createdTables(all)),
    rowsOf: facts.rowsOf,
    all,
  }
  return parsed.flatMap(({ problem, statements, step }) => {
    const found = statements.flatMap((statement, index) =>
      findingsOf(step, statement, statements[index - 1]?.end ?? 0, context),
    )
    return problem === undefined ? found : [problem, ...found]
  })
}

function findingsOf(
  step: LintedStep,
  statement: ParsedStatement,
  earlierEnd: number,
  context: LintContext,
): readonly LintFinding[] {
  const start = beginningOf(step.sql, statement.start)
  const allowed = allowedRules(step.sql.slice(earlierEnd, start))
  const linted: LintStatement = { ...statement, source: step.sql }
  return RULES.flatMap((rule) => rule(linted, context))
    .filter(({ rule }) => !allowed.has(rule))
    .map((problem) => ({ file: step.file, line: lineAt(step.sql, start), ...problem }))
}

const RULES = [runnableProblems, lossProblems, lockProblems, exposureProblems, missingRowSecurity]

function parseStep(
  parser: SqlParser,
  { file, sql }: LintedStep,
): { readonly statements: readonly ParsedStatement[]; readonly problem?: LintFinding } {
  try {
    return { statements: parser.parse(sql) }
  } catch (error) {
    if (!(error instanceof SqlSyntaxError)) throw error
    const line = error.index === undefined ? 1 : lineAt(sql, error.index)
    const problem = {
      file,
      line,
      rule: 'syntax',
      severity: 'error',
      message: `Postgres cannot parse the step: ${error.message}.`,
      safer: null,
    } as const
    return { statements: [], problem }
  }
}

const SKIPPED = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/
const ALLOW = /^[\s;]*--\s*tenantry:\s*allow\s+([\w-]+)/gm

// The parser may count the white space and the comments before a statement as its text.
function beginningOf(sql: string, start: number): number {
  return start + (SKIPPED.exec(sql.slice(start))?.[0].length ?? 0)
}

function allowedRules(comments: string): ReadonlySet<string> {
  return new Set([...comments.matchAll(ALLOW)].map(([, rule = '']) => rule))
}
