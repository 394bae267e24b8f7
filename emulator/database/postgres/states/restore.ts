// Restores a state: prepares databases, closes those that differ, and renames all of them in one transaction.
import type { SchemaName } from '../../../core/names.ts'
import { SqlError } from '../../engine.ts'
import type { EngineAfterRestore } from '../../engine-states.ts'
import { databaseAccessScript } from '../projects/project-roles.ts'
import { type Baseline, type BaselineEntry, UNCHANGED } from './baseline.ts'
import { carryOut, type PlanDeps } from './carry-out-plan.ts'
import { allowConnections } from './database-statements.ts'
import { inLanes } from './in-lanes.ts'
import { type CopiesByProject, type KeptCopy, readCopies } from './kept-copy.ts'
import { rolesOfProject } from './kept-roles.ts'
import type { ProjectCopies } from './project-copies.ts'
import {
  notePlanDone,
  type Removal,
  type Replacement,
  type RestorePlan,
  readPlan,
  withdrawPlan,
  writePlan,
} from './restore-plan.ts'
import type { Spares } from './spares.ts'
import type { Listed, PresentProject } from './state-databases.ts'

export interface RestoreDeps extends PlanDeps {
  readonly copies: ProjectCopies
  readonly baseline: Baseline
  readonly spares: Spares
  /** Folder of the plan. */
  readonly folder: string
  /** Waits until the server works again after it was lost. @throws {SqlError} when it does not */
  readonly untilBack: () => Promise<void>
}

/** Whether the restored state is the baseline. Otherwise databases that the restore removes remain part of the baseline. */
export interface RestoreOptions {
  readonly isBaseline: boolean
}

export interface Restored {
  readonly way: EngineAfterRestore
  readonly replaced: readonly SchemaName[]
}

const LANES = 4

/** Completes the restore that a killed process had decided. @throws {SqlError} */
export async function finishRestore(deps: RestoreDeps): Promise<void> {
  const plan = readPlan(deps.folder)
  if (plan === undefined) return
  await deps.databases.close(presentNames(await deps.databases.list(), plan))
  await carryOut(deps, plan)
  notePlanDone(deps.folder)
}

/** Allows sessions again in projects that a killed process left closed. @throws {SqlError} */
export async function reopenClosed({ databases, room }: RestoreDeps): Promise<void> {
  const { projects } = await databases.list()
  const closed = [...projects.values()].filter(({ allowsConnections }) => !allowsConnections)
  if (closed.length === 0) return
  await databases.run(
    closed.flatMap(({ database, schemaName }) => [
      ...databaseAccessScript(room.server, schemaName),
      allowConnections(database, true),
    ]),
  )
}

/** Reads the list of a saved state's copies. @throws {SqlError} 55000 */
export function requireCopies(folder: string): CopiesByProject {
  const copies = readCopies(folder)
  if (copies === undefined) throw foreignState()
  return copies
}

/** @throws {SqlError} 55000 when the state belongs to other databases, or why nothing was restored */
export async function restoreState(
  deps: RestoreDeps,
  target: ReadonlyMap<SchemaName, BaselineEntry>,
  options: RestoreOptions,
): Promise<Restored> {
  const { baseline, databases, room } = deps
  await baseline.settle()
  const present = await databases.list()
  const plan = await planRestore(deps, present, target, options)
  const concerned = [...plan.replace, ...plan.remove].map(({ schemaName }) => schemaName)
  const releases = await Promise.all(concerned.map((schemaName) => room.evict(schemaName)))
  try {
    await baseline.settle()
    if (!options.isBaseline) await keepForBaseline(deps, present, plan)
    const way = await decide(deps, presentNames(present, plan), plan)
    for (const { schemaName } of plan.replace) {
      const copy = target.get(schemaName)
      if (copy !== undefined && copy !== UNCHANGED) deps.copies.noteReplaced(schemaName, copy)
    }
    return { way, replaced: plan.replace.map(({ schemaName }) => schemaName) }
  } finally {
    for (const { from } of plan.replace) deps.spares.forget(from)
    for (const release of releases) release()
  }
}

async function planRestore(
  { baseline, copies, databases, spares }: RestoreDeps,
  present: Listed,
  target: ReadonlyMap<SchemaName, BaselineEntry>,
  { isBaseline }: RestoreOptions,
): Promise<RestorePlan> {
  const differing = [...target].flatMap(([schemaName, copy]) =>
    copy === UNCHANGED || isEqual(copies, present.projects.get(schemaName), copy)
      ? []
      : [{ schemaName, copy }],
  )
  for (const { copy } of differing)
    if (present.others.get(copy.database)?.oid !== copy.oid) throw foreignState()
  const isKept = (schemaName: SchemaName): boolean =>
    !isBaseline && baseline.entries.get(schemaName) === UNCHANGED
  const replace = await inLanes(
    LANES,
    differing,
    async ({ copy, schemaName }): Promise<Replacement> => ({
      schemaName,
      from: await spares.take(copy),
      aside: isKept(schemaName) ? databases.nextCopy() : databases.nextAside(),
    }),
  )
  const remove = [...present.projects.keys()]
    .filter((schemaName) => !target.has(schemaName))
    .map(
      (schemaName): Removal => ({
        schemaName,
        aside: isKept(schemaName) ? databases.nextCopy() : databases.nextAside(),
      }),
    )
  return { replace, remove }
}

function isEqual(
  copies: ProjectCopies,
  project: PresentProject | undefined,
  { database }: KeptCopy,
): boolean {
  return project !== undefined && copies.equalTo(project)?.database === database
}

// The baseline contains these projects as they are now. Their databases are set aside and become the baseline's copies.
async function keepForBaseline(
  { baseline, databases }: RestoreDeps,
  present: Listed,
  { remove, replace }: RestorePlan,
): Promise<void> {
  for (const { aside, schemaName } of [...replace, ...remove]) {
    const project = present.projects.get(schemaName)
    if (baseline.entries.get(schemaName) !== UNCHANGED || !project) continue
    const roles = await rolesOfProject(databases, schemaName)
    const { comment, oid } = project
    baseline.put(schemaName, { database: aside, oid, roles, comment })
  }
}

async function decide(
  deps: RestoreDeps,
  closed: readonly string[],
  plan: RestorePlan,
): Promise<EngineAfterRestore> {
  const { databases, folder } = deps
  try {
    await databases.close(closed)
    writePlan(folder, plan)
    await carryOut(deps, plan)
    notePlanDone(folder)
    return 'running'
  } catch (error) {
    if (isLost(error)) return await decideAgain(deps, plan)
    withdrawPlan(folder)
    await databases.reopen(presentNames(await databases.list(), plan))
    throw error
  }
}

// The server died during the restore, so it is unknown which statements were carried out. Repeats the whole plan.
async function decideAgain(deps: RestoreDeps, plan: RestorePlan): Promise<EngineAfterRestore> {
  await deps.untilBack()
  writePlan(deps.folder, plan)
  await finishRestore(deps)
  // finishRestore also closes databases that were already in place, so they are opened again.
  await reopenClosed(deps)
  return 'restarted'
}

function isLost(error: unknown): boolean {
  return error instanceof SqlError && ['57P02', '57P03', '57P01'].includes(error.code)
}

function presentNames({ projects }: Listed, { remove, replace }: RestorePlan): readonly string[] {
  return [...replace, ...remove].flatMap(({ schemaName }) => {
    const project = projects.get(schemaName)
    return project === undefined ? [] : [project.database]
  })
}

/** The error for a folder whose copies are not on this server. */
function foreignState(): SqlError {
  return new SqlError('55000', 'the saved state belongs to another data directory')
}
