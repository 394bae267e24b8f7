// Lints the steps that a fleet's template does not have yet, with the sizes of the fleet's tables.
import type { LintFinding } from '../../contract/migrations.ts'
import { quoteIdentifier, quoteLiteral } from '../../database/sql.ts'
import type { SqlParser } from '../../database/sql-parser.ts'
import { type Fleet, FleetFailure, type FleetProject } from '../apply/fleet.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import { compareSteps } from '../steps/compare-steps.ts'
import type { Step } from '../steps/step.ts'
import { lintSteps } from './lint-steps.ts'

export interface FleetLint {
  /** The linted steps: those that the template does not have with their present text. */
  readonly steps: readonly Step[]
  readonly findings: readonly LintFinding[]
}

/** Counting a table stops at this number of rows. */
const COUNTED_ROWS = 1_000_000

/** @throws {FleetFailure} when the template or the tenants cannot be found */
export async function lintFleet(
  fleet: Fleet,
  steps: readonly Step[],
  parser: SqlParser,
): Promise<FleetLint> {
  const template = await fleet.template()
  const linted = await stepsToRun(fleet, template, steps, parser)
  const tables = new Set<string>()
  lintSteps(parser, linted, { rowsOf: (table) => void tables.add(table) })
  const tenants = (await fleet.tenants()).filter(({ state }) => state === 'active')
  const sizes = await sizesOf(fleet, [template, ...tenants], [...tables])
  const findings = lintSteps(parser, linted, { rowsOf: (table) => sizes.get(table) })
  return { steps: linted, findings }
}

async function stepsToRun(
  fleet: Fleet,
  template: FleetProject,
  steps: readonly Step[],
  parser: SqlParser,
): Promise<readonly Step[]> {
  const read = await readLedger((sql) => fleet.exec(template, sql))
  const applied = read.kind === 'read' ? read.ledger.applied : []
  return compareSteps(steps, applied, parser).flatMap(({ state, step }) =>
    step === undefined || state === 'applied' ? [] : [step],
  )
}

/** Returns the largest number of rows that a project has in each table. Leaves out tables that no project could count. */
async function sizesOf(
  fleet: Fleet,
  projects: readonly FleetProject[],
  tables: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const largest = new Map<string, number>()
  if (tables.length === 0) return largest
  for (const project of projects)
    for (const { name, rows } of await countIn(fleet, project, tables))
      largest.set(name, Math.max(rows, largest.get(name) ?? 0))
  return largest
}

interface TableSize {
  readonly name: string
  readonly rows: number
}

// A project that cannot be read does not keep the steps from being linted.
async function countIn(
  fleet: Fleet,
  project: FleetProject,
  tables: readonly string[],
): Promise<readonly TableSize[]> {
  const rowsOf = async (sql: string) => {
    const outcome = await fleet.exec(project, sql)
    return outcome.kind === 'done' ? outcome.rows : []
  }
  try {
    const found = await rowsOf(existing(tables))
    const names = found.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
    if (names.length === 0) return []
    return (await rowsOf(names.map(counted).join(' union all '))).flatMap(({ name, rows }) =>
      typeof name === 'string' ? [{ name, rows: Number(rows) }] : [],
    )
  } catch (error) {
    if (error instanceof FleetFailure) return []
    throw error
  }
}

function existing(tables: readonly string[]): string {
  return `select relname as name from pg_class
where relname in (${tables.map(quoteLiteral).join(', ')})
  and relkind in ('r', 'p', 'm') and relnamespace = current_schema()::regnamespace`
}

function counted(table: string): string {
  return `select ${quoteLiteral(table)} as name, count(*) as rows from (select from ${quoteIdentifier(table)} limit ${COUNTED_ROWS}) as counted`
}
