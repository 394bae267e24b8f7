// Which project a request is about: named by header, by key, or by the user's own token (docs/wire/auth.md#project).
import { trusted } from '../core/names.ts'
import type { RequestFacts } from '../core/observation.ts'
import { CredentialError } from '../credentials/credential-error.ts'
import { bearerOf } from '../credentials/verified.ts'
import type { Project } from '../projects/project.ts'
import { isAccessToken, readAccessToken } from './access-token.ts'
import type { AuthDeps } from './deps.ts'
import { AuthError } from './errors.ts'

export interface NamedProject {
  /** The header `X-SuperDB-Project`: a slug. */
  readonly slug: string | undefined
  readonly apiKey: string | undefined
  /** The header `Authorization`, as it came. */
  readonly authorization: string | undefined
  readonly facts: RequestFacts
}

type ProjectDeps = Pick<AuthDeps, 'projects' | 'verifier' | 'signingKeys' | 'clock'>

/** @throws {AuthError} `project_conflict`, `invalid_request`, `not_found` @throws {CredentialError} for a bad apikey */
export async function projectOfRequest(deps: ProjectDeps, named: NamedProject): Promise<Project> {
  const ofKey = await projectOfKey(deps, named.apiKey)
  const ofSlug = named.slug === undefined ? undefined : requireSlug(deps, named.slug)
  if (ofKey !== undefined && ofSlug !== undefined && ofKey.id !== ofSlug.id)
    throw new AuthError(
      'project_conflict',
      `The header X-SuperDB-Project names ${ofSlug.slug}, the apikey belongs to ${ofKey.slug}.`,
      { hint: 'Send one of them, or both of the same project.' },
    )
  const project = ofSlug ?? ofKey ?? (await projectOfToken(deps, named.authorization))
  if (project === undefined)
    throw new AuthError('invalid_request', 'The request does not say which project it is about.', {
      hint: 'Send the header "X-SuperDB-Project: <slug>", or the project’s anon key in the header "apikey".',
    })
  named.facts.schemaName = project.schemaName
  return project
}

async function projectOfKey(
  { verifier, projects }: ProjectDeps,
  apiKey: string | undefined,
): Promise<Project | undefined> {
  if (apiKey === undefined) return undefined
  const { principal } = await verifier.verify(apiKey.trim(), ['principal'])
  if (principal.credentialKind === 'dataPlaneToken')
    throw new CredentialError('wrongKind', 'The header apikey holds a data_plane_token.', {
      hint: 'Send the project’s anon or service_role key in it.',
    })
  return projects.findProject(principal.projectId)
}

function requireSlug({ projects }: ProjectDeps, slug: string): Project {
  const project = projects.findProjectBySlug(slug)
  if (project?.state === 'active') return project
  throw new AuthError('not_found', `There is no active project ${JSON.stringify(slug)}.`, {
    hint: 'X-SuperDB-Project takes a project’s slug, without "proj_".',
  })
}

async function projectOfToken(
  { signingKeys, projects, clock }: ProjectDeps,
  authorization: string | undefined,
): Promise<Project | undefined> {
  const token = bearerOf(authorization)
  if (!isAccessToken(token)) return undefined
  const claims = await readAccessToken(signingKeys, token, clock.now())
  const project = projects.findProject(trusted.projectId(claims.projectId))
  if (project?.state === 'active') return project
  throw new CredentialError('offline', 'The project of this access_token is not active.')
}
