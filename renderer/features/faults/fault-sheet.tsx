// The details of one fault, armed or ended: its effect, its target, and the requests in which it fired.
import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ArmedFault, FaultOrder } from '../../../emulator/contract/faults.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Code } from '../../ui/code.tsx'
import { countOf } from '../../ui/form-values.ts'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { callerText, EFFECTS, effectText, firedText, probabilityText, targetText } from './texts.ts'

export function FaultSheet(props: {
  readonly fault: ArmedFault
  /** Absent when the fault ended. */
  readonly onDisarm: (() => void) | undefined
  readonly onClose: () => void
}): ReactElement {
  const { fault, onDisarm, onClose } = props
  const { scope, effect, count, probability } = fault
  const { name, detail } = EFFECTS[effect.kind]
  return (
    <Sheet title={effectText(effect)} label="Fault" name="fault" onClose={onClose}>
      <div>
        {onDisarm === undefined ? (
          <Chip>ended</Chip>
        ) : (
          <Button tone="danger" icon={<Trash2 />} onClick={onDisarm}>
            Disarm fault
          </Button>
        )}
      </div>
      <p>
        {name}. {detail}
      </p>
      <KeyValueList
        items={[
          ['Target', <code key="t">{targetText(scope)}</code>],
          ['Callers', <code key="w">{callerText(scope)}</code>],
          ['Probability', probabilityText(fault)],
          ['Fired', firedText(fault)],
          [
            'Ends',
            count === undefined ? 'when you disarm it' : `after firing ${countOf(count, 'time')}`,
          ],
          ['Armed', <Timestamp key="a" at={fault.armed_at} />],
        ]}
      />
      <Section title="Affected requests">
        {fault.request_ids.length === 0 ? (
          <p className="text-ink-dim">No request was affected yet.</p>
        ) : (
          <ul aria-label="Requests" className="flex flex-col gap-1">
            {fault.request_ids.map((requestId) => (
              <li key={requestId}>
                <Link
                  to="/requests/$requestId"
                  params={{ requestId }}
                  className="font-mono text-accent hover:underline"
                >
                  {requestId}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <SameAsRequest
        order={{
          scope,
          effect,
          ...(count === undefined ? {} : { count }),
          ...(probability === undefined ? {} : { probability }),
        }}
      />
    </Sheet>
  )
}

/** Shows the API request that arms the same fault. */
export function SameAsRequest({ order }: { readonly order: FaultOrder }): ReactElement {
  return (
    <Section title="As a request">
      <Code
        label="request"
        isWrapped
        text={`POST /_emulator/v1/faults\n${JSON.stringify(order, null, 2)}`}
      />
    </Section>
  )
}
