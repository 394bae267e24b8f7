// The registry of all projects. Plain projects, templates and tenants share one namespace of slugs, and a purged project keeps
// its slug forever (docs/wire/platform.md#lifecycle).
import type { Clock } from '../../core/clock.ts'
import { EmulatorError } from '../../core/errors.ts'
import type { IdSource } from '../../core/id-source.ts'
import { type OwnerId, type ProjectId, type Slug, trusted } from '../../core/names.ts'
import type { PlanTier } from '../../core/plan-tiers.ts'
import { NO_SITUATIONS, type PlayedSituations } from '../../core/situations.ts'
import type { EpochMillis } from '../../core/time.ts'
import type { SystemDb } from '../../database/system-db/system-db.ts'
import {
  mayBecome,
  type Project,
  type ProjectKind,
  type ProjectLookup,
  type ProjectState,
  type ProjectSwitch,
} from './project.ts'
import { type ProjectRow, projectOf, registeredSlugOf } from './project-rows.ts'

interface ProjectDraft {
  readonly slug: Slug
  readonly name: string
  readonly kind: ProjectKind
  readonly planTier: PlanTier
  readonly ownerId?: OwnerId
  readonly sourceProjectId?: ProjectId
  readonly frozenAt?: EpochMillis
}

export interface ProjectRegistry extends ProjectLookup {
  readonly switches: ProjectSwitches
  findProjectBySlug(slug: string): Project | undefined
  /** Whether a project has or had the slug, including purged projects. */
  isSlugTaken(slug: string): boolean
  /** Lists the owner's active projects and templates, newest first. */
  listOwned(ownerId: OwnerId): readonly Project[]
  listInState(state: ProjectState): readonly Project[]
  /** Returns the slugs of all templates that were published from the project. */
  templateSlugsOf(sourceProjectId: ProjectId): readonly string[]
  /** Returns a number that rises with every reservation, so that projects have an order even while the clock is frozen. */
  ordinalOf(id: ProjectId): number
  /** Reserves the slug. @throws {ProjectError} `slug_taken` */
  reserve(draft: ProjectDraft): Project
  /** Releases a reserved slug. */
  release(id: ProjectId): void
  /** Makes a reserved project active. @throws {ProjectError} `illegal_transition`, like all transitions below */
  activate(id: ProjectId): Project
  /** Takes the project offline and keeps its data. */
  remove(id: ProjectId): Project
  startPurge(id: ProjectId): Project
  /** Erases the project except for its slug. */
  finishPurge(id: ProjectId): Project
  /** Forgets the project in any state and frees its slug. A reset calls this method; the hosted platform never frees a slug. */
  erase(id: ProjectId): void
  /** Raises the key version. Services then refuse credentials with a lower `kv`. */
  raiseKeyVersion(id: ProjectId): Project
  change(id: ProjectId, changes: { readonly name?: string; readonly planTier?: PlanTier }): Project
  /** Marks a template whose clone did not complete, so that it is not used (docs/wire/platform.md#lifecycle). */
  markUnusable(id: ProjectId): void
  isUsable(id: ProjectId): boolean
}

export interface RegistrySource {
  readonly ids: IdSource
  readonly clock: Clock
  /** Situations simulated for single requests. For its request, a situation acts like a stored switch. */
  readonly situations?: PlayedSituations
}

/** Creates the registry over the platform's database. All methods are synchronous, because one process is the only writer. */
export function createProjectRegistry(
  db: SystemDb,
  { ids, clock, situations }: RegistrySource,
): ProjectRegistry {
  const queries = prepareQueries(db)

  function rowOf(id: ProjectId): ProjectRow {
    const row = queries.byId.get(id)
    if (row === undefined) throw new ProjectError('unknown_project', `There is no project ${id}.`)
    return row
  }

  function move(id: ProjectId, to: ProjectState): Project {
    const row = rowOf(id)
    if (!mayBecome(row.state, to))
      throw new ProjectError(
        'illegal_transition',
        `Project ${row.slug} is ${row.state} and cannot become ${to}.`,
      )
    queries.setState.run(to, id)
    return projectOf({ ...row, state: to })
  }

  function reserve(draft: ProjectDraft): Project {
    const id = trusted.projectId(ids.uuid())
    const added = queries.insert.run(
      id,
      draft.slug,
      draft.name,
      draft.kind,
      draft.planTier,
      draft.ownerId ?? null,
      draft.sourceProjectId ?? null,
      draft.frozenAt ?? null,
      clock.now(),
    )
    if (added === 0) throw new ProjectError('slug_taken', `The slug ${draft.slug} is taken.`)
    return projectOf(rowOf(id))
  }

  return {
    switches: createProjectSwitches(db, situations),
    ...createFinders(db, queries),
    ordinalOf: (id) => rowOf(id).seq,
    isUsable: (id) => rowOf(id).is_usable === 1,
    reserve,
    release: (id) => {
      queries.release.run(id)
    },
    activate: (id) => move(id, 'active'),
    remove: (id) => move(id, 'deleted'),
    startPurge: (id) => move(id, 'purging'),
    finishPurge: (id) => move(id, 'purged'),
    erase: (id) => {
      queries.erase.run(id)
    },
    raiseKeyVersion: (id) => {
      queries.raiseKeyVersion.run(id)
      return projectOf(rowOf(id))
    },
    change: (id, changes) => {
      const row = rowOf(id)
      queries.change.run(changes.name ?? row.name, changes.planTier ?? row.plan_tier, id)
      return projectOf(rowOf(id))
    },
    markUnusable: (id) => {
      queries.markUnusable.run(id)
    },
  }
}

