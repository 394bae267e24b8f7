// The choices of how far back a timeline of requests begins. Pure.
export const REACHES = ['recent', 'minute', 'quarter', 'hour', 'day', 'all'] as const
export type Reach = (typeof REACHES)[number]

const MINUTE = 60_000

/** Milliseconds before the newest request. With `undefined`, the timeline begins after the last pause of half an hour. */
export const REACH_MILLIS: Readonly<Record<Reach, number | undefined>> = {
  recent: undefined,
  minute: MINUTE,
  quarter: 15 * MINUTE,
  hour: 60 * MINUTE,
  day: 24 * 60 * MINUTE,
  all: Number.POSITIVE_INFINITY,
}

export const REACH_WORDS: Readonly<Record<Reach, string>> = {
  recent: 'Since the last pause',
  minute: 'Last minute',
  quarter: 'Last 15 minutes',
  hour: 'Last hour',
  day: 'Last day',
  all: 'All loaded requests',
}
