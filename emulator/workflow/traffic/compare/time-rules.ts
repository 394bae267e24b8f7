// Decides whether an instant of the replay is the right one for an instant of the recording. Pure.
import { MINUTE_MILLIS, parseInstant, SECOND_MILLIS } from '../../../core/time.ts'

/** Epoch milliseconds of one side. */
export interface SideTimes {
  /** When the first request started. */
  readonly start: number
  /** When this request started. */
  readonly now: number
  /** Milliseconds until the request ended. */
  readonly duration: number
}

export interface RequestTimes {
  readonly recorded: SideTimes
  readonly replayed: SideTimes
  /** When the data of the replay's platform was made: from here until the first request. */
  readonly dataFrom: number
}

export interface TimeRules {
  agree(recorded: number, replayed: number): boolean
}

const SLACK_MILLIS = 2 * SECOND_MILLIS
/** Data of a fixture is applied in several statements, and the developer's account is made while the emulator starts. */
const DATA_SLACK_MILLIS = MINUTE_MILLIS

/**
 * Creates the rules of one request.
 * @param offsets differences between instants of the two platforms' own data, which the rules extend
 */
export function timeRules(times: RequestTimes, offsets: number[]): TimeRules {
  const { dataFrom, recorded: then, replayed: here } = times
  const earliest = dataFrom - DATA_SLACK_MILLIS
  const drift = Math.abs(here.now - here.start - (then.now - then.start))
  const slack = SLACK_MILLIS + then.duration + here.duration
  const isDuring = (instant: number, { duration, now, start }: SideTimes): boolean =>
    instant >= start - SLACK_MILLIS && instant <= now + duration + SLACK_MILLIS
  return {
    agree: (recorded, replayed) => {
      if (recorded === replayed) return true
      // Both were generated while the requests ran.
      if (isDuring(recorded, then) && isDuring(replayed, here)) return true
      // Both are as far from the present, such as an expiry.
      if (Math.abs(recorded - then.now - (replayed - here.now)) <= slack + drift) return true
      // Both belong to data that is older than the first request.
      if (recorded < then.start && replayed > earliest && replayed < here.start) {
        offsets.push(replayed - recorded)
        return true
      }
      return offsets.some((offset) => Math.abs(replayed - recorded - offset) <= DATA_SLACK_MILLIS)
    },
  }
}

/** Parses ISO 8601, Postgres's form and HTTP dates. Returns epoch milliseconds. */
export function instantOf(text: string): number | undefined {
  return parseInstant(/[+-]\d\d$/.test(text) && text.includes(':') ? `${text}:00` : text)
}

/** Ten years, in milliseconds. */
const NEAR_MILLIS = 10 * 365 * 24 * 60 * MINUTE_MILLIS

/** Returns the instant that a number means in seconds or milliseconds since the epoch, if it is near `now`. */
export function instantOfNumber(value: number, now: number): number | undefined {
  return [value, value * SECOND_MILLIS].find((millis) => Math.abs(millis - now) < NEAR_MILLIS)
}
