// Converts a recording to the API's answer: masks secrets and decodes text bodies (contract/recording.ts). Pure.
import type { RecordedBody, RequestRecording, RequestStage } from '../../contract/recording.ts'
import type { Stage } from '../../core/stopwatch.ts'
import type { KeptBytes } from './kept-bytes.ts'
import type { Recording } from './kept-request.ts'
import { maskBody } from './mask-body.ts'

/** Returns the recording with masked secrets. `Recording` keeps the secrets for replays. */
export function showRecording(recording: Recording): RequestRecording {
  const { requestHeaders, responseHeaders, requestBody, responseBody, claims, stages } = recording
  return {
    request_headers: showHeaders(requestHeaders),
    request_body: showBody(requestBody, maskOfRequest(recording)),
    response_headers: showHeaders(responseHeaders ?? []),
    response_body: showBody(responseBody, maskOfResponse(recording)),
    claims: claims ?? null,
    stages: stages?.map(showStage) ?? null,
  }
}

export function showStage({ name, millis, parts }: Stage): RequestStage {
  return {
    name,
    duration_ms: micros(millis),
    parts: parts.map((part) => ({ name: part.name, duration_ms: micros(part.millis) })),
  }
}

/** Rounds to microseconds. */
function micros(millis: number): number {
  return Math.round(millis * 1_000) / 1_000
}

/** Headers that contain credentials. */
const SECRET_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'apikey',
  'x-api-key',
  'cookie',
  'set-cookie',
  'x-amz-security-token',
  'x-upload-signature',
])
/** Headers with a URL whose query may contain a credential. */
const ADDRESS_HEADERS = new Set(['location', 'content-location', 'referer'])
const SECRET_PARAMS =
  /([?&#](?:apikey|token|access_token|refresh_token|code|state|signature|x-amz-signature)=)[^&#]+/gi
/** Number of characters to show of a secret. A secret shorter than `SHORT` is masked completely. */
const SHOWN = 8
const SHORT = 24

function showHeaders(headers: Iterable<[name: string, value: string]>): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, showHeader(name.toLowerCase(), value)]),
  )
}

/** Masks a header that contains a credential. @param name in lower case */
export function showHeader(name: string, value: string): string {
  if (ADDRESS_HEADERS.has(name)) return value.replace(SECRET_PARAMS, '$1…')
  if (!SECRET_HEADERS.has(name)) return value
  const [, scheme = '', secret = ''] = /^((?:bearer|basic)\s+)?(.*)$/is.exec(value) ?? []
  return `${scheme}${secret.length < SHORT ? '' : secret.slice(0, SHOWN)}…`
}

type Mask = (text: string) => string

// The emulator keeps the bodies of refused requests without being asked to. Bodies of other requests are only kept while the
// user watches, and are shown whole.
function maskOfRequest(recording: Recording): Mask {
  if (!recording.isRefused) return (text) => text
  return (text) => maskBody(text, isSignIn(recording))
}

function maskOfResponse({ isRefused }: Recording): Mask {
  return isRefused ? (text) => maskBody(text, false) : (text) => text
}

/** Whether the bodies of the request can contain codes and passwords of a sign-in. */
export function isSignIn({ target }: Pick<Recording, 'target'>): boolean {
  return target.startsWith('/auth/v1/')
}

function showBody(kept: KeptBytes | undefined, mask: Mask): RecordedBody {
  if (kept === undefined) return { state: 'unwatched', text: null, size_bytes: null }
  const { sizeBytes } = kept
  if (sizeBytes === 0) return { state: 'empty', text: null, size_bytes: 0 }
  const bytes = kept.isText ? kept.bytes() : undefined
  if (bytes === undefined || bytes.includes(0))
    return { state: 'binary', text: null, size_bytes: sizeBytes }
  const isComplete = kept.isComplete
  // A truncated body may end in the middle of a character.
  const text = isComplete ? bytes.toString('utf8') : bytes.toString('utf8').replace(/\uFFFD$/, '')
  return { state: isComplete ? 'complete' : 'truncated', text: mask(text), size_bytes: sizeBytes }
}