type Queries = ReturnType<typeof prepareQueries>

function createFinders(
  db: SystemDb,
  queries: Queries,
): Pick<
  ProjectRegistry,
  | 'findProject'
  | 'findProjectBySchema'
  | 'findProjectBySlug'
  | 'isSlugTaken'
  | 'listOwned'
  | 'listInState'
  | 'templateSlugsOf'
> {
  const found = (row: ProjectRow | undefined) => (row === undefined ? undefined : projectOf(row))
  const byId = remembering(db, (id) => found(queries.byId.get(id)))
  const bySlug = remembering(db, (slug) => found(queries.bySlug.get(slug)))
  return {
    findProject: byId,
    findProjectBySchema: (schemaName) => bySlug(registeredSlugOf(schemaName)),
    findProjectBySlug: bySlug,
    isSlugTaken: (slug) => queries.bySlug.get(slug) !== undefined,
    listOwned: (ownerId) => queries.owned.all(ownerId).map(projectOf),
    listInState: (state) => queries.inState.all(state).map(projectOf),
    templateSlugsOf: (sourceProjectId) =>
      queries.templateSlugs.all(sourceProjectId).map((row) => row.slug),
  }
}

// Caches rows, because every request reads its project and few requests change one.
function remembering(
  db: SystemDb,
  find: (key: string) => Project | undefined,
): (key: string) => Project | undefined {
  const kept = new Map<string, Project>()
  let revision = db.revision
  return (key) => {
    if (revision !== db.revision) {
      kept.clear()
      revision = db.revision
    }
    const project = kept.get(key) ?? find(key)
    if (project !== undefined) kept.set(key, project)
    return project
  }
}

function prepareQueries(db: SystemDb) {
  return {
    byId: db.prepare<[string], ProjectRow>('select * from projects where id = ?'),
    bySlug: db.prepare<[string], ProjectRow>('select * from projects where slug = ?'),
    owned: db.prepare<[string], ProjectRow>(
      "select * from projects where owner_id = ? and state = 'active' order by seq desc",
    ),
    inState: db.prepare<[string], ProjectRow>(
      'select * from projects where state = ? order by seq',
    ),
    templateSlugs: db.prepare<[string], { slug: string }>(
      "select slug from projects where source_project_id = ? and kind = 'template'",
    ),
    insert: db.prepare<
      [
        string,
        string,
        string,
        ProjectKind,
        PlanTier,
        string | null,
        string | null,
        number | null,
        number,
      ]
    >(
      `insert into projects
         (id, slug, name, kind, plan_tier, owner_id, source_project_id, frozen_at, created_at, state)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'reserved')
       on conflict (slug) do nothing`,
    ),
    release: db.prepare<[string]>("delete from projects where id = ? and state = 'reserved'"),
    erase: db.prepare<[string]>('delete from projects where id = ?'),
    setState: db.prepare<[ProjectState, string]>('update projects set state = ? where id = ?'),
    raiseKeyVersion: db.prepare<[string]>(
      'update projects set key_version = key_version + 1 where id = ?',
    ),
    change: db.prepare<[string, PlanTier, string]>(
      'update projects set name = ?, plan_tier = ? where id = ?',
    ),
    markUnusable: db.prepare<[string]>('update projects set is_usable = 0 where id = ?'),
  }
}

// Errors of the registry. The control plane checks its input first, so each of these errors means a bug in the caller.
type ProjectErrorCode = 'slug_taken' | 'unknown_project' | 'illegal_transition'

class ProjectError extends EmulatorError {
  override readonly code: ProjectErrorCode

  constructor(code: ProjectErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

// The switches of a project (ProjectSwitch), stored until they are switched off.

interface ProjectSwitches {
  arm(id: ProjectId, situation: ProjectSwitch): void
  disarm(id: ProjectId, situation: ProjectSwitch): void
  /** The project's switches that are on. */
  armed(id: ProjectId): readonly ProjectSwitch[]
  isArmed(id: ProjectId, situation: ProjectSwitch): boolean
}

/** @param played situations simulated for the current request, in addition to stored switches */
function createProjectSwitches(
  db: SystemDb,
  played: PlayedSituations = NO_SITUATIONS,
): ProjectSwitches {
  const insert = db.prepare<[string, string]>(
    'insert into project_switches (project_id, switch) values (?, ?) on conflict do nothing',
  )
  const erase = db.prepare<[string, string]>(
    'delete from project_switches where project_id = ? and switch = ?',
  )
  const list = db.prepare<[string], { switch: ProjectSwitch }>(
    'select switch from project_switches where project_id = ? order by switch',
  )
  const find = db.prepare<[string, string], { found: number }>(
    'select 1 as found from project_switches where project_id = ? and switch = ?',
  )
  return {
    arm: (id, situation) => {
      insert.run(id, situation)
    },
    disarm: (id, situation) => {
      erase.run(id, situation)
    },
    armed: (id) => list.all(id).map((row) => row.switch),
    isArmed: (id, situation) => played.holds(situation) || find.get(id, situation) !== undefined,
  }
}
