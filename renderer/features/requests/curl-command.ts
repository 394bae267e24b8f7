// Builds a curl command for a POSIX shell from a request, with credentials as shell variables. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import type { RequestRecording } from '../../../emulator/contract/recording.ts'

export interface CurlCredentials {
  /** A new credential for the identity of the request. */
  readonly token: string | undefined
  /** The project's key, when the request also sent an `apikey` header. */
  readonly apikey: string | undefined
}

/** The command omits these headers, because curl or the connection sets them. */
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
  entry: JournalEntry,
  recording: RequestRecording | null,
  origin: string,
  { token, apikey }: CurlCredentials,
): string {
  const headers = Object.entries(recording?.request_headers ?? {}).filter(([name]) => isSent(name))
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const isBothOne = token !== undefined && token === apikey
  const lines = [
    ...(names.has('authorization') || recording === null
      ? [`TOKEN=${quoted(token ?? 'put a credential here')}`]
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

function isSent(name: string): boolean {
  const lower = name.toLowerCase()
  return !LEFT_OUT.has(lower) && !lower.startsWith('sec-')
}

function headerOf(name: string, value: string, isBothOne: boolean): string {
  const lower = name.toLowerCase()
  if (lower === 'authorization') return '"authorization: Bearer $TOKEN"'
  if (lower === 'apikey') return `"apikey: $${isBothOne ? 'TOKEN' : 'APIKEY'}"`
  return quoted(`${lower}: ${value}`)
}

function bodyOf(recording: RequestRecording | null): readonly string[] {
  const body = recording?.request_body
  if (body === undefined || body.text === null || body.text === '') return []
  return [`--data-raw ${quoted(body.text)}`]
}
