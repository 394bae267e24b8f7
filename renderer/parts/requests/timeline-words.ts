// Texts of the traffic timeline. Pure.
import { exactTime, formatDuration, formatNumber } from '../../ui/format.ts'
import type { Timeline, TimelineStep } from './timeline.ts'

const DAY = 86_400_000

/** An instant such as `10:02:05`. Short timelines add tenths of a second. Timelines of more than a day have date and minutes. */
export function timeWords(at: number, { from, to, stepMillis }: Timeline): string {
  const text = exactTime(at)
  const time = stepMillis < 1_000 ? text.slice(11, 21) : text.slice(11, 19)
  return to - from > DAY ? `${text.slice(0, 10)} ${time.slice(0, 5)}` : time
}

/** `12 requests, 3 refused, p50 4 ms, p95 20 ms`. */
export function countWords(counts: Omit<TimelineStep, 'from'>): string {
  const { total, refused, p50, p95 } = counts
  const requests = `${formatNumber(total)} ${total === 1 ? 'request' : 'requests'}`
  if (p50 === undefined || p95 === undefined) return requests
  const latency = `p50 ${formatDuration(p50)}, p95 ${formatDuration(p95)}`
  return `${requests}, ${formatNumber(refused)} refused, ${latency}`
}

/** Describes the step that contains an instant. */
export function stepWords(timeline: Timeline, at: number): string {
  const step = timeline.steps[Math.floor((at - timeline.from) / timeline.stepMillis)]
  return step === undefined ? '' : countWords(step)
}

/**
 * The highest rate of the timeline in one of its steps, such as `12/s over 10 s`. Returns a text such as `3 in 10 s` for low
 * rates and for short steps, where a rate would be misleading.
 */
export function peakWords({
  steps,
  stepMillis,
}: {
  readonly steps: readonly Pick<TimelineStep, 'total'>[]
  readonly stepMillis: number
}): string {
  const most = Math.max(0, ...steps.map(({ total }) => total))
  const perSecond = (most * 1_000) / stepMillis
  return perSecond >= 1 && stepMillis >= 1_000
    ? `${formatNumber(Math.round(perSecond))}/s${stepMillis === 1_000 ? '' : ` over ${formatDuration(stepMillis)}`}`
    : `${formatNumber(most)} in ${formatDuration(stepMillis)}`
}

/** The longest duration of a request, such as `262 ms`. The lines of the latency show p50 and p95 of each step. */
export function slowestWords({ slowest }: Pick<Timeline, 'slowest'>): string {
  return formatDuration(slowest ?? 0)
}
