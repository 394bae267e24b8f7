// Shows the controls that advance, set or freeze platform time.
import { Play, Snowflake } from 'lucide-react'
import { type ReactElement, type ReactNode, useState } from 'react'
import type { ClockCommand, ClockState } from '../../../emulator/contract/clock.ts'
import { isoOf } from '../../api/time.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import type { Action } from '../../ui/form-action.ts'
import { useNow } from '../../ui/platform-time.ts'
import { TextField } from '../../ui/text-field.tsx'
import { fieldOf, isoOfField, spanOf } from './time-input.ts'

const STEPS = [
  ['+1 min', 60_000],
  ['+1 h', 3_600_000],
  ['+1 day', 86_400_000],
  ['+30 days', 30 * 86_400_000],
] as const

export interface ClockControlProps {
  readonly move: Action<ClockCommand>
}

export function AdvancePanel({ move }: ClockControlProps): ReactElement {
  const [text, setText] = useState('')
  const span = spanOf(text)
  return (
    <Panel
      title="Advance"
      detail="Tokens, codes, signed URLs and quota windows expire as if the time had passed."
    >
      <div className="flex flex-wrap gap-2">
        {STEPS.map(([label, millis]) => (
          <Button
            key={label}
            disabled={move.isPending}
            onClick={() => move.mutate({ advance_ms: millis })}
          >
            {label}
          </Button>
        ))}
      </div>
      <Form
        layout="line"
        form={{
          isReady: span !== undefined && !move.isPending,
          submit: () => span !== undefined && move.mutate({ advance_ms: span }),
        }}
        action="Advance clock"
      >
        <TextField
          label="Duration"
          value={text}
          onChange={setText}
          isMono
          placeholder="1 h 30 min, -2 d"
          error={
            text !== '' && span === undefined
              ? 'Enter a duration such as 90 s, 1 h 30 min or -2 d.'
              : undefined
          }
        />
      </Form>
    </Panel>
  )
}

export function SetPanel({ move }: ClockControlProps): ReactElement {
  // The field shows the current time until the user edits it.
  const now = useNow()
  const [edited, setEdited] = useState<string>()
  const text = edited ?? fieldOf(isoOf(now))
  const iso = isoOfField(text)
  const isReady = iso !== undefined && !move.isPending
  const send = (command: ClockCommand): void =>
    move.mutate(command, { onSuccess: () => setEdited(undefined) })
  return (
    <Panel
      title="Set"
      detail="Sets the clock to an instant. The clock continues from that instant."
    >
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-72 flex-1">
          <Form
            layout="line"
            form={{ isReady, submit: () => iso !== undefined && send({ set: iso }) }}
            action="Set clock"
          >
            <TextField
              label="Date and time, UTC"
              value={text}
              onChange={setEdited}
              // Stops updating the field when the user starts to edit, because a changing time cannot be edited.
              onFocus={() => setEdited(text)}
              isMono
              placeholder="2026-11-21 10:00:00"
              error={iso === undefined ? 'Enter a time such as 2026-11-21 10:00:00.' : undefined}
            />
          </Form>
        </div>
        <Button
          disabled={!isReady}
          icon={<Snowflake />}
          onClick={() => iso !== undefined && send({ freeze: iso })}
        >
          Set and freeze clock
        </Button>
      </div>
    </Panel>
  )
}

export function FreezePanel(
  props: ClockControlProps & { readonly state: ClockState },
): ReactElement {
  const { state, move } = props
  const { frozen } = state
  return (
    <Panel
      title="Freeze"
      detail={
        frozen
          ? 'Platform time is frozen. All new rows and tokens get the same instant. Timeouts and heartbeats continue in real time.'
          : 'Stops platform time. Timeouts and heartbeats continue in real time.'
      }
    >
      <div>
        <Button
          tone={frozen ? 'primary' : 'plain'}
          icon={frozen ? <Play /> : <Snowflake />}
          isBusy={move.isPending}
          onClick={() => move.mutate(frozen ? { resume: true } : { freeze: true })}
        >
          {frozen ? 'Resume clock' : 'Freeze clock'}
        </Button>
      </div>
    </Panel>
  )
}

function Panel(props: {
  readonly title: string
  readonly detail: string
  readonly children: ReactNode
}): ReactElement {
  const { title, detail, children } = props
  return (
    <section aria-label={title} className="flex flex-col gap-3 rounded-3 border bg-surface-1 p-4">
      <h2 className="font-strong">{title}</h2>
      <p className="text-ink-dim">{detail}</p>
      {children}
    </section>
  )
}
