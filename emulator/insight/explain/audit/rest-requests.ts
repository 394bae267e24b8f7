// Sends REST requests of the audit to the data plane, with minted credentials. The requests pass neither the edge nor the
// journal. Faults therefore do not apply to them, and thousands of audit requests do not hide the application's own requests.

import type { Clock } from '../../../core/clock.ts'
import { parseJson } from '../../../core/json.ts'
import { type Answer, PlainRequest } from '../../../core/plain-http.ts'
import type { RequestEnv, ServiceApp } from '../../../core/request-env.ts'
import { projectKeyClaims } from '../../../platform/credentials/project-key.ts'
import type { SigningKeys } from '../../../platform/credentials/signing-keys.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ResolvedIdentity } from '../../api-kit/identities.ts'

export interface RestDeps {
  /** The data plane. */
  readonly data: ServiceApp<Answer>
  readonly signingKeys: Pick<SigningKeys, 'signEs256'>
  readonly clock: Clock
}

export interface RestRead {
  readonly url: string
  readonly token: string
  readonly apiKey: string
  /** Schema name in `Accept-Profile`. */
  readonly profile: string
}

export interface RestAnswer {
  readonly status: number
  /** The parsed body; `undefined` when it is not JSON. */
  readonly body: unknown
}

/** Mints a credential that acts as the identity. */
export function mintFor(
  { signingKeys }: RestDeps,
  { principal }: ResolvedIdentity,
): Promise<string> {
  return signingKeys.signEs256(principal.claims)
}

/** Mints the project's anon key. */
export function mintAnonKey(
  { clock, signingKeys }: RestDeps,
  project: Project,
  { addresses }: RequestEnv,
): Promise<string> {
  return signingKeys.signEs256(projectKeyClaims(project, 'anon', addresses, clock.now()))
}

/** @throws {unknown} errors that the data plane does not render */
export async function readOverRest(
  { data }: RestDeps,
  read: RestRead,
  { addresses, requestId }: RequestEnv,
): Promise<RestAnswer> {
  const request = new Request(read.url, { headers: headersOf(read) })
  const env = { addresses, requestId, facts: {} }
  try {
    const answer = await data.answer(new PlainRequest(request, undefined), env)
    return { status: answer.status, body: bodyOf(answer) }
  } catch (error) {
    const rendered = data.renderError(error)
    if (rendered === undefined) throw error
    return { status: rendered.status, body: parseJson(rendered.body ?? '') }
  }
}

function bodyOf({ body }: Answer): unknown {
  return body === undefined ? undefined : parseJson(new TextDecoder().decode(body))
}

function headersOf({ apiKey, profile, token }: RestRead): Readonly<Record<string, string>> {
  return { apikey: apiKey, Authorization: `Bearer ${token}`, 'Accept-Profile': profile }
}

/** Returns the request as a command for a POSIX shell. */
export function curlOf(read: RestRead): string {
  const headers = Object.entries(headersOf(read)).map(
    ([name, value]) => `-H ${quoted(`${name}: ${value}`)}`,
  )
  return ['curl -s', quoted(read.url), ...headers].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
