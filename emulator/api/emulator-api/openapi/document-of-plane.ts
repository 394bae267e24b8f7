// Finds the OpenAPI document that a caller of the emulator's own API asks for. The API loads this file on first use.

import { isJsonObject } from '../../../core/json.ts'
import type { RequestEnv } from '../../../core/request-env.ts'
import { InspectorError } from '../../../insight/api-kit/errors.ts'
import { liveProject } from '../../../insight/api-kit/find-project.ts'
import { type RestDeps, readOverRest } from '../../../insight/explain/audit/rest-requests.ts'
import { projectKeyClaims } from '../../../platform/credentials/project-key.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import { dataDocument } from './data-document.ts'
import { planeDocument } from './plane-document.ts'
import { PLANES, type PlaneName } from './planes.ts'

export interface PlaneDocumentDeps {
  readonly version: string
  readonly projects: ProjectRegistry
  /** Sends requests to the data plane. */
  readonly rest: RestDeps
}

type Document = ReturnType<typeof planeDocument>

/** @throws {InspectorError} `not_found` for an unknown plane or project, `invalid_request` for data without a project */
export async function documentOfPlane(
  deps: PlaneDocumentDeps,
  name: string,
  reference: string | undefined,
  env: RequestEnv,
): Promise<Document> {
  if (name === 'data') return documentOfProject(deps, reference, env)
  if (!isPlane(name))
    throw new InspectorError('not_found', `There is no plane ${JSON.stringify(name)}.`, {
      hint: `Name one of ${Object.keys(PLANES).join(', ')} and data.`,
    })
  return planeDocument(PLANES[name], env.addresses, deps.version)
}

function isPlane(name: string): name is PlaneName {
  return Object.hasOwn(PLANES, name)
}

async function documentOfProject(
  { projects, rest, version }: PlaneDocumentDeps,
  reference: string | undefined,
  env: RequestEnv,
): Promise<Document> {
  if (reference === undefined)
    throw new InspectorError('invalid_request', 'Each project has its own data plane.', {
      hint: 'Name the project: ?project=<slug>.',
    })
  const project = liveProject(projects, reference)
  const swagger = await readSwagger(rest, project, env)
  if (!isJsonObject(swagger))
    throw new InspectorError('not_found', `The data plane of ${project.slug} does not answer.`, {
      hint: 'Name an active project.',
    })
  return dataDocument({ slug: project.slug, url: env.addresses.dataUrl, swagger }, version)
}

/** Returns `undefined` when the data plane refuses the request, for example for a removed project. */
async function readSwagger(rest: RestDeps, project: Project, env: RequestEnv): Promise<unknown> {
  const claims = projectKeyClaims(project, 'service_role', env.addresses, rest.clock.now())
  const key = await rest.signingKeys.signEs256(claims)
  const { dataUrl } = env.addresses
  const { status, body } = await readOverRest(
    rest,
    { url: `${dataUrl}/`, token: key, apiKey: key, profile: project.schemaName },
    env,
  )
  return status === 200 ? body : undefined
}
