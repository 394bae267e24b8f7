// Builds a curl command for a POSIX shell from a request, with credentials as shell variables. Pure.
import type { JournalEntry } from '../../emulator/contract/journal.ts'
import type { RequestRecording } from '../../emulator/contract/recording.ts'
import { CREDENTIAL_HEADERS, isSecretHeader } from '../../emulator/platform/secrets/secret-names.ts'

export interface CurlCredentials {
  /** A new credential for the identity of the request. */
  readonly token: string | undefined
  /** The project's key, when the request also sent an `apikey` header. */
  readonly apikey: string | undefined
}

/** The method and target of a request, and its recording if one exists. */
export interface CopiedRequest {
  readonly entry: Pick<JournalEntry, 'method' | 'target'>
  readonly recording: Pick<RequestRecording, 'request_headers' | 'request_body'> | null
}

/** Copied requests omit these headers, because the client or the connection sets them. */
const LEFT_OUT = new Set([
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'transfer-encoding',
  'keep-alive',
  'origin',
  'referer',
  'user-agent',
  'accept-language',
  'priority',
])

/** @param origin address of the emulator, e.g. `http://127.0.0.1:7357` */
export function curlCommand(
  { entry, recording }: CopiedRequest,
  origin: string,
  { token, apikey }: CurlCredentials,
): string {
  const headers = sentHeaders(recording)
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const isBothOne = token !== undefined && token === apikey
  const lines = [
    ...(names.has('authorization') || recording === null
      ? [`TOKEN=${quoted(token ?? WANTED_CREDENTIAL)}`]
      : []),
    ...(names.has('apikey') && !isBothOne
      ? [`APIKEY=${quoted(apikey ?? 'put the project’s key here')}`]
      : []),
  ]
  const parts = [
    `curl -i -X ${entry.method} ${quoted(origin + entry.target)}`,
    ...headers.map(([name, value]) => `-H ${headerOf(name, value, isBothOne)}`),
    ...(recording === null ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...bodyOf(recording),
  ]
  return [...lines, parts.join(' \\\n  ')].join('\n')
}

/** Quotes a text as one word of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Placeholder in a copied request for a credential that the inspector cannot supply. */
export const WANTED_CREDENTIAL = 'put a credential here'
/** Headers for which the inspector supplies a credential. */
const SUPPLIED: ReadonlySet<string> = new Set([
  CREDENTIAL_HEADERS.bearer,
  CREDENTIAL_HEADERS.projectKey,
])

/**
 * Returns the headers of the copied request. The recording masks secret values. So a secret header gets a placeholder, unless the
 * inspector supplies its credential.
 */
export function sentHeaders(
  recording: CopiedRequest['recording'],
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(recording?.request_headers ?? {}).flatMap(([name, value]) => {
    const lower = name.toLowerCase()
    if (LEFT_OUT.has(lower) || lower.startsWith('sec-')) return []
    const isWanted = isSecretHeader(lower) && !SUPPLIED.has(lower)
    return [[name, isWanted ? WANTED_CREDENTIAL : value] as const]
  })
}

function headerOf(name: string, value: string, isBothOne: boolean): string {
  const lower = name.toLowerCase()
  if (lower === 'authorization') return '"authorization: Bearer $TOKEN"'
  if (lower === 'apikey') return `"apikey: $${isBothOne ? 'TOKEN' : 'APIKEY'}"`
  return quoted(`${lower}: ${value}`)
}

function bodyOf(recording: CopiedRequest['recording']): readonly string[] {
  const body = recording?.request_body
  if (body === undefined || body.text === null || body.text === '') return []
  return [`--data-raw ${quoted(body.text)}`]
}
