// One armed fault: its order in full, and the requests it met.
import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ArmedFault } from '../../../emulator/contract/faults.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import {
  EFFECT_NAMES,
  EFFECT_SENTENCES,
  effectText,
  firedText,
  targetText,
  whoText,
} from './fault-words.ts'

export function FaultSheet({
  fault,
  onDisarm,
  onClose,
}: {
  readonly fault: ArmedFault
  readonly onDisarm: () => void
  readonly onClose: () => void
}): ReactElement {
  const { scope, effect, count, probability = 1 } = fault
  return (
    <Sheet title={effectText(effect)} label="Armed fault" name="fault" onClose={onClose}>
      <div>
        <Button tone="danger" icon={<Trash2 aria-hidden="true" />} onClick={onDisarm}>
          Disarm
        </Button>
      </div>
      <p>
        {EFFECT_NAMES[effect.kind]}. {EFFECT_SENTENCES[effect.kind]}
      </p>
      <KeyValueList
        items={[
          ['Meets', <code key="t">{targetText(scope)}</code>],
          ['For', <code key="w">{whoText(scope)}</code>],
          ['Probability', `${Math.round(probability * 1_000) / 10} %`],
          ['Fired', firedText(fault)],
          ['Ends', count === undefined ? 'when it is disarmed' : `after ${count}`],
          ['Armed', <Timestamp key="a" at={fault.armed_at} />],
        ]}
      />
      <Section title="Requests it fired for">
        {fault.request_ids.length === 0 ? (
          <p className="text-ink-dim">None yet.</p>
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
      <Section title="The same as a call">
        <Code
          label="call"
          isWrapped
          text={`POST /_emulator/v1/faults\n${JSON.stringify(
            {
              scope,
              effect,
              ...(count === undefined ? {} : { count }),
              ...(fault.probability === undefined ? {} : { probability }),
            },
            null,
            2,
          )}`}
        />
      </Section>
    </Sheet>
  )
}
