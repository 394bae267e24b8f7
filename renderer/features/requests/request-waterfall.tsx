// Shows where the time of a request went: a bar for each stage, along the time of the request.
import type { ReactElement } from 'react'
import type { RequestRecording } from '../../../emulator/contract/recording.ts'
import { cx } from '../../ui/cx.ts'
import { noStagesText } from './texts.ts'
import { type WaterfallBar, waterfallOf } from './waterfall.ts'

export function RequestWaterfall(props: {
  readonly recording: RequestRecording | null
}): ReactElement {
  const stages = props.recording?.stages ?? null
  if (stages === null)
    return (
      <p className="text-ink-dim">
        {noStagesText(props.recording)} Replay the request to measure it.
      </p>
    )
  const { bars, total } = waterfallOf(stages)
  const longest = Math.max(...bars.map(({ millis }) => millis))
  return (
    <ol aria-label="Stages" className="flex flex-col">
      {bars.map((bar, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stages may repeat, and their order is fixed
        <Bar key={place} bar={bar} total={total} isLongest={bar.millis === longest} />
      ))}
      <li className="flex justify-between border-t pt-1 font-strong">
        <span>Total</span>
        <span className="font-mono tabular-nums">{millisText(total)}</span>
      </li>
    </ol>
  )
}

function Bar(props: {
  readonly bar: WaterfallBar
  readonly total: number
  readonly isLongest: boolean
}): ReactElement {
  const { bar, total, isLongest } = props
  const { name, detail, from, millis } = bar
  const part = (value: number) => `${total === 0 ? 0 : (100 * value) / total}%`
  return (
    <li
      title={`${name}: ${detail}`}
      className="grid min-h-6 grid-cols-[72px_minmax(0,1fr)_72px] items-center gap-3"
    >
      <span className={cx(isLongest && 'font-strong')}>
        {name}
        <span className="sr-only">: {detail}</span>
      </span>
      <span aria-hidden className="relative block h-3 rounded-1 bg-surface-2">
        <span
          className={cx(
            'absolute inset-y-0 min-w-[2px] rounded-1',
            isLongest ? 'bg-accent' : 'bg-accent/50',
          )}
          style={{ left: part(from), width: part(millis) }}
        />
      </span>
      <span className="text-right font-mono tabular-nums">{millisText(millis)}</span>
    </li>
  )
}

/** `0.042 ms`, `1.25 ms`, `120 ms`. Most stages take less than a millisecond. */
function millisText(millis: number): string {
  return `${millis.toFixed(millis < 1 ? 3 : millis < 100 ? 2 : 0)} ms`
}
