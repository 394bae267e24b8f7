// Rehearses steps for projects that run elsewhere. Copies structure, ledger and the rows that matter to the steps into an
// emulator in memory, and runs the steps in this emulator. Sends only reading statements to the projects.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StepSource } from '../../../contract/migrations.ts'
import type { ProjectRehearsal, RehearsalReport } from '../../../contract/rehearsals.ts'
import { SystemClock } from '../../../core/clock.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { escapeReferences } from '../../../workflow/fixtures/apply/rows/references.ts'
import { defineFixture } from '../../../workflow/fixtures/read/define-fixture.ts'
import { problemLine } from '../../../workflow/fixtures/read/fixture-error.ts'
import {
  type Fleet,
  FleetFailure,
  type FleetProject,
} from '../../../workflow/migrations/apply/fleet.ts'
import { selectTenants } from '../../../workflow/migrations/apply/roll-out.ts'
import { rewriteLedger } from '../../../workflow/migrations/ledger/ledger.ts'
import { PullError } from '../../../workflow/migrations/pull/pull-error.ts'
import {
  type ReadProject,
  readForRehearsal,
} from '../../../workflow/migrations/pull/read-for-rehearsal.ts'
import { renderStep } from '../../../workflow/migrations/pull/render-step.ts'
import { toSteps } from '../../../workflow/migrations/steps/step.ts'
import type { LiveLine } from '../../live-line.ts'
import { openThrowAwayEmulator, type ThrowAwayEmulator } from '../../throw-away-emulator.ts'

export interface RemoteRehearsalOrder {
  readonly group: string
  readonly sources: readonly StepSource[]
  readonly tenants: 'all' | 'none' | readonly string[]
  /** Maximum number of rows per table. */
  readonly rowLimit: number
}

/** @param fleet whose `exec` only reads @throws {FleetFailure} when the template or the tenants cannot be found */
export async function rehearseRemote(
  fleet: Fleet,
  { group, rowLimit, sources, tenants: wanted }: RemoteRehearsalOrder,
  line: LiveLine,
): Promise<RehearsalReport> {
  const clock = new SystemClock()
  const startedAt = clock.now()
  const order = { steps: toSteps(sources).steps, parser: await loadSqlParser(), rowLimit }
  const source = await fleet.template()
  const chosen = selectTenants(await fleet.tenants(), { canary: [], tenants: wanted })
  await using emulator = await openThrowAwayEmulator()
  const total = chosen.length + 1
  const rehearse = async (project: FleetProject, done: number): Promise<ProjectRehearsal> => {
    line.show({ what: `Rehearsing in a copy of ${project.slug}`, done, total })
    try {
      const read = await readForRehearsal((sql) => fleet.exec(project, sql), order)
      const notes = await copyInto(emulator, project.slug, read)
      const { template } = await emulator.api.call('POST /groups/:group/migrations/rehearse', {
        params: { group: project.slug },
        body: { steps: [...sources], tenants: 'none' },
      })
      return { ...template, notes: [...read.notes, ...notes, ...template.notes] }
    } catch (error) {
      if (error instanceof FleetFailure || error instanceof PullError || error instanceof CopyError)
        return notRehearsed(project, error)
      throw error
    }
  }
  const template = await rehearse(source, 0)
  const tenants: ProjectRehearsal[] = []
  for (const project of chosen) tenants.push(await rehearse(project, tenants.length + 1))
  return {
    group,
    ok: [template, ...tenants].every(({ ok }) => ok),
    template,
    tenants,
    fixture_problem: null,
    duration_ms: clock.now() - startedAt,
  }
}

function notRehearsed(
  { slug }: FleetProject,
  { code, hint, message }: EmulatorError,
): ProjectRehearsal {
  return {
    slug,
    ok: false,
    pending: [],
    step: null,
    statement: null,
    line: null,
    error: { code, message: [message, hint].filter(Boolean).join(' ') },
    rows_changed: 0,
    duration_ms: 0,
    longest_job_ms: 0,
    drift: [],
    visibility: [],
    losses: [],
    notes: [],
  }
}

class CopyError extends EmulatorError {
  override readonly code = 'not_copied'
}

/**
 * Makes a group with the project's name. The group's template is a copy of the project. Returns sentences about what the copy
 * lacks.
 * @throws {CopyError} when the structure cannot be built
 */
async function copyInto(
  emulator: ThrowAwayEmulator,
  slug: string,
  read: ReadProject,
): Promise<readonly string[]> {
  const whole = await buildCopy(emulator, slug, read)
  const problems = whole.length === 0 ? [] : await buildCopy(emulator, slug, { ...read, rows: [] })
  if (problems.length > 0)
    throw new CopyError(`The structure of ${slug} cannot be built here.`, {
      hint: `${problems.join(' ')} Rehearse the other tenants with --tenants.`,
    })
  const recorded = await emulator.execOf(slug)(
    rewriteLedger({ applied: [], source: 'rows' }, read.ledger.applied),
  )
  if (recorded.kind === 'failed')
    throw new CopyError(`The ledger of ${slug} cannot be copied: ${recorded.message}`, {
      hint: 'Rehearse the other tenants with --tenants.',
    })
  return whole.map((problem) => `No rows were copied: ${problem}`)
}

const STEP = '20000101000000_copied.sql'

/** Returns the problems that prevented the copy. The rows pass through a temporary folder that only its owner can read. */
async function buildCopy(
  emulator: ThrowAwayEmulator,
  slug: string,
  { rows, structure, users }: ReadProject,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-rehearsal-'))
  try {
    mkdirSync(join(folder, 'migrations'))
    writeFileSync(
      join(folder, 'migrations', STEP),
      renderStep({ structure, title: `The structure of ${slug}.` }),
    )
    for (const [index, { rows: list }] of rows.entries())
      writeFileSync(join(folder, `${index}.json`), escapeReferences(`[${list.join(',\n')}]`))
    const template = {
      slug,
      migrations: 'migrations',
      users: users.map((id) => ({ id, email: `${id}@users.invalid` })),
      rows: Object.fromEntries(rows.map(({ table }, index) => [table, `${index}.json`])),
      fire_triggers: false,
    }
    const fixture = defineFixture({ groups: [{ name: slug, template }] }, { folder })
    const { applied, problems } = await emulator.applyFixture(fixture)
    return applied ? [] : problems.map(problemLine)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
