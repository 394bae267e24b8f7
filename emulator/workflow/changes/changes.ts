// Rehearses, applies and undoes changes that the user makes in the inspector. Applying a change saves the state before and after
// it while no request runs. An undo compares the present state with the state after the change, to find later writes.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { z } from 'zod'
import type {
  AppliedChange,
  ChangedProject,
  ChangeOrder,
  ChangeRehearsal,
  ChangeUndo,
  ChangeUndoOrder,
  LastChange,
} from '../../contract/changes.ts'
import { loadSqlParser } from '../../database/sql-parser.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import { type Audience, chooseAudience } from '../../insight/visibility/choose-identities.ts'
import type { Project } from '../../platform/projects/project.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import { type FollowedFolder, stepNameOf } from '../fixtures/follow/step-folder.ts'
import { type Fleet, FleetFailure, type FleetProject } from '../migrations/apply/fleet.ts'
import { execOutcome, type FleetRequest } from '../migrations/apply/local-fleet.ts'
import { type ProjectResult, rollOut } from '../migrations/apply/roll-out.ts'
import { failureOfFleet, locateFailure } from '../migrations/apply/step-failure.ts'
import { resultToWire } from '../migrations/apply/to-wire.ts'
import { recordStep } from '../migrations/generate/generate-step.ts'
import type { TextStore } from '../migrations/redo/text-store.ts'
import {
  type RehearsalDeps,
  rehearseScripts,
  type TenantRehearsal,
} from '../migrations/rehearse/rehearse-tenant.ts'
import { type RehearsalRouteDeps, rehearseProject } from '../migrations/rehearse/routes.ts'
import { scriptOf } from '../migrations/rehearse/step-scripts.ts'
import { rehearsalToWire } from '../migrations/rehearse/to-wire.ts'
import { versionAfter, writeNewStep } from '../migrations/steps/step-files.ts'
import type { StateNames, StatesAround } from '../snapshots/snapshots.ts'
import { laterChanges } from './later-changes.ts'
import { followedFleet, type StepToCome, stepToCome } from './reach.ts'

/** The orders after the API's schemas have decoded them. */
type Order = z.output<typeof ChangeOrder>
type UndoOrder = z.output<typeof ChangeUndoOrder>

export interface ChangeDeps {
  readonly migrations: RehearsalRouteDeps
  readonly fixtures: Pick<Fixtures, 'followedBy'>
  readonly snapshots: StatesAround
  /** Remembers the texts of steps that ran, so that `tenantry dev` can undo them. */
  readonly stepTexts: TextStore
}

export interface Changes {
  rehearse(project: Project, order: Order, request: FleetRequest): Promise<ChangeRehearsal>
  /** @throws {InspectorError} `busy`, `conflict` */
  apply(project: Project, order: Order, request: FleetRequest): Promise<AppliedChange>
  /** Returns the last applied change, the only one that can be undone. */
  last(): LastChange['change']
  /** @throws {InspectorError} `not_found` when the order names a change that is not the last one, `busy` */
  undo(order: UndoOrder): Promise<ChangeUndo>
}

/** The last applied change. Undoing an earlier change would also lose the changes after it. */
interface UndoableChange extends StateNames {
  readonly told: NonNullable<LastChange['change']>
  readonly written: { readonly path: string; readonly text: string } | undefined
}

export function createChanges(deps: ChangeDeps): Changes {
  const state: ChangeState = { last: undefined, stamp: '' }
  // Changes run one at a time, because each removes a snapshot of the change before it.
  let turns: Promise<unknown> = Promise.resolve()
  const inTurn = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const turn = turns.then(work)
    turns = turn.catch(() => undefined)
    return turn
  }
  return {
    rehearse: async (project, order, request) => {
      const { wallClock } = deps.migrations
      const startedAt = wallClock.now()
      const { file, misfit, projects } = await (order.reach === 'all'
        ? rehearseStep(deps, followedFolder(deps, project), order, request)
        : rehearseHere(deps, project, order, request))
      const ok = projects.every((one) => one.ok)
      return {
        ok,
        file,
        projects: [...projects],
        fixture_problem: misfit ?? null,
        duration_ms: wallClock.now() - startedAt,
      }
    },
    apply: (project, order, request) => inTurn(() => apply(deps, state, project, order, request)),
    last: () => state.last?.told ?? null,
    undo: (order) => inTurn(() => undo(deps, state, order)),
  }
}

interface ChangeState {
  last: UndoableChange | undefined
  /** Timestamp in the names of the newest snapshots. The next timestamp must be later. */
  stamp: string
}

