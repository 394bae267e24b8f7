// Refusals on routes that browsers open: a page for whoever asks for HTML, JSON for everybody else (contract.md §6).
import type { Project } from '../../projects/project.ts'
import type { AuthSettings, ProviderName } from '../auth-settings.ts'
import { consentHeaders, renderRefusalPage } from '../consent-page.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, type AuthErrorCode } from '../errors.ts'
import { findProvider } from '../providers.ts'
import type { AuthContext } from './route-table.ts'

/** Makes the refusal in the form the caller can read. */
export function browserRefusal(
  context: AuthContext,
  code: AuthErrorCode,
  message: string,
): AuthError {
  if (context.req.header('accept')?.includes('text/html') !== true)
    return new AuthError(code, message)
  return new AuthError(code, message, {
    page: renderRefusalPage(code, message),
    headers: consentHeaders(undefined),
  })
}

const START_AGAIN = 'Go back to the application and sign in again.'

/** The refusal of a state that leads nowhere. */
export function invalidState(context: AuthContext, problem: string): AuthError {
  return browserRefusal(context, 'oauth_state_invalid', `${problem} ${START_AGAIN}`)
}

/** The refusal of somebody else's sign-in. */
export function unboundState(context: AuthContext): AuthError {
  return browserRefusal(
    context,
    'oauth_state_unbound',
    `This browser did not open the provider's page of this sign-in. ${START_AGAIN}`,
  )
}

/** The project a state was made for: its slug stands before the dot. @throws {AuthError} `oauth_state_invalid` */
export function projectOfState(
  { projects }: Pick<AuthDeps, 'projects'>,
  context: AuthContext,
  state: string | undefined,
): Project {
  const slug = state?.split('.', 1)[0]
  const project = slug === undefined ? undefined : projects.findProjectBySlug(slug)
  if (project?.state !== 'active')
    throw invalidState(context, 'The state of this sign-in is unknown.')
  context.env.facts.schemaName = project.schemaName
  return project
}

/** The provider, if it exists and the project's settings let it in. @throws {AuthError} `oauth_not_enabled` */
export function enabledProvider(
  context: AuthContext,
  { providers }: Pick<AuthSettings, 'providers'>,
  name: string,
): ProviderName {
  const provider = findProvider(name)
  if (provider !== undefined && providers.includes(provider)) return provider
  throw browserRefusal(
    context,
    'oauth_not_enabled',
    `The provider ${JSON.stringify(name)} is not enabled for this project; enabled: ${providers.join(', ') || 'none'}. The setting providers says which are.`,
  )
}
