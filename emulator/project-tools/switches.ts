// The switches of a project over /_emulator/v1: what each produces, which are on.
import { z } from 'zod'
import type { SwitchState } from '../contract/switches.ts'
import type { Project, ProjectSwitch } from '../projects/project.ts'
import type { ProjectSwitches } from '../projects/project-switches.ts'

const ANSWERS = {
  template_deleted:
    'provisioning answers 409 template_indisponivel: the template project was deleted',
  template_dedicated_misaligned:
    'provisioning answers 409 template_indisponivel: a dedicated database is not aligned',
  source_out_of_sync: 'publishing answers 409 fonte_indisponivel',
  clone_incomplete: 'publishing answers 500 clone_incompleto and leaves an unusable template',
  purge_pending: 'purging answers 202 pendente and finishes a few minutes later',
  provision_fails: 'provisioning answers 500 and is undone completely',
  storage_over_quota:
    'on the free plan, exchanging a key for a storage token answers 402 storage_quota_exceeded',
} as const satisfies Record<ProjectSwitch, string>

const NAMES = Object.keys(ANSWERS) as ProjectSwitch[]

export const switchesSchema = z.strictObject({ on: z.array(z.enum(NAMES)) })

export function switchState(switches: ProjectSwitches, project: Project): SwitchState {
  return {
    project_id: project.id,
    schema_name: project.schemaName,
    on: switches.armed(project.id),
    available: ANSWERS,
  }
}

/** Arms exactly the named switches. */
export function setSwitches(
  switches: ProjectSwitches,
  project: Project,
  on: readonly ProjectSwitch[],
): void {
  for (const name of NAMES) {
    if (on.includes(name)) switches.arm(project.id, name)
    else switches.disarm(project.id, name)
  }
}
