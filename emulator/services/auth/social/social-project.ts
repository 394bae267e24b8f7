// Finds the project of a social sign-in and checks that its settings allow the provider (docs/wire/auth.md#social).

import type { HttpContext } from '../../../core/mount-routes.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { AuthSettings, ProviderName } from '../auth-settings.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import type {} from '../request/route.ts'
import { findProvider } from './providers.ts'

/** Finds the project of a state, which begins with `<slug>.`. @throws {AuthError} `oauth_state_invalid` */
export function projectOfState(
  { projects }: Pick<AuthDeps, 'projects'>,
  { env }: HttpContext,
  state: string,
): Project {
  const project = projects.findProjectBySlug(state.split('.', 1)[0] ?? '')
  if (project?.state !== 'active') throw invalidState('The state of this sign-in is unknown.')
  env.facts.schemaName = project.schemaName
  return project
}

/** Returns the provider if the project's settings allow it. @throws {AuthError} `oauth_not_enabled` */
export function enabledProvider(
  { providers }: Pick<AuthSettings, 'providers'>,
  name: string,
): ProviderName {
  const provider = findProvider(name)
  if (provider !== undefined && providers.includes(provider)) return provider
  const enabled = providers.length === 0 ? 'none' : providers.join(', ')
  throw new AuthError(
    'oauth_not_enabled',
    `The provider ${JSON.stringify(name)} is not enabled for this project. Enabled providers: ${enabled}.`,
    { hint: 'Add the provider to the auth setting "providers", or use an enabled provider.' },
  )
}

/** The error for a state that belongs to no open sign-in. */
export function invalidState(problem: string): AuthError {
  return new AuthError('oauth_state_invalid', problem, { hint: START_AGAIN })
}

/** The error for a sign-in that another browser started. */
export function unboundState(): AuthError {
  return new AuthError(
    'oauth_state_unbound',
    'This browser did not open the consent page of this sign-in.',
    { hint: START_AGAIN },
  )
}

const START_AGAIN = 'Go back to the application and sign in again.'
