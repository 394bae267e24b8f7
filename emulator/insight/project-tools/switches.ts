// Routes for a project's switches, below /_emulator/v1 (contract/switches.ts).
import type { Hono } from 'hono'
import { SWITCHES } from '../../contract/choices.ts'
import { SWITCH_OPERATIONS, type SwitchState } from '../../contract/switches.ts'
import type { Project, ProjectSwitch } from '../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import { findProject } from '../api-kit/find-project.ts'
import { type Bindings, mountOnProject } from '../api-kit/mount.ts'

const ANSWERS = {
  template_deleted:
    'Provisioning answers 409 template_indisponivel: the template project was deleted',
  template_dedicated_misaligned:
    'Provisioning answers 409 template_indisponivel: a dedicated database is not aligned',
  source_out_of_sync: 'Publishing answers 409 fonte_indisponivel',
  clone_incomplete: 'Publishing answers 500 clone_incompleto and leaves an unusable template',
  purge_pending: 'Purging answers 202 pendente and finishes a few minutes later',
  provision_fails: 'Provisioning answers 500 and is undone completely',
  storage_over_quota:
    'On the free plan, exchanging a key for a storage token answers 402 storage_quota_exceeded',
} as const satisfies Record<ProjectSwitch, string>

export function mountSwitches(
  app: Hono<Bindings>,
  { projects }: { readonly projects: ProjectRegistry },
): void {
  const { switches } = projects
  const stateOf = (project: Project): SwitchState => ({
    project_id: project.id,
    schema_name: project.schemaName,
    on: switches.armed(project.id),
    available: ANSWERS,
  })
  mountOnProject(app, SWITCH_OPERATIONS, (reference) => findProject(projects, reference), {
    'GET /projects/:ref/switches': ({ project }) => stateOf(project),
    'PUT /projects/:ref/switches': ({ project, body: { on } }) => {
      for (const name of SWITCHES) {
        if (on.includes(name)) switches.arm(project.id, name)
        else switches.disarm(project.id, name)
      }
      return stateOf(project)
    },
  })
}
