// The switches of a project (ProjectSwitch), stored until they are switched off.
import type { ProjectId } from '../../core/names.ts'
import { NO_SITUATIONS, type PlayedSituations } from '../../core/situations.ts'
import type { SystemDb } from '../../database/system-db/system-db.ts'
import type { ProjectSwitch } from './project.ts'

export interface ProjectSwitches {
  arm(id: ProjectId, situation: ProjectSwitch): void
  disarm(id: ProjectId, situation: ProjectSwitch): void
  /** The project's switches that are on. */
  armed(id: ProjectId): readonly ProjectSwitch[]
  isArmed(id: ProjectId, situation: ProjectSwitch): boolean
}

/** @param played situations simulated for the current request, in addition to stored switches */
export function createProjectSwitches(
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
