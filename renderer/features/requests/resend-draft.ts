// Converts a recorded request to form texts, and the edited texts to differences from the recording. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import type { ReplayRequest, RequestRecording } from '../../../emulator/contract/recording.ts'

export interface ResendDraft {
  readonly method: string
  readonly target: string
  /** Headers as text, one `name: value` per line. */
  readonly headers: string
  readonly body: string
}

export type ReadDraft =
  | { readonly kind: 'ready'; readonly replay: ReplayRequest }
  | { readonly kind: 'wrong'; readonly problem: string }

/** The form omits these headers, because the connection sets them for each request. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
])

export function draftOf(entry: JournalEntry, recording: RequestRecording | null): ResendDraft {
  return {
    method: entry.method,
    target: entry.target,
    headers: Object.entries(recording?.request_headers ?? {})
      .filter(([name]) => !OF_THE_CONNECTION.has(name))
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    body: recording?.request_body.text ?? '',
  }
}

/**
 * Returns the edits to send. The edits omit unchanged parts, so that the emulator can replace masked credentials. A removed
 * header gets an empty value, because the emulator starts from the recorded headers.
 */
export function readDraft(draft: ResendDraft, before: ResendDraft): ReadDraft {
  if (!draft.target.startsWith('/')) return wrong('The target must begin with a slash.')
  const headers = readHeaders(draft.headers)
  if (typeof headers === 'string') return wrong(headers)
  const edited = differing(headers, readHeaders(before.headers))
  return {
    kind: 'ready',
    replay: {
      ...(draft.method === before.method ? {} : { method: draft.method }),
      ...(draft.target === before.target ? {} : { target: draft.target }),
      ...(Object.keys(edited).length === 0 ? {} : { headers: edited }),
      ...(draft.body === before.body ? {} : { body: draft.body }),
    },
  }
}

type Headers = Readonly<Record<string, string>>

function differing(headers: Headers, before: Headers | string): Headers {
  if (typeof before === 'string') return headers
  const changed = Object.entries(headers).filter(([name, value]) => before[name] !== value)
  const gone = Object.keys(before).filter((name) => !(name in headers))
  return Object.fromEntries([...changed, ...gone.map((name) => [name, ''] as const)])
}

function readHeaders(text: string): Headers | string {
  const headers: Record<string, string> = {}
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const [, name, value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined) return `Header line ${at + 1} is not “name: value”.`
    headers[name.toLowerCase()] = value
  }
  return headers
}

function wrong(problem: string): ReadDraft {
  return { kind: 'wrong', problem }
}
