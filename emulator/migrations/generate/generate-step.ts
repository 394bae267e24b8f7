// Generates the step that contains what changed in a template since its last step, and records it in the template's ledger.
import type { Group } from '../../control/groups/groups.ts'
import { diffStatements } from '../../database/differ/diff-statements.ts'
import type { DiffOptions, DiffResult } from '../../database/differ/difference.ts'
import { renderStep } from '../../database/differ/render-step.ts'
import type { Engine } from '../../database/engine.ts'
import type { SqlParser } from '../../database/sql-parser.ts'
import { loadStructureInParts } from '../../database/template/structure.ts'

import { type Fleet, FleetFailure, type FleetProject } from '../apply/fleet.ts'
import { registeredSchema } from '../drift/expectations.ts'
import { type ExpectationDeps, expectationsOf } from '../drift/project-drift.ts'
import type { StepStructures } from '../drift/step-structures.ts'
import { type Ledger, recordEntry, wholeEntry } from '../ledger/ledger.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import {
  type ComparedStep,
  compareSteps,
  conflictOf,
  pendingSteps,
} from '../steps/compare-steps.ts'
import type { Step } from '../steps/step.ts'

export interface GenerateDeps extends ExpectationDeps {
  readonly engine: Engine
  readonly stepStructures: StepStructures
  readonly parser: SqlParser
}

/** A result of the differ with the text of its step. */
export interface Generated extends DiffResult {
  readonly sql: string
}

/** The fleet whose template changed, and all steps of its folder. */
export interface ChangedFleet {
  readonly group: Group
  readonly fleet: Fleet
  readonly steps: readonly Step[]
}

/**
 * Compares the template with what its steps, and the SQL of its fixture, say.
 * @throws {FleetFailure} when steps are pending, conflict or fail in an empty project; {RenameError} for a rename that does not fit
 */
export async function generateStep(
  deps: GenerateDeps,
  { fleet, group, steps }: ChangedFleet,
  options: DiffOptions,
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
  const expectations = await expectationsOf(deps, group, templates, steps)
  const nothing = { source: registeredSchema(template), base: [], steps: [] }
  const built = await stepStructures.of(expectations(template, ledger).recipe ?? nothing)
  if (built.kind === 'failed') {
    const { code, line, message, step } = built.failure
    throw new FleetFailure(
      'refused',
      'steps_fail',
      `${step ?? 'A step'}${line === undefined ? '' : `:${line}`} fails in an empty project: ${message} (${code}).`,
      'A step is generated from what the earlier steps build in an empty project.',
    )
  }
  const present = await loadStructureInParts(engine, registeredSchema(template))
  const result = diffStatements(built.structure, present, options)
  const { allowDestructive = false } = options
  return { ...result, sql: renderStep(result, { allowDestructive, heldBack: HELD_BACK }) }
}

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
