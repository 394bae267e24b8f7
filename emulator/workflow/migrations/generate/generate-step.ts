// Generates the step with the changes that a template got since its last step. Records this step in the template's ledger.

import { diffStatements } from '../../../database/differ/diff-statements.ts'
import type { DiffOptions, DiffResult, Rename } from '../../../database/differ/difference.ts'
import { RenameError, renameStatements } from '../../../database/differ/renames.ts'
import { renderStep } from '../../../database/differ/render-step.ts'
import type { Engine } from '../../../database/engine.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import { loadStructureInParts, type SchemaStructure } from '../../../database/template/structure.ts'
import type { Group } from '../../../services/control/groups/groups.ts'

import { type Fleet, FleetFailure, type FleetProject } from '../apply/fleet.ts'
import { registeredSchema } from '../drift/expected-structures.ts'
import { type ExpectedDeps, expectedStructuresOf } from '../drift/project-drift.ts'
import type { StepStructures } from '../drift/step-structures.ts'
import type { StructureSql } from '../drift/structure-sql.ts'
import { type Ledger, recordEntry, wholeEntry } from '../ledger/ledger.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import {
  type ComparedStep,
  compareSteps,
  conflictOf,
  pendingSteps,
} from '../steps/compare-steps.ts'
import { type Step, toSteps } from '../steps/step.ts'

export interface GenerateOptions extends DiffOptions {
  readonly renames?: readonly Rename[]
}

export interface GenerateDeps extends ExpectedDeps {
  readonly engine: Engine
  readonly stepStructures: StepStructures
  readonly parser: SqlParser
}

/** The statements that the differ found, and the text of the step that contains them. */
export interface Generated extends DiffResult {
  readonly sql: string
}

/** The fleet whose template changed, and all steps of the application's folder. */
export interface ChangedFleet {
  readonly group: Group
  readonly fleet: Fleet
  readonly steps: readonly Step[]
}

/**
 * Compares the template with the structure that its steps and the SQL of its fixture build.
 * @throws {FleetFailure} when steps are pending, conflict or fail in an empty project; {RenameError} for a rename that does not
 * fit
 */
export async function generateStep(
  deps: GenerateDeps,
  { fleet, group, steps }: ChangedFleet,
  { allowDestructive = false, renames = [] }: GenerateOptions,
): Promise<Generated> {
  const { engine, parser, stepStructures } = deps
  const template = await fleet.template()
  const { compared, ledger } = await compareTemplate(fleet, template, steps, parser)
  const [pending] = pendingSteps(compared)
  if (pending !== undefined)
    throw new FleetFailure(
      'refused',
      'pending',
      `The template has not run ${fileOf(pending)}.`,
      'Run "tenantry migrate apply" first.',
    )
  const templates = { template: { project: template, ledger }, versions: [] }
  const expectedStructures = await expectedStructuresOf(deps, group, templates, steps)
  const structureSql = expectedStructures(template, ledger).structureSql ?? {
    source: registeredSchema(template),
    base: [],
    steps: [],
  }
  const before = await structureOf(stepStructures, structureSql)
  const renaming = renameStatements(before, renames)
  const renamed =
    renaming.length === 0 ? before : await renamedStructure(stepStructures, structureSql, renaming)
  const present = await loadStructureInParts(engine, registeredSchema(template))
  const result = diffStatements(renamed, present, { allowDestructive })
  const statements = [...renaming.map((sql) => ({ sql, isHeldBack: false })), ...result.statements]
  const sql = renderStep({ ...result, statements }, { allowDestructive, heldBack: HELD_BACK })
  return { ...result, statements, sql }
}

/** @throws {FleetFailure} when a step fails */
async function structureOf(
  stepStructures: StepStructures,
  structureSql: StructureSql,
): Promise<SchemaStructure> {
  const built = await stepStructures.of(structureSql)
  if (built.kind === 'built') return built.structure
  const { code, line, message, step } = built.failure
  throw new FleetFailure(
    'refused',
    'steps_fail',
    `${step ?? 'A step'}${line === undefined ? '' : `:${line}`} fails in an empty project: ${message} (${code}).`,
    'A step is generated from what the earlier steps build in an empty project.',
  )
}

// Only Postgres knows how it prints a view, policy or function over a renamed object. Therefore the renames run after the steps.
// Differences that remain then are changes of their own.
async function renamedStructure(
  stepStructures: StepStructures,
  structureSql: StructureSql,
  renaming: readonly string[],
): Promise<SchemaStructure> {
  const source = { file: LAST_STEP, sql: renaming.map((statement) => `${statement};`).join('\n') }
  const steps = [...structureSql.steps, ...toSteps([source]).steps]
  const built = await stepStructures.of({ ...structureSql, steps })
  if (built.kind === 'built') return built.structure
  throw new RenameError(`The renames fail: ${built.failure.message} (${built.failure.code}).`)
}

/** File name of a step that sorts after all other steps. No folder contains this step. */
const LAST_STEP = '99999999999999_renames.sql'

const HELD_BACK =
  'The template has the changes below, which destroy data or need a statement that does. To carry them to tenants, generate a further step with --allow-destructive.'

/** Records the template's only pending step as applied. @throws {FleetFailure} */
export async function recordStep(
  parser: SqlParser,
  fleet: Fleet,
  steps: readonly Step[],
  version: string,
): Promise<void> {
  const template = await fleet.template()
  const { compared, ledger } = await compareTemplate(fleet, template, steps, parser)
  const pending = pendingSteps(compared)
  const [only] = pending
  if (only?.step === undefined || pending.length > 1 || only.version !== version)
    throw new FleetFailure(
      'refused',
      'not_recordable',
      `${version} is not the only pending step of the template.`,
      'Run "tenantry migrate status" to see its steps.',
    )
  const recorded = await fleet.exec(template, recordEntry(ledger, wholeEntry(only.step)))
  if (recorded.kind === 'failed') throw new FleetFailure('refused', recorded.code, recorded.message)
}

async function compareTemplate(
  fleet: Fleet,
  template: FleetProject,
  steps: readonly Step[],
  parser: SqlParser,
): Promise<{ readonly ledger: Ledger; readonly compared: readonly ComparedStep[] }> {
  const read = await readLedger((sql) => fleet.exec(template, sql))
  if (read.kind === 'failed') throw new FleetFailure('refused', read.code, read.message)
  const compared = compareSteps(steps, read.ledger.applied, parser)
  const conflict = conflictOf(compared)
  if (conflict !== undefined) throw new FleetFailure('refused', 'conflict', conflict)
  return { ledger: read.ledger, compared }
}

function fileOf({ name, step, version }: ComparedStep): string {
  return step?.file ?? `${version}_${name}.sql`
}
