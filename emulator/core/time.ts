// Instants and durations with their unit in the type. Only this file and clock.ts use `Date`.

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

/** Moves an instant by `millis` milliseconds; negative goes back. */
export function plusMillis(instant: EpochMillis, millis: number): EpochMillis {
  return (instant + millis) as EpochMillis
}

/** The largest instant of a `Date` (ECMA-262, "Time Values and Time Range"). */
const MAX_DATE_MILLIS = 8.64e15

/**
 * Renders an instant as ISO 8601 UTC with milliseconds (docs/wire/platform.md). An instant outside the range of `Date`, which
 * only an older data directory can contain, becomes the nearest one inside.
 */
export function toIso(instant: EpochMillis): string {
  return new Date(Math.min(Math.max(instant, -MAX_DATE_MILLIS), MAX_DATE_MILLIS)).toISOString()
}

/** The instant as a `Date`, for libraries that need one. */
export function toDate(instant: EpochMillis): Date {
  return new Date(instant)
}

/** Renders an instant for HTTP headers, in whole seconds (RFC 9110 §5.6.7). */
export function toHttpDate(instant: EpochMillis): string {
  return new Date(instant).toUTCString()
}

/** Parses the date of an HTTP header; `undefined` when malformed. */
export function parseHttpDate(text: string): EpochMillis | undefined {
  return parseInstant(text)
}

/** Parses an ISO 8601 date-time; `undefined` when malformed. */
export function parseInstant(text: string): EpochMillis | undefined {
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? undefined : epochMillis(instant)
}
