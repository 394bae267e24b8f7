// The public part of internal types: the members of platform time and events that the library guarantees.
import type {
  ChangeJudged,
  InternalFailure,
  MessageSent,
  RequestFinished,
} from '../../core/observation.ts'
import type { PlatformTime } from '../../core/platform-clock.ts'
import type { EpochMillis } from '../../core/time.ts'

/** Platform time, which a program can read and move. @throws {EmulatorError} `clock_out_of_range` when it moves out of its range */
export interface EmulatorClock {
  /** How platform time differs from the machine's time. */
  readonly time: PlatformTime
  /** The current instant of platform time. */
  now(): EpochMillis
  /** Freezes at the current instant, or at `instant`. */
  freeze(instant?: EpochMillis): void
  /** Moves platform time by milliseconds; a negative number moves it back. A frozen clock stays frozen. */
  advance(millis: number): void
  /** Sets the current instant. A running clock continues from that instant. */
  set(instant: EpochMillis): void
  /** Lets a frozen clock run again from the instant at which it was frozen. */
  resume(): void
  /** Sets platform time back to the machine's time. */
  reset(): void
}

/** Another event. Its members may change with any release. */
export interface OtherEvent {
  readonly kind:
    | 'backgroundFailed'
    | 'backgroundResumed'
    | 'engineDegraded'
    | 'engineDown'
    | 'engineRestarted'
    | 'projectChanged'
    | 'realtimeChannelRefused'
    | 'realtimeFrameDropped'
    | 'realtimeSocketClosed'
    | 'stateChanged'
}

/** Something that happened in the emulator. */
export type EmulatorEvent =
  | RequestFinished
  | MessageSent
  | ChangeJudged
  | InternalFailure
  | OtherEvent

/** Gets each event. It must return quickly and never throw. */
export type EventObserver = (event: EmulatorEvent) => void