async function apply(
  deps: ChangeDeps,
  state: ChangeState,
  project: Project,
  order: Order,
  request: FleetRequest,
): Promise<AppliedChange> {
  const { wallClock } = deps.migrations
  // Before requests wait: checks whether the order can become a step, and whether the followed fixture fits the step.
  const misfit = order.reach === 'all' ? await misfitOf(deps, project, order) : undefined
  state.stamp = versionAfter(state.stamp, wallClock.now())
  const names = namesOf(order.title, state.stamp)
  const work = async () => {
    const { coming, projects } = await run(deps, project, order, request)
    const hasChanged = projects.some(
      ({ applied: ran, ok }) => ran.length > 0 || (coming === undefined && ok),
    )
    return { hasChanged, answer: { coming, projects, hasChanged } }
  }
  const { coming, hasChanged, projects } = await deps.snapshots.around(
    names,
    work,
    state.last?.after,
  )
  const written = projects[0]?.ok === true ? coming : undefined
  const answer = {
    ok: projects.every(({ ok }) => ok),
    path: written?.path ?? null,
    snapshot: hasChanged ? names.before : null,
    projects: projects.map(resultToWire),
    fixture_problem: (written && misfit) ?? null,
  }
  if (hasChanged)
    state.last = {
      ...names,
      written: written && { path: written.path, text: written.step.sql },
      told: { project: project.slug, title: order.title, answer },
    }
  return answer
}

async function undo(
  deps: ChangeDeps,
  state: ChangeState,
  { losing, snapshot }: UndoOrder,
): Promise<ChangeUndo> {
  const change = state.last
  if (change?.before !== snapshot)
    throw new InspectorError('not_found', `${snapshot} is not the snapshot of the last change.`, {
      hint: 'Restore it under Snapshots, which loses everything since.',
    })
  let removed: string | undefined
  const { isRestored, since } = await deps.snapshots.goBack(
    change,
    (diff) => laterChanges(diff).count <= losing,
    () => {
      removed = removeStep(change)
    },
  )
  if (isRestored) state.last = undefined
  const { count, sentence } = laterChanges(since)
  return { undone: isRestored, later: count, sentence: sentence ?? null, removed: removed ?? null }
}

/** @throws {InspectorError} `conflict` */
function followedFolder({ fixtures }: ChangeDeps, project: Project): FollowedFolder {
  const followed = fixtures.followedBy(project)
  if (followed !== undefined) return followed
  throw new InspectorError('conflict', `${project.slug} follows no folder of steps.`, {
    hint: 'Start the emulator with "tenantry dev", or apply the change to this project alone.',
  })
}

/** Returns why the followed fixture no longer fits when the order becomes a step. @throws {InspectorError} `conflict` */
function misfitOf(deps: ChangeDeps, project: Project, order: Order): Promise<string | undefined> {
  const followed = followedFolder(deps, project)
  const { step, steps } = stepToCome(followed, order, deps.migrations.wallClock.now())
  const template = followed.source.slug
  return deps.migrations.misfit({ template, steps, versions: [step.version] })
}

interface Rehearsed {
  readonly file: string | null
  readonly projects: readonly ChangedProject[]
  /** Why the followed fixture no longer fits. */
  readonly misfit: string | undefined
}

async function rehearsalRun(
  { migrations: { rehearsals } }: ChangeDeps,
  { signal }: FleetRequest,
): Promise<RehearsalDeps> {
  return {
    engine: rehearsals,
    parser: await loadSqlParser(),
    signal,
    watchesFrom: 0,
    watchesKept: true,
  }
}

/** Rehearses the new step together with the other pending steps of each project. */
async function rehearseStep(
  deps: ChangeDeps,
  followed: FollowedFolder,
  order: Order,
  request: FleetRequest,
): Promise<Rehearsed> {
  const { step, steps } = stepToCome(followed, order, deps.migrations.wallClock.now())
  const fleet = followedFleet(deps.migrations, followed, request)
  const run = await rehearsalRun(deps, request)
  const projects: ChangedProject[] = []
  for (const project of [await fleet.template(), ...(await fleet.tenants())]) {
    if (order.recorded_in.includes(project.slug)) continue
    const { addresses } = request
    let audience: Audience | undefined
    const found = await rehearseProject(deps.migrations, run, {
      fleet,
      project,
      steps,
      addresses,
      choose: async (identities, one) => {
        audience = await chooseAudience(identities, one, addresses)
        return audience.identities
      },
    })
    projects.push(toWire(project.slug, found, audience))
  }
  const [template] = projects
  const misfit = await deps.migrations.misfit({
    template: followed.source.slug,
    steps,
    versions: template?.ok === true ? template.pending : [],
  })
  return { file: step.file, projects, misfit }
}

/** Number of users whose visible rows are compared when the change runs in one project. */
const MAX_USERS_HERE = 20

async function rehearseHere(
  deps: ChangeDeps,
  project: Project,
  { identity, sql }: Order,
  request: FleetRequest,
): Promise<Rehearsed> {
  const { schemaName, slug } = project
  const run = await rehearsalRun(deps, request)
  const audience = await chooseAudience(deps.migrations.identities, project, request.addresses, {
    also: identity,
    maxUsers: MAX_USERS_HERE,
  })
  const identities = async () => audience.identities
  const made = scriptOf(run.parser, schemaName, { file: '', line: 1, record: '', text: sql })
  const scripts =
    'code' in made ? { scripts: [], problem: made } : { scripts: [made], problem: undefined }
  const found = await rehearseScripts(run, { schemaName, identities }, scripts, [])
  const problem = found.problem && { ...found.problem, step: undefined }
  const projects = [toWire(slug, { ...found, problem }, audience)]
  return { file: null, projects, misfit: undefined }
}

