// A recording as the wire tells it: secrets masked, bytes as text where they are text (contract/recording.ts). Pure.
import type { RecordedBody, RequestRecording } from '../../contract/recording.ts'
import type { KeptBytes } from './kept-bytes.ts'
import type { Recording } from './recorder.ts'

/** Shown for people; `Recording` itself keeps everything. */
export function showRecording(recording: Recording): RequestRecording {
  const { requestHeaders, responseHeaders, requestBody, responseBody, claims } = recording
  return {
    request_headers: showHeaders(requestHeaders),
    request_body: showBody(requestBody),
    response_headers: showHeaders(responseHeaders ?? new Headers()),
    response_body: showBody(responseBody),
    claims: claims ?? null,
  }
}

/** Headers whose values prove who asks, or are such proof. */
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
/** Headers that may have a credential in the query of an address. */
const ADDRESS_HEADERS = new Set(['location', 'content-location', 'referer'])
const SECRET_PARAMS =
  /([?&#](?:apikey|token|access_token|refresh_token|code|state|signature|x-amz-signature)=)[^&#]+/gi
/** Characters shown of a secret; of a shorter one they would be too many. */
const SHOWN = 8
const SHORT = 24

function showHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, showHeader(name.toLowerCase(), value)]),
  )
}

function showHeader(name: string, value: string): string {
  if (ADDRESS_HEADERS.has(name)) return value.replace(SECRET_PARAMS, '$1…')
  if (!SECRET_HEADERS.has(name)) return value
  const [, scheme = '', secret = ''] = /^((?:bearer|basic)\s+)?(.*)$/is.exec(value) ?? []
  return `${scheme}${secret.length < SHORT ? '' : secret.slice(0, SHOWN)}…`
}

function showBody(kept: KeptBytes | undefined): RecordedBody {
  if (kept === undefined) return { state: 'unwatched', text: null, size_bytes: null }
  const { sizeBytes } = kept
  if (sizeBytes === 0) return { state: 'empty', text: null, size_bytes: 0 }
  const bytes = kept.isText ? kept.bytes() : undefined
  if (bytes === undefined || bytes.includes(0))
    return { state: 'binary', text: null, size_bytes: sizeBytes }
  const isComplete = kept.isComplete
  // A cut may go through the middle of a character.
  const text = isComplete ? bytes.toString('utf8') : bytes.toString('utf8').replace(/\uFFFD$/, '')
  return { state: isComplete ? 'complete' : 'truncated', text, size_bytes: sizeBytes }
}
