// Routes of /auth/v1/consent/:provider, the consent page of a social sign-in. The consent page replaces the page of the real
// provider (docs/wire/auth.md#social).
import { z } from 'zod'
import { type HttpContext, pathParam } from '../../../core/mount-routes.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ProviderName } from '../auth-settings.ts'
import type { AuthDeps } from '../deps.ts'
import { type AuthError, invalidRequest } from '../errors.ts'
import type { AuthErrorCode } from '../refusals.ts'
import { decodeForm, decodeQuery, emailShape } from '../request/request-body.ts'
import { type AuthRoutes, BODY_CODES, leaveTo } from '../request/route.ts'
import { bindBrowser } from './browser-binding.ts'
import { type AccountDraft, consentHeaders, renderConsentPage } from './consent-page.ts'
import { answerFlow, findOpenFlow, type OpenFlow } from './flow-states.ts'
import { accountOf, inventedAccounts, type ProviderAccount } from './providers.ts'
import { forBrowsers } from './refusal-page.ts'
import { enabledProvider, invalidState, projectOfState } from './social-project.ts'

const PageShape = z.object({ state: z.string().default('') })

const AnswerShape = z.object({
  state: z.string().default(''),
  /** The provider's id of one of the listed accounts. */
  account: z.string().optional(),
  decision: z.enum(['new', 'deny', 'error']).optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  email_unverified: z.string().optional(),
})
type Answer = z.output<typeof AnswerShape>

const CONSENT_CODES: readonly AuthErrorCode[] = [
  'oauth_not_enabled',
  'oauth_state_invalid',
  'oauth_state_unbound',
  ...BODY_CODES,
]

export const CONSENT_ROUTES: AuthRoutes = {
  'GET,HEAD /auth/v1/consent/:provider': {
    operation: 'oauth.consent',
    title: 'Shows the provider’s consent page',
    codes: CONSENT_CODES,
    query: PageShape,
    handler: (deps) =>
      forBrowsers(async (context) => {
        const { state } = decodeQuery(context.req.url, PageShape)
        const question = await questionOf(deps, context, state)
        bindBrowser(context, question.state)
        return show(context, question, undefined)
      }),
  },
  'POST /auth/v1/consent/:provider': {
    operation: 'oauth.consent',
    title: 'Answers the provider’s consent page',
    codes: CONSENT_CODES,
    form: AnswerShape,
    handler: (deps) =>
      forBrowsers(async (context) => {
        const answer = await decodeForm(context.req.raw, AnswerShape)
        const question = await questionOf(deps, context, answer.state)
        if (answer.decision === 'deny')
          return toCallback(context, question, { error: 'access_denied' })
        if (answer.decision === 'error')
          return toCallback(context, question, { error: 'server_error' })
        const choice = chosenAccount(question, answer)
        if (choice.kind === 'draft') return show(context, question, choice.draft)
        const { schemaName } = question.project
        const code = await answerFlow(deps, schemaName, question, choice.account)
        if (code === undefined) throw over()
        return toCallback(context, question, { code })
      }),
  },
}

interface Question {
  readonly project: Project
  readonly provider: ProviderName
  readonly state: string
  readonly flow: OpenFlow
  readonly accounts: readonly ProviderAccount[]
}

async function questionOf(deps: AuthDeps, context: HttpContext, state: string): Promise<Question> {
  const project = projectOfState(deps, context, state)
  const settings = deps.settings.settingsOf(project.id)
  const provider = enabledProvider(settings, pathParam(context, 'provider'))
  const flow = await findOpenFlow(deps, project.schemaName, provider, state)
  if (flow === undefined) throw over()
  return { project, provider, state, flow, accounts: listedAccounts(provider, flow) }
}

function listedAccounts(provider: ProviderName, flow: OpenFlow): readonly ProviderAccount[] {
  const used = new Set(flow.usedAccounts.map(({ sub }) => sub))
  const others = inventedAccounts(provider).filter(({ sub }) => !used.has(sub))
  return [...flow.usedAccounts, ...others]
}

function show(
  context: HttpContext,
  { project, provider, state, flow, accounts }: Question,
  draft: AccountDraft | undefined,
): Response {
  const used = new Set(flow.usedAccounts.map(({ sub }) => sub))
  const page = renderConsentPage({
    provider,
    state,
    projectName: project.name,
    redirectTo: flow.redirectTo,
    accounts: accounts.map((account) => ({ account, isUsed: used.has(account.sub) })),
    draft,
  })
  return context.body(page, draft === undefined ? 200 : 400, consentHeaders(flow.redirectTo))
}

type Choice =
  | { readonly kind: 'account'; readonly account: ProviderAccount }
  | { readonly kind: 'draft'; readonly draft: AccountDraft }

function chosenAccount({ provider, accounts }: Question, answer: Answer): Choice {
  if (answer.decision === 'new') return newAccount(provider, answer)
  const account = accounts.find(({ sub }) => sub === answer.account)
  if (account !== undefined) return { kind: 'account', account }
  throw invalidRequest({
    account: 'is not an account on the page; the other buttons send decision=new, deny or error',
  })
}

const NAME_LENGTH = 255

function newAccount(provider: ProviderName, answer: Answer): Choice {
  const name = answer.name?.trim() ?? ''
  const email = answer.email?.trim() ?? ''
  const address = emailShape.safeParse(email)
  const problems = {
    ...(name === '' ? { name: 'Enter a name.' } : {}),
    ...(name.length > NAME_LENGTH ? { name: `Enter at most ${NAME_LENGTH} characters.` } : {}),
    ...(address.success
      ? {}
      : { email: 'This is not an e-mail address. Example: ana@example.com.' }),
  }
  if (!address.success || Object.keys(problems).length > 0)
    return { kind: 'draft', draft: { name, email, problems } }
  const emailVerified = answer.email_unverified === undefined
  return {
    kind: 'account',
    account: accountOf(provider, { name, email: address.data, emailVerified }),
  }
}

// The address is relative, so that the browser returns to the host that set the browser's cookie.
function toCallback(
  context: HttpContext,
  { provider, state }: Question,
  outcome: Readonly<Record<string, string>>,
): Response {
  const query = new URLSearchParams({ ...outcome, state })
  return leaveTo(context, `/auth/v1/callback/${provider}?${query}`, 303)
}

function over(): AuthError {
  return invalidState('The sign-in is unknown, has expired or has already ended.')
}