/** @param audience `undefined` when the statements failed before rows were compared */
function toWire(
  slug: string,
  found: TenantRehearsal,
  audience: Audience | undefined,
): ChangedProject {
  return {
    ...rehearsalToWire(slug, found),
    compared: audience?.identities.map(({ label }) => label) ?? [],
    users: audience?.users ?? 0,
  }
}

interface Ran {
  /** The new step; `undefined` for a change of one project. */
  readonly coming: StepToCome | undefined
  /** The results, with the template first. */
  readonly projects: readonly ProjectResult[]
}

/** Call this function while no request runs, so that no other new step gets the same version. */
async function run(
  deps: ChangeDeps,
  project: Project,
  order: Order,
  request: FleetRequest,
): Promise<Ran> {
  if (order.reach === 'project')
    return { coming: undefined, projects: [await runHere(deps, project, order.sql, request)] }
  const followed = followedFolder(deps, project)
  const coming = stepToCome(followed, order, deps.migrations.wallClock.now())
  const fleet = followedFleet(deps.migrations, followed, request)
  const projects = await runStep(deps, { coming, fleet, followed }, order.recorded_in)
  if (projects[0]?.ok === true && !writeNewStep(coming.path, coming.step.sql))
    throw new InspectorError(
      'conflict',
      `Another program wrote a step with the version of ${coming.step.file}.`,
      { hint: 'Nothing was changed. Apply the change again.' },
    )
  return { coming, projects }
}

async function runHere(
  { migrations: { executeSql } }: ChangeDeps,
  project: Project,
  sql: string,
  { requestId, signal }: FleetRequest,
): Promise<ProjectResult> {
  const nothing = { slug: project.slug, applied: [], pending: [], skipped: undefined }
  const outcome = await execOutcome(() => executeSql(project, sql, signal, requestId))
  if (outcome.kind === 'done') return { ...nothing, ok: true, failure: undefined }
  const at = locateFailure(await loadSqlParser(), '', { text: sql, line: 1 }, outcome)
  return { ...nothing, ok: false, failure: { ...at, step: undefined } }
}

interface StepRun {
  readonly coming: StepToCome
  readonly fleet: Fleet
  readonly followed: FollowedFolder
}

async function runStep(
  { migrations, stepTexts }: ChangeDeps,
  { coming: { step, steps }, fleet, followed: { groups } }: StepRun,
  recordedIn: readonly string[],
): Promise<readonly ProjectResult[]> {
  const parser = await loadSqlParser()
  const all = await fleet.tenants()
  const order = { publish: false, canary: [], onFailure: 'continue', isDryRun: false } as const
  const tenants = all.map(({ slug }) => slug).filter((slug) => !recordedIn.includes(slug))
  const report = await rollOut(
    fleet,
    { ...order, steps, tenants, baseline: undefined, keepsRows: true },
    parser,
  )
  if (!report.template.ok) return [report.template, ...report.tenants]
  stepTexts.remember(steps)
  for (const group of groups) migrations.steps.remember(group, steps)
  const recorded: ProjectResult[] = []
  for (const tenant of all.filter(({ slug }) => recordedIn.includes(slug)))
    recorded.push(
      await recordIn(
        tenant,
        () => recordStep(parser, { ...fleet, template: async () => tenant }, steps, step.version),
        step.version,
      ),
    )
  return [report.template, ...report.tenants, ...recorded]
}

async function recordIn(
  { slug }: FleetProject,
  record: () => Promise<void>,
  version: string,
): Promise<ProjectResult> {
  const nothing = { slug, applied: [], pending: [], skipped: undefined }
  try {
    await record()
    return { ...nothing, ok: true, applied: [version], failure: undefined }
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error
    return { ...nothing, ok: false, pending: [version], failure: failureOfFleet(error) }
  }
}

/** @param stamp a timestamp that makes the names unique */
function namesOf(title: string, stamp: string): StateNames {
  const name = stepNameOf(title).slice(0, 36) || 'change'
  return {
    before: `before-${name}-${stamp}`,
    after: `after-${name}-${stamp}`,
    notes: {
      before: `Saved before "${title}" was applied.`,
      after: `Saved after "${title}" was applied. An undo compares the present state with it.`,
    },
  }
}

/** Removes the step's file, unless the file changed after the emulator wrote it. */
function removeStep({ written }: UndoableChange): string | undefined {
  if (written === undefined || !existsSync(written.path)) return undefined
  if (readFileSync(written.path, 'utf8') !== written.text) return undefined
  rmSync(written.path)
  return written.path
}
