// Errors of the services that answer `{"error": {"code", "message"}}`: auth and the control plane (docs/wire/errors.md#management).
import { DiskFailure, type DiskFailureCode } from '../../core/disk-failure.ts'
import { asSentence, EmulatorError, type ErrorFacts } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { RouteErrors } from '../../core/mount-routes.ts'
import type { RefusalTable } from '../../core/refusals.ts'
import type { RenderedError } from '../../core/request-env.ts'
import { CredentialError } from './credential-error.ts'

export interface JsonErrorFacts extends Omit<ErrorFacts, 'details'> {
  /** Members of the body besides `error`, such as `details`, `project_id` and `trace`. */
  readonly fields?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
  /** Browsers get this HTML page instead of the JSON body. `headers` contains the Content-Type of the page. */
  readonly page?: string
}

/** An error that a route returns to the caller. */
export class JsonError<Code extends string> extends EmulatorError {
  override readonly code: Code
  readonly fields: JsonObject
  readonly headers: Readonly<Record<string, string>>
  readonly page: string | undefined

  constructor(code: Code, message: string, facts: JsonErrorFacts = {}) {
    super(message, facts)
    this.code = code
    this.fields = facts.fields ?? {}
    this.headers = facts.headers ?? {}
    this.page = facts.page
  }
}

type CommonCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'not_found'
  | 'method_not_allowed'
  | 'internal'
  | 'unavailable'
  | DiskFailureCode

export interface JsonErrors<Refusal> extends RouteErrors {
  /** Returns 400 `invalid_request`. `details` maps each invalid field to its problem. */
  invalidRequest(details: Readonly<Record<string, string>>): Refusal
  /** Converts an error to an error of the service. A credential error becomes `unauthorized`. Returns `undefined` for other errors. */
  refusalOf(error: unknown): Refusal | undefined
}

/** Creates the errors that all routes of a service can return. */
export function createJsonErrors<Code extends string, Refusal extends JsonError<Code>>(
  Refused: new (code: CommonCode, message: string, facts?: JsonErrorFacts) => Refusal,
  refusals: RefusalTable<Code>,
  internalMessage: string,
): JsonErrors<Refusal> {
  function refusalOf(error: unknown): Refusal | undefined {
    if (error instanceof Refused) return error
    if (error instanceof DiskFailure)
      return new Refused(error.code, error.message, { hint: error.hint })
    if (!(error instanceof CredentialError)) return undefined
    const headers = { 'www-authenticate': 'Bearer' }
    return new Refused('unauthorized', error.message, { hint: error.hint, headers })
  }

  function render({ code, fields, headers, hint, message: text, page }: Refusal): RenderedError {
    const message = hint === undefined ? text : `${text} ${hint}`
    return {
      status: refusals[code].status,
      headers: { 'content-type': 'application/json', ...headers },
      body: page ?? JSON.stringify({ error: { code, message }, ...fields }),
      code,
      message,
    }
  }

  return {
    refusalOf,
    invalidRequest: (details) => {
      const problems = Object.entries(details).map(([field, problem]) => `${field}: ${problem}`)
      const message = `The request is not valid. ${problems.join('; ')}.`
      return new Refused('invalid_request', message, { fields: { details } })
    },
    unknownRoute: (route) => new Refused('not_found', `The route ${route} does not exist.`),
    methodNotAllowed: (method, allow) =>
      new Refused('method_not_allowed', `${method} is not allowed here; use ${allow}.`, {
        headers: { allow },
      }),
    renderError: (error) => {
      const refusal = refusalOf(error)
      return refusal && render(refusal)
    },
    renderUnavailable: ({ message, hint }) =>
      render(new Refused('unavailable', asSentence(message), { hint })),
    renderInternal: (trace) => {
      const hint = 'Look up this trace in the journal to see the cause.'
      return render(new Refused('internal', internalMessage, { hint, fields: { trace } }))
    },
  }
}
