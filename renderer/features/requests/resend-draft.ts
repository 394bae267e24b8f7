// A request being edited before it is sent again: what the editors hold, and what of it differs from the recording. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import type { ReplayRequest, RequestRecording } from '../../../emulator/contract/recording.ts'

export interface ResendDraft {
  readonly method: string
  readonly target: string
  /** One `name: value` a line. */
  readonly headers: string
  readonly body: string
}

export type ReadDraft =
  | { readonly kind: 'ready'; readonly replay: ReplayRequest }
  | { readonly kind: 'wrong'; readonly problem: string }

export function draftOf(entry: JournalEntry, recording: RequestRecording | null): ResendDraft {
  return {
    method: entry.method,
    target: entry.target,
    headers: Object.entries(recording?.request_headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    body: recording?.request_body.text ?? '',
  }
}

/** What to send: members that stayed as they were are left out, so that masked credentials are renewed by the emulator. */
export function readDraft(draft: ResendDraft, before: ResendDraft): ReadDraft {
  if (!draft.target.startsWith('/')) return wrong('The target begins with a slash.')
  const headers = readHeaders(draft.headers)
  if (typeof headers === 'string') return wrong(headers)
  return {
    kind: 'ready',
    replay: {
      ...(draft.method === before.method ? {} : { method: draft.method }),
      ...(draft.target === before.target ? {} : { target: draft.target }),
      ...(draft.headers === before.headers ? {} : { headers }),
      ...(draft.body === before.body ? {} : { body: draft.body }),
    },
  }
}

function readHeaders(text: string): Readonly<Record<string, string>> | string {
  const headers: Record<string, string> = {}
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const [, name, value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined) return `Header line ${at + 1} is no “name: value”.`
    headers[name.toLowerCase()] = value
  }
  return headers
}

function wrong(problem: string): ReadDraft {
  return { kind: 'wrong', problem }
}
