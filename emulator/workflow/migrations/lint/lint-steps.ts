// Finds risks in the SQL of migration steps: locks, rewrites, lost data, unintended access, policies that do not work together.
// Pure. A comment `-- tenantry: allow <rule> <reason>` before a statement accepts the findings of that rule in the statement.
import type { LintFinding } from '../../../contract/migrations.ts'
import { lineAt, type SqlParser, SqlSyntaxError } from '../../../database/sql-parser.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'
import { modelOfStatements } from '../../../insight/explain/schema-model/apply-statement.ts'
import { modelOfStructure } from '../../../insight/explain/schema-model/model-of-structure.ts'
import { createdTables } from '../../../platform/owner-sql/created-tables.ts'
import { splitStatements } from '../steps/statements.ts'
import type { StepSource } from '../steps/step.ts'
import type { LintContext, LintStatement, Problem } from './problem.ts'
import { clientProblems } from './rules/clients.ts'
import { exposureProblems } from './rules/exposure.ts'
import { lockProblems } from './rules/locks.ts'
import { lossProblems } from './rules/loss.ts'
import { missingRowSecurity } from './rules/row-security.ts'
import { runnableProblems } from './rules/runnable.ts'
import { type CostOf, schemaProblems } from './rules/schema-rules.ts'
import type { ClientsOf } from './traffic.ts'

/** What is known about the projects in which the steps will run. */
export interface LintFacts {
  /** The largest number of rows that any project has in the table; undefined when it is unknown. */
  readonly rowsOf: (table: string) => number | undefined
  /** The structure that the steps change. The default is the structure that `earlier` builds. */
  readonly structure?: SchemaStructure | undefined
  /** Steps that ran before the linted steps. They are not linted. */
  readonly earlier?: readonly StepSource[]
  readonly costOf?: CostOf
  readonly clientsOf?: ClientsOf
}

/** Returns the findings in the order of the steps and their lines. */
export function lintSteps(
  parser: SqlParser,
  steps: readonly StepSource[],
  facts: LintFacts,
): readonly LintFinding[] {
  const parsed = steps.map((step) => ({ step, ...parseStep(parser, step) }))
  const all = parsed.flatMap(({ statements }) => statements)
  const context: LintContext = {
    parser,
    created: new Set(createdTables(all)),
    rowsOf: facts.rowsOf,
    clientsOf: facts.clientsOf ?? (() => undefined),
    all,
  }
  const { costOf = () => undefined, earlier = [], structure } = facts
  const ran = earlier.flatMap((step) => parseStep(parser, step).statements)
  const modelBefore = () =>
    structure === undefined ? modelOfStatements(parser, ran) : modelOfStructure(parser, structure)
  const ofSchema = schemaProblems(all, modelBefore, costOf)
  return parsed.flatMap(({ problem, statements, step }) => {
    const found = statements.flatMap((statement, index) => {
      const comments = step.sql.slice(statements[index - 1]?.end ?? 0, statement.start)
      const problems = [
        ...RULES.flatMap((rule) => rule(statement, context)),
        ...(ofSchema.get(statement) ?? []),
      ]
      return findingsOf(step, statement, comments, problems)
    })
    return problem === undefined ? found : [problem, ...found]
  })
}

function findingsOf(
  { file }: StepSource,
  statement: LintStatement,
  comments: string,
  problems: readonly Problem[],
): readonly LintFinding[] {
  const allowed = new Set([...comments.matchAll(ALLOW)].map(([, rule = '']) => rule))
  return problems
    .filter(({ rule }) => !allowed.has(rule))
    .map((problem) => ({ file, line: statement.line, ...problem }))
}

const RULES = [
  runnableProblems,
  lossProblems,
  clientProblems,
  lockProblems,
  exposureProblems,
  missingRowSecurity,
]

function parseStep(
  parser: SqlParser,
  { file, sql }: StepSource,
): { readonly statements: readonly LintStatement[]; readonly problem?: LintFinding } {
  try {
    const statements = splitStatements(parser, sql).map((one) => ({ ...one, source: sql }))
    return { statements }
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

const ALLOW = /^[\s;]*--\s*tenantry:\s*allow\s+([\w-]+)/gm
