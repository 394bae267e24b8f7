// Lints the steps that a fleet's template does not have yet. The rules know the sizes of the tables in all projects.
import type { LintFinding } from '../../../contract/migrations.ts'
import type { JsonObject } from '../../../core/json.ts'
import { quoteIdentifier, quoteLiteral } from '../../../database/sql.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'
import {
  lookupCost,
  lookupQuery,
  millisOf,
} from '../../../insight/explain/schema-model/lookup-cost.ts'
import type { Lookup } from '../../../insight/explain/schema-model/model-findings.ts'
import { type Fleet, FleetFailure, type FleetProject } from '../apply/fleet.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import { readStructure } from '../pull/read-structure.ts'
import { compareSteps } from '../steps/compare-steps.ts'
import type { Step } from '../steps/step.ts'
import { lintSteps } from './lint-steps.ts'
import type { ClientsOf } from './traffic.ts'

export interface FleetLint {
  /** The linted steps: steps that the template lacks, or that it ran with another text. */
  readonly steps: readonly Step[]
  readonly findings: readonly LintFinding[]
}

/** Maximum number of rows that are counted in a table. */
const COUNTED_ROWS = 1_000_000

/** @throws {FleetFailure} when the template or the tenants cannot be found */
export async function lintFleet(
  fleet: Fleet,
  steps: readonly Step[],
  parser: SqlParser,
  clientsOf: ClientsOf,
): Promise<FleetLint> {
  const template = await fleet.template()
  const linted = await stepsToRun(fleet, template, steps, parser)
  const structure = await structureOf(fleet, template)
  const tables = new Set<string>()
  const lookups: Lookup[] = []
  lintSteps(parser, linted, {
    structure,
    rowsOf: (table) => void tables.add(table),
    costOf: (lookup) => void lookups.push(lookup),
  })
  const tenants = (await fleet.tenants()).filter(({ state }) => state === 'active')
  const projects = [template, ...tenants]
  const sizes = await sizesOf(fleet, projects, [
    ...new Set([...tables, ...lookups.map(({ table }) => table)]),
  ])
  const costs = await costsOf(fleet, lookups, sizes)
  const findings = lintSteps(parser, linted, {
    structure,
    rowsOf: (table) => sizes.get(table)?.rows,
    costOf: (lookup) => costs.get(keyOf(lookup)),
    clientsOf,
  })
  return { steps: linted, findings }
}

// Without the structure, the steps are linted all the same.
async function structureOf(
  fleet: Fleet,
  template: FleetProject,
): Promise<SchemaStructure | undefined> {
  try {
    return (await readStructure((sql) => fleet.exec(template, sql))).structure
  } catch (error) {
    if (error instanceof FleetFailure) return undefined
    throw error
  }
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

/** The project that has the most rows in a table, with their number. */
interface LargestSize {
  readonly project: FleetProject
  readonly rows: number
}

/** Returns the largest size of each table. Leaves out tables whose rows could not be counted in any project. */
async function sizesOf(
  fleet: Fleet,
  projects: readonly FleetProject[],
  tables: readonly string[],
): Promise<ReadonlyMap<string, LargestSize>> {
  const largest = new Map<string, LargestSize>()
  if (tables.length === 0) return largest
  for (const project of projects)
    for (const { name, rows } of await countIn(fleet, project, tables))
      if (rows > (largest.get(name)?.rows ?? -1)) largest.set(name, { project, rows })
  return largest
}

interface TableSize {
  readonly name: string
  readonly rows: number
}

async function countIn(
  fleet: Fleet,
  project: FleetProject,
  tables: readonly string[],
): Promise<readonly TableSize[]> {
  const found = await rowsOf(fleet, project, existing(tables))
  const names = found.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
  if (names.length === 0) return []
  const counts = await rowsOf(fleet, project, names.map(counted).join(' union all '))
  return counts.flatMap(({ name, rows }) =>
    typeof name === 'string' ? [{ name, rows: Number(rows) }] : [],
  )
}

// Returns no rows for a project that cannot be read, so that the steps are linted all the same.
async function rowsOf(
  fleet: Fleet,
  project: FleetProject,
  sql: string,
): Promise<readonly JsonObject[]> {
  try {
    const outcome = await fleet.exec(project, sql)
    return outcome.kind === 'done' ? outcome.rows : []
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

/**
 * Measures how long each lookup takes in the project with the most rows of its table. Returns one sentence for each `keyOf` of a
 * lookup.
 */
async function costsOf(
  fleet: Fleet,
  lookups: readonly Lookup[],
  sizes: ReadonlyMap<string, LargestSize>,
): Promise<ReadonlyMap<string, string>> {
  const costs = new Map<string, string>()
  for (const lookup of lookups) {
    const size = sizes.get(lookup.table)
    if (size === undefined || costs.has(keyOf(lookup))) continue
    const millis = millisOf(await rowsOf(fleet, size.project, lookupQuery(lookup)))
    if (millis !== undefined)
      costs.set(keyOf(lookup), lookupCost(size.rows, millis, size.project.slug))
  }
  return costs
}

function keyOf({ columns, table }: Lookup): string {
  return JSON.stringify([table, columns])
}
