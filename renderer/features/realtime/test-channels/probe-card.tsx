// The card of one test channel shows its state, its frames, and a form that sends a broadcast.
import { ArrowDownLeft, ArrowUpRight, LogOut, Send } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { isoOf } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { Chip, type Tone } from '../../../ui/chip.tsx'
import { cx } from '../../../ui/cx.ts'
import { Form } from '../../../ui/form.tsx'
import { jsonObjectOf, NOT_A_JSON_OBJECT } from '../../../ui/form-values.ts'
import { timeOfDay } from '../../../ui/format.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { isOpen, type Probe, type ProbeLine, type ProbeState } from './probe-model.ts'
import { endProbe, sendBroadcast } from './probes.ts'

const TONES: Readonly<Record<ProbeState, Tone>> = {
  connecting: 'unknown',
  joining: 'unknown',
  joined: 'allowed',
  refused: 'refused',
  closed: 'neutral',
}

export function ProbeCard({ probe }: { readonly probe: Probe }): ReactElement {
  return (
    <li
      aria-label={`${probe.order.topic} as ${probe.identity}`}
      className="rounded-2 border bg-surface-1"
    >
      <header className="flex min-h-9 flex-wrap items-center gap-3 px-3">
        <Chip tone={TONES[probe.state]}>{probe.state}</Chip>
        <span className="font-mono font-strong">{probe.order.topic}</span>
        <span className="text-ink-dim">as {probe.identity}</span>
        {probe.order.bindings.map(({ event, table, filter }) => (
          <Chip key={table} isMono tone="changed" icon={null}>
            {event} {table}
            {filter === null ? '' : ` where ${filter}`}
          </Chip>
        ))}
        <Button
          size="small"
          tone="quiet"
          icon={<LogOut />}
          onClick={() => endProbe(probe)}
          className="ml-auto"
        >
          {isOpen(probe) ? 'Leave channel' : 'Remove channel'}
        </Button>
      </header>
      {probe.reason !== undefined && (
        <p className="border-t px-3 py-1 text-refused">{probe.reason}</p>
      )}
      {probe.state === 'joined' && <BroadcastForm probe={probe} />}
      <ol aria-label="Frames" className="max-h-64 overflow-auto border-t py-1">
        {probe.lines.toReversed().map((line) => (
          <Line key={line.number} line={line} />
        ))}
      </ol>
    </li>
  )
}

function BroadcastForm({ probe }: { readonly probe: Probe }): ReactElement {
  const [event, setEvent] = useState('hello')
  const [text, setText] = useState('{"from": "inspector"}')
  const payload = text.trim() === '' ? undefined : jsonObjectOf(text)
  return (
    <div className="border-t px-3 py-2">
      <Form
        form={{
          isReady: payload !== undefined && event !== '',
          submit: () => sendBroadcast(probe, event, payload),
        }}
        layout="line"
        label="Broadcast"
        action="Send broadcast"
        icon={<Send />}
      >
        <div className="flex items-start gap-2">
          <div className="w-32">
            <TextField label="Event" isLabelHidden isMono value={event} onChange={setEvent} />
          </div>
          <div className="min-w-0 flex-1">
            <TextField
              label="Payload"
              isLabelHidden
              isMono
              value={text}
              error={payload === undefined ? NOT_A_JSON_OBJECT : undefined}
              onChange={setText}
            />
          </div>
        </div>
      </Form>
    </div>
  )
}

function Line({ line }: { readonly line: ProbeLine }): ReactElement {
  const isSent = line.direction === 'sent'
  const payload = JSON.stringify(line.payload)
  return (
    <li
      data-direction={line.direction}
      className="flex h-6 animate-arrive items-center gap-3 px-3 font-mono text-small [&_svg]:size-3"
    >
      <time dateTime={isoOf(line.at)} className="text-ink-dim tabular-nums">
        {timeOfDay(line.at)}
      </time>
      <span
        className={cx(
          'inline-flex w-44 shrink-0 items-center gap-1 truncate',
          isSent ? 'text-ink-dim' : 'text-changed',
        )}
      >
        {isSent ? <ArrowUpRight aria-label="sent" /> : <ArrowDownLeft aria-label="received" />}
        {line.event}
      </span>
      <span className="min-w-0 flex-1 truncate" title={payload}>
        {payload}
      </span>
    </li>
  )
}
