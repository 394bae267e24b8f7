// Repeats `tenantry pull` for an application folder: writes a step with the project's changes since the last pull. Compares the
// project's structure with the one that the folder's steps build in an emulator in memory. Reads both through db/exec.
import { join } from 'node:path'
import { SystemClock } from '../../../core/clock.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { slugOf } from '../../../core/names.ts'
import { diffStatements } from '../../../database/differ/diff-statements.ts'
import { renderStep } from '../../../database/differ/render-step.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'
import { defineFixture } from '../../../workflow/fixtures/read/define-fixture.ts'
import { problemLine } from '../../../workflow/fixtures/read/fixture-error.ts'
import { readFixture } from '../../../workflow/fixtures/read/read-fixture.ts'
import type { Exec } from '../../../workflow/migrations/apply/fleet.ts'
import { readStructure } from '../../../workflow/migrations/pull/read-structure.ts'
import { createStep } from '../../../workflow/migrations/steps/step-files.ts'
import { openThrowAwayEmulator } from '../../throw-away-emulator.ts'

const STEPS = 'migrations'

class ChangesError extends EmulatorError {
  override readonly code = 'not_comparable'
}

export interface PulledChanges {
  /** Path of the new step; `undefined` when nothing changed. */
  readonly step: string | undefined
  /** Sentences about changes that the step contains only as comments, or not at all. */
  readonly notes: readonly string[]
}

/**
 * Writes the step into the folder's `migrations`.
 * @param exec runs SQL in the project that runs elsewhere
 * @throws {EmulatorError}
 */
export async function pullChanges(folder: string, exec: Exec): Promise<PulledChanges> {
  const { structure: there } = await readStructure(exec)
  await requireSameProject(folder, slugOf(there.schemaName))
  const result = diffStatements(await structureOfSteps(folder), there)
  const notes = [
    ...result.statements.flatMap(({ destroys }) =>
      destroys === undefined ? [] : [`Written as a comment: ${destroys}`],
    ),
    ...result.notGenerated.map(({ object, reason }) => `Not generated: ${object}. ${reason}`),
  ]
  if (result.statements.length === 0) return { step: undefined, notes }
  const now = new SystemClock().now()
  return { step: createStep(join(folder, STEPS), 'pulled', now, renderStep(result)), notes }
}

// Refuses another project, because a step from its structure would drop the tables of the folder's project.
async function requireSameProject(folder: string, slug: string): Promise<void> {
  const { groups, projects } = (await readFixture(folder)).definition
  const slugs = [...groups.map(({ template }) => template), ...projects].map((one) => one.slug)
  if (!slugs.includes(slug))
    throw new ChangesError(
      `${folder} is the folder of ${slugs.join(', ') || 'no project'}, not of ${slug}.`,
      { hint: 'Name another folder with --out.' },
    )
}

const PROJECT = 'pulled_steps'

/** Builds the folder's steps in an empty project. @throws {ChangesError} naming the step that fails */
async function structureOfSteps(folder: string): Promise<SchemaStructure> {
  await using emulator = await openThrowAwayEmulator()
  const definition = { projects: [{ slug: PROJECT, migrations: STEPS }] }
  const report = await emulator.applyFixture(defineFixture(definition, { folder }))
  if (!report.applied)
    throw new ChangesError(`The steps of ${folder} fail in an empty project.`, {
      hint: report.problems.map(problemLine).join(' '),
    })
  return (await readStructure(emulator.execOf(PROJECT))).structure
}
