// Finds what a change reaches when the project follows a folder of steps: the template, its tenants, and the file of the new
// step.
import { basename } from 'node:path'
import type { EpochMillis } from '../../core/time.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import type { Project } from '../../platform/projects/project.ts'
import { type FollowedFolder, stepNameOf } from '../fixtures/follow/step-folder.ts'
import { type Fleet, FleetFailure, type FleetProject } from '../migrations/apply/fleet.ts'
import {
  execOutcome,
  type FleetRequest,
  type LocalFleetDeps,
} from '../migrations/apply/local-fleet.ts'
import { type Step, toSteps } from '../migrations/steps/step.ts'
import { nextStepPath, readSteps, StepFolderError } from '../migrations/steps/step-files.ts'

export interface StepToCome {
  /** Absolute path of the file to write, which does not exist yet. */
  readonly path: string
  readonly step: Step
  /** The folder's steps, with the new one at the end. */
  readonly steps: readonly Step[]
}

/** @throws {InspectorError} `conflict` when the title or the folder does not allow a step */
export function stepToCome(
  { folder }: Pick<FollowedFolder, 'folder'>,
  { sql, title: given }: { readonly title: string; readonly sql: string },
  now: EpochMillis,
): StepToCome {
  const title = given.trim().replaceAll(/\s+/g, ' ')
  try {
    const path = nextStepPath(folder, stepNameOf(title), now)
    const text = `-- ${title}\n\n${sql.trimEnd()}\n`
    const [step] = toSteps([{ file: basename(path), sql: text }]).steps
    if (step === undefined) throw new StepFolderError(`${path} is not a step.`)
    return { path, step, steps: [...readSteps(folder), step] }
  } catch (error) {
    if (!(error instanceof StepFolderError)) throw error
    throw new InspectorError(
      'conflict',
      error.message,
      error.hint === undefined ? {} : { hint: error.hint },
    )
  }
}

/** Returns the followed projects as a fleet whose template cannot be published. */
export function followedFleet(
  { executeSql }: Pick<LocalFleetDeps, 'executeSql'>,
  { source, tenants }: FollowedFolder,
  { requestId, signal }: FleetRequest,
): Fleet {
  const projects = new Map([source, ...tenants].map((project) => [project.slug as string, project]))
  return {
    template: async () => fleetProject(source),
    versions: async () => [],
    tenants: async () => tenants.map(fleetProject),
    exec: (named, text) => {
      const project = projects.get(named.slug)
      if (project === undefined)
        throw new FleetFailure('refused', 'not_found', `There is no project ${named.slug}.`)
      return execOutcome(() => executeSql(project, text, signal, requestId))
    },
    publish: async () => {
      throw new FleetFailure('refused', 'not_publishable', 'A change is not published.')
    },
  }
}

function fleetProject({ schemaName, slug }: Project): FleetProject {
  return { slug, schemaName, state: 'active', templateVersion: null }
}
