// Moving on by a span, going to an instant, and standing still.
import { Play, Snowflake } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { ClockState } from '../../../emulator/contract/clock.ts'
import { platformNow } from '../../api/platform-clock.ts'
import { isoOf } from '../../api/time.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Panel } from './panel.tsx'
import { fieldOf, isoOfField, spanOf } from './time-input.ts'
import type { ClockMoves } from './use-clock-moves.ts'

const STEPS = [
  ['+1 min', 60_000],
  ['+1 h', 3_600_000],
  ['+1 day', 86_400_000],
  ['+30 days', 30 * 86_400_000],
] as const

interface PanelProps {
  readonly moves: ClockMoves
}

export function AdvancePanel({ moves }: PanelProps): ReactElement {
  const [text, setText] = useState('')
  const span = spanOf(text)
  return (
    <Panel
      title="Advance"
      detail="Tokens, codes, signed addresses and quota windows end as if the time had passed."
    >
      <div className="flex flex-wrap gap-2">
        {STEPS.map(([label, millis]) => (
          <Button
            key={label}
            disabled={moves.isBusy}
            onClick={() => moves.move({ advance_ms: millis })}
          >
            {label}
          </Button>
        ))}
      </div>
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (span !== undefined) moves.move({ advance_ms: span })
        }}
      >
        <div className="flex-1">
          <TextField
            label="By any span"
            value={text}
            onChange={setText}
            isMono
            placeholder="1 h 30 min, -2 d"
            error={
              text !== '' && span === undefined
                ? 'Write it like 90 s, 1 h 30 min or -2 d.'
                : undefined
            }
          />
        </div>
        <Button type="submit" disabled={span === undefined || moves.isBusy}>
          Advance
        </Button>
      </form>
    </Panel>
  )
}

export function SetPanel({ moves }: PanelProps): ReactElement {
  const [text, setText] = useState(() => fieldOf(isoOf(platformNow())))
  const iso = isoOfField(text)
  return (
    <Panel title="Set" detail="Goes to an instant, forwards or back, and runs on from there.">
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (iso !== undefined) moves.move({ set: iso })
        }}
      >
        <div className="min-w-56 flex-1">
          <TextField
            label="Date and time, UTC"
            kind="datetime-local"
            value={text}
            onChange={setText}
            isMono
          />
        </div>
        <Button type="submit" disabled={iso === undefined || moves.isBusy}>
          Set
        </Button>
        <Button
          disabled={iso === undefined || moves.isBusy}
          icon={<Snowflake aria-hidden="true" />}
          onClick={() => iso !== undefined && moves.move({ freeze: iso })}
        >
          Set and freeze
        </Button>
      </form>
    </Panel>
  )
}

export function FreezePanel({
  state,
  moves,
}: PanelProps & { readonly state: ClockState }): ReactElement {
  return (
    <Panel
      title="Freeze"
      detail={
        state.frozen
          ? 'Platform time stands still: every row and token made now has the same instant. Timeouts and heartbeats go on in real time.'
          : 'Lets platform time stand still. Timeouts and heartbeats go on in real time.'
      }
    >
      <div>
        {state.frozen ? (
          <Button
            tone="primary"
            icon={<Play aria-hidden="true" />}
            isBusy={moves.isBusy}
            onClick={() => moves.move({ resume: true })}
          >
            Resume
          </Button>
        ) : (
          <Button
            icon={<Snowflake aria-hidden="true" />}
            isBusy={moves.isBusy}
            onClick={() => moves.move({ freeze: true })}
          >
            Freeze now
          </Button>
        )}
      </div>
    </Panel>
  )
}
