// Exchanges a credential for a short-lived token, for POST /st/v1/token and POST /rt/v1/token. Refusals have the error format of
// the management API (docs/wire/credentials.md#storage-token). Each service defines its own success response and 403 texts.

import { DiskFailure } from '../../core/disk-failure.ts'
import { asSentence, EmulatorError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { Answer, type PlainRequest } from '../../core/plain-http.ts'
import type { VerifiedPrincipal } from '../../core/principal.ts'
import { DISK_REFUSALS } from '../../core/refusals.ts'
import type { RenderedError, RequestEnv, ServiceApp } from '../../core/request-env.ts'
import type { Operation } from '../../core/routes.ts'
import { CredentialError, type CredentialFlaw } from './credential-error.ts'
import { EXCHANGE_REFUSALS, type ExchangeCode } from './exchange-refusals.ts'
import { bearerOf, type Verifier } from './verify.ts'

/** Error codes that every exchange can return, in addition to the codes listed by its route. */
export const EXCHANGE_ROUTE_CODES: readonly ExchangeCode[] = [
  'unauthorized',
  'not_found',
  'method_not_allowed',
  'internal',
]

/** Route table of an exchange, which has one route. The list of faults is derived from this table. */
export type ExchangeRoute = Readonly<Record<`POST /${string}`, Operation<ExchangeCode>>>

type TokenExchangeCode = Exclude<ExchangeCode, 'unauthorized' | 'internal'>

/** The error for a valid credential that is refused, or for a wrong request. */
export class TokenExchangeError extends EmulatorError {
  override readonly code: TokenExchangeCode

  constructor(code: TokenExchangeCode, message: string) {
    super(message)
    this.code = code
  }
}

export interface TokenExchange {
  readonly path: string
  readonly verifier: Verifier
  /** Returns the answer for a valid credential. @throws {TokenExchangeError} */
  issue(principal: VerifiedPrincipal, env: RequestEnv): Promise<JsonObject>
  /** Texts for flaws that result in 403. Any other flaw results in 401 `unauthorized`. */
  readonly forbidden?: Partial<Readonly<Record<CredentialFlaw, string>>>
}

export function createTokenExchangeApp(exchange: TokenExchange): ServiceApp {
  return {
    answer: (request, env) => answer(exchange, request, env),
    renderError: (error) => renderExchangeError(error, exchange.forbidden),
    renderUnavailable: ({ message, hint }) =>
      rendered(503, 'unavailable', [asSentence(message), hint].filter(Boolean).join(' ')),
    renderInternal: renderExchangeInternal,
  }
}

async function answer(
  exchange: TokenExchange,
  request: PlainRequest,
  env: RequestEnv,
): Promise<Answer> {
  if (request.path !== exchange.path)
    throw new TokenExchangeError('not_found', `The only route here is POST ${exchange.path}.`)
  if (request.method !== 'POST')
    throw new TokenExchangeError('method_not_allowed', 'Use POST to exchange a credential.')
  const credential = bearerOf(request.headers.get('authorization'))
  if (credential?.startsWith('v4.'))
    throw new CredentialError(
      'wrongKind',
      'The access_token is PASETO; this endpoint validates ES256 JWTs.',
      {
        hint: 'Send the session’s data_plane_token, or a project key.',
      },
    )
  const principal = await exchange.verifier.verify(credential, ['principal'])
  env.facts.schemaName = principal.schemaName
  env.facts.role = principal.role
  env.facts.subject = principal.subject
  env.facts.credentialKind = principal.credentialKind
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  return new Answer(200, headers, JSON.stringify(await exchange.issue(principal, env)))
}

/** Renders a refusal. Returns `undefined` for other errors. */
export function renderExchangeError(
  error: unknown,
  forbiddenTexts: TokenExchange['forbidden'],
): RenderedError | undefined {
  if (error instanceof TokenExchangeError)
    return rendered(EXCHANGE_REFUSALS[error.code].status, error.code, error.message)
  if (error instanceof DiskFailure)
    return rendered(DISK_REFUSALS[error.code].status, error.code, error.message)
  if (!(error instanceof CredentialError)) return undefined
  const forbidden = forbiddenTexts?.[error.code]
  if (forbidden !== undefined) return rendered(403, 'forbidden', forbidden)
  return rendered(401, 'unauthorized', [error.message, error.hint].filter(Boolean).join(' '))
}

/** Renders an unexpected failure. The journal lists the failure under `trace`. */
export function renderExchangeInternal(trace: string): RenderedError {
  const message = `The exchange failed inside the emulator. Look up the trace ${trace} in the journal to see the cause.`
  return rendered(500, 'internal', message)
}

function rendered(status: number, code: string, message: string): RenderedError {
  const allow: Record<string, string> = status === 405 ? { allow: 'POST' } : {}
  return {
    status,
    headers: { 'content-type': 'application/json', ...allow },
    body: JSON.stringify({ error: { code, message } }),
    code,
    message,
  }
}
