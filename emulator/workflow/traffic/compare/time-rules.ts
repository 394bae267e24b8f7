// Decides whether an instant of the replay is the right one for an instant of the recording. Pure.
import { MINUTE_MILLIS, parseInstant, SECOND_MILLIS } from '../../../core/time.ts'

/** Times of the recording or of the replay, in epoch milliseconds. */
export interface SideTimes {
  /** When the first request started. */
  readonly start: number
  /** When this request started. */
  readonly now: number
  /** Duration of this request, in milliseconds. */
  readonly duration: number
}

export interface RequestTimes {
  readonly recorded: SideTimes
  readonly replayed: SideTimes
  /** The platform of the replay created its data between this time and the first request. */
  readonly dataFrom: number
}

export interface TimeRules {
  agree(recorded: number, replayed: number): boolean
}

const SLACK_MILLIS = 2 * SECOND_MILLIS
/**
 * Times in the data can differ by this much: a fixture needs several statements, and the developer's account is created during
 * the start.
 */
const DATA_SLACK_MILLIS = MINUTE_MILLIS

/**
 * Creates the rules for one request.
 * @param offsets differences between instants in the data of the two platforms. The rules add the differences that they find.
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
      // Both instants are within the time of the requests.
      if (isDuring(recorded, then) && isDuring(replayed, here)) return true
      // Both instants have the same distance from the time of their request, such as an expiry.
      if (Math.abs(recorded - then.now - (replayed - here.now)) <= slack + drift) return true
      // Both instants belong to data that existed before the first request.
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

/** Returns the instant of a number in seconds or milliseconds since the epoch, if that instant is near `now`. */
export function instantOfNumber(value: number, now: number): number | undefined {
  return [value, value * SECOND_MILLIS].find((millis) => Math.abs(millis - now) < NEAR_MILLIS)
}
