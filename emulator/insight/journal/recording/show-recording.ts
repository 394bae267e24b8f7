// Converts a recording to the API's answer: masks secrets and decodes text bodies (contract/recording.ts). Pure.
import type { RecordedBody, RequestRecording, RequestStage } from '../../../contract/recording.ts'
import type { Stage } from '../../../core/stopwatch.ts'
import { maskHeader } from '../../../platform/secrets/mask-header.ts'
import { shortening } from '../../../platform/secrets/masking.ts'
import { scopeOf } from '../../../platform/secrets/secret-names.ts'
import { shownBody } from '../../../platform/secrets/shown-secrets.ts'
import type { KeptBytes } from './kept-bytes.ts'
import type { Recording } from './kept-request.ts'

/** Returns the recording with masked secrets. `Recording` keeps the secrets for replays. */
export function showRecording(recording: Recording): RequestRecording {
  const { requestHeaders, responseHeaders, requestBody, responseBody, claims, stages } = recording
  return {
    request_headers: showHeaders(requestHeaders),
    request_body: showBody(requestBody, maskOf(recording, 'request')),
    response_headers: showHeaders(responseHeaders ?? []),
    response_body: showBody(responseBody, maskOf(recording, 'answer')),
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

/** Masks the parameters of addresses in headers, because they can belong to a sign-in. */
const HEADERS = shortening({ inMembers: false, inParameters: true })

function showHeaders(headers: Iterable<[name: string, value: string]>): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, maskHeader(name, value, HEADERS)]),
  )
}

type Mask = (text: string) => string

// Masks secrets in bodies of refused requests, because the emulator keeps these bodies by default. Bodies of other requests are
// kept only while the user watches, so they are not masked.
function maskOf(recording: Recording, part: 'request' | 'answer'): Mask {
  const { isRefused, requestHeaders, responseHeaders, target } = recording
  if (!isRefused) return (text) => text
  const headers = part === 'request' ? requestHeaders : responseHeaders
  const type = headers?.get('content-type') ?? null
  return (text) => shownBody({ text, type, signIn: scopeOf(target, part) })
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
