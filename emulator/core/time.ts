// Instants and spans with their unit in the type. Beside clock.ts the only file that names `Date`.

declare const unit: unique symbol

/** Milliseconds since the Unix epoch. */
export type EpochMillis = number & { readonly [unit]: 'EpochMillis' }

/** Seconds since the Unix epoch, as JWT claims count them (RFC 7519 §2, NumericDate). */
export type EpochSeconds = number & { readonly [unit]: 'EpochSeconds' }

export const SECOND_MILLIS = 1_000
export const MINUTE_MILLIS = 60 * SECOND_MILLIS
export const HOUR_MILLIS = 60 * MINUTE_MILLIS
export const DAY_MILLIS = 24 * HOUR_MILLIS

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

/** Farthest instant from the epoch that a `Date` can hold (ECMA-262, "Time Values and Time Range"). */
const MAX_DATE_MILLIS = 8.64e15

/**
 * Renders an instant as ISO 8601 UTC with milliseconds (docs/wire/platform.md). One beyond what a `Date` holds,
 * which only an older data directory can have, becomes the nearest that it does hold.
 */
export function toIso(instant: EpochMillis): string {
  return new Date(Math.min(Math.max(instant, -MAX_DATE_MILLIS), MAX_DATE_MILLIS)).toISOString()
}

/** Gives libraries that insist on a `Date` one. */
export function toDate(instant: EpochMillis): Date {
  return new Date(instant)
}

/** Renders an instant as HTTP headers state it, to the second (RFC 9110 §5.6.7). */
export function toHttpDate(instant: EpochMillis): string {
  return new Date(instant).toUTCString()
}

/** Reads the date of an HTTP header; `undefined` when it is none. */
export function parseHttpDate(text: string): EpochMillis | undefined {
  return parseInstant(text)
}

/** Reads an ISO 8601 date-time; `undefined` when it is none. */
export function parseInstant(text: string): EpochMillis | undefined {
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? undefined : epochMillis(instant)
}
