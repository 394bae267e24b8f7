// GET /_emulator/v1/events: everything that happens, as it happens (`text/event-stream`).
// Each frame is `id: <number>` and `data: <EventBatch>`; a reader that comes back with `last-event-id` gets what it missed, or
// a `gap` when that is no longer known. A batch at most every 50 ms.
import type { ClockState } from './clock.ts'
import type { JournalEntry } from './journal.ts'
import type { MailboxMessage } from './mailbox.ts'
import type { JudgedChange, RealtimeConnectionEvent } from './realtime.ts'

export interface EventBatch {
  readonly events: readonly LiveEvent[]
}

export type LiveEvent =
  /** The first of every connection: a new `boot_id` means that the emulator was started again. */
  | { readonly kind: 'hello'; readonly boot_id: string; readonly version: string }
  /** Events were lost in between: read again what is on the screen. */
  | { readonly kind: 'gap' }
  | { readonly kind: 'request'; readonly entry: JournalEntry }
  | { readonly kind: 'change'; readonly change: JudgedChange }
  | { readonly kind: 'message'; readonly message: MailboxMessage }
  | {
      readonly kind: 'project'
      readonly change: 'activated' | 'removed' | 'purged' | 'schemaChanged'
      readonly project_id: string
      readonly schema_name: string
    }
  | { readonly kind: 'clock'; readonly clock: ClockState }
  | {
      readonly kind: 'engine'
      readonly change: 'restarted' | 'down' | 'degraded'
      readonly reason: string
    }
  | { readonly kind: 'realtime'; readonly event: RealtimeConnectionEvent }
  /** A request met a failure nobody foresaw; the log has its stack. */
  | { readonly kind: 'failure'; readonly request_id: string; readonly message: string }
  /** Faults were armed, disarmed or fired; read /faults. */
  | { readonly kind: 'faults'; readonly armed: number }
  | {
      readonly kind: 'snapshot'
      readonly change: 'saved' | 'restored' | 'deleted' | 'reset'
      readonly name: string | null
    }
  | {
      readonly kind: 'fixture'
      readonly fixture: string
      readonly step: string
      readonly done: number
      readonly total: number
    }
