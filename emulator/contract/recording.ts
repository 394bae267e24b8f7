// GET /_emulator/v1/journal/:request_id: one request in full.
// POST /_emulator/v1/journal/:request_id/replay: sends it again as the same identity, edited when told.
import type { JournalEntry } from './journal.ts'
import type { JudgedChange } from './realtime.ts'

export interface RequestDetail {
  readonly entry: JournalEntry
  /** Gone when the emulator was started again or newer requests took its place. */
  readonly recording: RequestRecording | null
  /** Row changes its transaction made. */
  readonly changes: readonly JudgedChange[]
}

export interface RequestRecording {
  /** As received; what proves who asks is masked. */
  readonly request_headers: Readonly<Record<string, string>>
  readonly request_body: RecordedBody
  readonly response_headers: Readonly<Record<string, string>>
  readonly response_body: RecordedBody
  /** Claims of the credential presented, whether or not it held. */
  readonly claims: Readonly<Record<string, unknown>> | null
}

export interface RecordedBody {
  /** `unwatched`: bodies are kept while an inspector is open; `binary`: not text; `truncated`: only the start. */
  readonly state: 'complete' | 'empty' | 'truncated' | 'binary' | 'unwatched'
  readonly text: string | null
  readonly size_bytes: number | null
}

/** What to send instead; absent members stay as they were. */
export interface ReplayRequest {
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface ReplayAnswer {
  readonly request_id: string
  readonly status: number
}
