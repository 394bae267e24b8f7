// Types of instants and durations that include their unit. Only this file and clock.ts use `Date`.

declare const unit: unique symbol

/** Milliseconds since the Unix epoch. */
export type EpochMillis = number & { readonly [unit]: 'EpochMillis' }

/** Seconds since the Unix epoch, as JWT claims count them (RFC 7519 §2, NumericDate). */
export type EpochSeconds = number & { readonly [unit]: 'EpochSeconds' }

export const SECOND_MILLIS: number = 1_000
export const MINUTE_MILLIS: number = 60 * SECOND_MILLIS
export const HOUR_MILLIS: number = 60 * MINUTE_MILLIS
export const DAY_MILLIS: number = 24 * HOUR_MILLIS

/** Brands a number of milliseconds since the Unix epoch. */
export function epochMillis(value: number): EpochMillis {
  return value as EpochMillis
}

/** Rounds an instant down to whole seconds. */
export function toEpochSeconds(instant: EpochMillis): EpochSeconds {
  return Math.floor(instant / SECOND_MILLIS) as EpochSeconds
}

/** Adds `millis` milliseconds to an instant; a negative number subtracts. */
export function plusMillis(instant: EpochMillis, millis: number): EpochMillis {
  return (instant + millis) as EpochMillis
}

/** The largest instant of a `Date` (ECMA-262, "Time Values and Time Range"). */
const MAX_DATE_MILLIS = 8.64e15

/**
 * Formats an instant as ISO 8601 UTC with milliseconds (docs/wire/platform.md). An instant outside the range of `Date`, as
 * older data directories can contain, becomes the nearest valid one.
 */
export function toIso(instant: EpochMillis): string {
  return new Date(Math.min(Math.max(instant, -MAX_DATE_MILLIS), MAX_DATE_MILLIS)).toISOString()
}

/** Converts the instant to a `Date`, for libraries that need one. */
export function toDate(instant: EpochMillis): Date {
  return new Date(instant)
}

/** Formats an instant for HTTP headers, in whole seconds (RFC 9110 §5.6.7). */
export function toHttpDate(instant: EpochMillis): string {
  return new Date(instant).toUTCString()
}

/** Parses the date of an HTTP header; returns `undefined` when it is malformed. */
export function parseHttpDate(text: string): EpochMillis | undefined {
  return parseInstant(text)
}

/** Parses an ISO 8601 date-time; returns `undefined` when it is malformed. */
export function parseInstant(text: string): EpochMillis | undefined {
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? undefined : epochMillis(instant)
}
