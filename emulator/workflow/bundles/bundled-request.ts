// A request as a bundle contains it: its journal entry and its recording, with masked secrets (contract/recording.ts).
import { z } from 'zod'
import { JournalEntry } from '../../contract/journal.ts'
import { HTTP_TOKEN, RequestStage } from '../../contract/recording.ts'
import { type HeaderReader, receivedHeaders } from '../../core/headers.ts'
import { KEPT_BODY_BYTES, KeptBytes } from '../../insight/journal/recording/kept-bytes.ts'
import type { Recording } from '../../insight/journal/recording/kept-request.ts'
import { showStage } from '../../insight/journal/recording/show-recording.ts'
import { credentialOf, readClaims } from '../../platform/credentials/unverified-claims.ts'
import { MASK } from '../../platform/secrets/masking.ts'
import { scopeOf } from '../../platform/secrets/secret-names.ts'
import {
  credentialsOfRequest,
  maskHeaders,
  maskKeptBody,
  maskTarget,
  PLACEHOLDER,
} from './mask-request.ts'
import { type BundledCredentials, NamedCredential } from './named-credential.ts'

interface BundledBody {
  /** `null` for a body that is not text. */
  readonly text: string | null
  readonly size_bytes: number
  readonly is_complete: boolean
}

type BundledHeaders = readonly (readonly [name: string, value: string])[]

interface BundledRecording {
  readonly method: string
  readonly origin: string
  /** In headers and target, each credential is masked or replaced by the placeholder `credential~<index in credentials>`. */
  readonly target: string
  readonly request_headers: BundledHeaders
  /** `null` for a body that was not kept. */
  readonly request_body: BundledBody | null
  readonly response_headers: BundledHeaders | null
  readonly response_body: BundledBody | null
  readonly credentials: readonly NamedCredential[]
  readonly has_masked_body: boolean
  readonly stages: readonly RequestStage[] | null
}

export interface BundledRequest {
  readonly entry: JournalEntry
  /** `null` when newer requests had replaced the recording. */
  readonly recording: BundledRecording | null
}

const Body = z.object({
  // Allows more than the recorder keeps, because a mask can be longer than the secret.
  text: z
    .string()
    .max(2 * KEPT_BODY_BYTES)
    .nullable(),
  size_bytes: z.number().min(0),
  is_complete: z.boolean(),
})

const HeaderPairs = z.array(z.tuple([z.string(), z.string()])).max(2_000)

// A replay must not reach the emulator's own API, which reads files of this machine.
function isPlatformRequest({ origin, target }: Sendable): boolean {
  const path = URL.parse(origin + target)?.pathname
  return path !== undefined && !/^\/+_emulator/.test(path)
}

interface Sendable {
  readonly origin: string
  readonly target: string
}

/** The requests of a bundle, which are untrusted. */
export const BundledRequests: z.ZodType<readonly BundledRequest[]> = z
  .array(
    z.object({
      // Bundles made before the journal recorded parameters lack this member.
      entry: JournalEntry.extend({ parameters: JournalEntry.shape.parameters.default(null) }),
      recording: z
        .object({
          method: z.string().regex(HTTP_TOKEN),
          origin: z.url({ protocol: /^https?$/ }),
          target: z.string().startsWith('/'),
          request_headers: HeaderPairs,
          request_body: Body.nullable(),
          response_headers: HeaderPairs.nullable(),
          response_body: Body.nullable(),
          credentials: z.array(NamedCredential),
          has_masked_body: z.boolean(),
          stages: z.array(RequestStage).nullable(),
        })
        .refine(isPlatformRequest, 'must be a request to the platform')
        .nullable(),
    }),
  )
  .max(2_000)

/** Returns the request without usable credentials and without passwords. */
export async function bundleRequest(
  known: BundledCredentials,
  entry: JournalEntry,
  recording: Recording | undefined,
): Promise<BundledRequest> {
  if (recording === undefined) return { entry, recording: null }
  const { method, requestHeaders, responseHeaders, stages, url } = recording
  const credentials = credentialsOfRequest(known)
  const typeOf = (headers: HeaderReader | undefined) => headers?.get('content-type') ?? null
  const sent = maskKeptBody(
    recording.requestBody,
    typeOf(requestHeaders),
    scopeOf(recording.target, 'request'),
  )
  const received = maskKeptBody(
    recording.responseBody,
    typeOf(responseHeaders),
    scopeOf(recording.target, 'answer'),
  )
  return {
    entry,
    recording: {
      method,
      origin: new URL(url).origin,
      target: await maskTarget(recording.target, credentials),
      request_headers: await maskHeaders(requestHeaders, credentials),
      request_body: sent?.body ?? null,
      response_headers: responseHeaders ? await maskHeaders(responseHeaders, credentials) : null,
      response_body: received?.body ?? null,
      credentials: credentials.named,
      has_masked_body: sent?.isMasked === true,
      stages:
        stages?.map(showStage).map(({ parts, ...stage }) => ({ ...stage, parts: [...parts] })) ??
        null,
    },
  }
}

/** Returns the recording for the emulator that opens the bundle. */
export async function openRecording(
  known: BundledCredentials,
  { request_id: requestId, status }: JournalEntry,
  bundled: BundledRecording,
): Promise<Recording> {
  const issued = await Promise.all(bundled.credentials.map((named) => known.issue(named)))
  const fill = (text: string): string =>
    text.replace(PLACEHOLDER, (_all, place: string) => issued[Number(place)] ?? MASK)
  const target = fill(bundled.target)
  const requestHeaders = headersOf(bundled.request_headers, fill)
  return {
    requestId,
    method: bundled.method,
    url: new URL(new URL(bundled.origin).origin + target).href,
    target,
    isRefused: status >= 400,
    requestHeaders,
    requestBody: keptBody(bundled.request_body),
    responseHeaders: bundled.response_headers
      ? headersOf(bundled.response_headers, fill)
      : undefined,
    responseBody: keptBody(bundled.response_body),
    claims: readClaims(credentialOf(requestHeaders, target)),
    stages: bundled.stages?.map((stage) => ({
      name: stage.name,
      millis: stage.duration_ms,
      parts: stage.parts.map((part) => ({ name: part.name, millis: part.duration_ms })),
    })),
    hasMaskedBody: bundled.has_masked_body,
  }
}

function headersOf(headers: BundledHeaders, fill: (text: string) => string): HeaderReader {
  return receivedHeaders(headers.flatMap(([name, value]) => [name, fill(value)]))
}

function keptBody(body: BundledBody | null): KeptBytes | undefined {
  if (body === null) return undefined
  return KeptBytes.of(body.text ?? undefined, body.size_bytes, body.is_complete)
}
