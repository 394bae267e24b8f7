// Orders a fault: what it meets, for whom, what happens, how often; with the call that does the same.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Zap } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { FaultCatalogue } from '../../../emulator/contract/faults.ts'
import { armFault } from '../../api/faults.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { type ArmDraft, newDraft, orderOf, problemsOf, settled } from './arm-draft.ts'
import { EffectFields } from './effect-fields.tsx'
import { effectText, targetText } from './fault-words.ts'
import { ScopeFields } from './scope-fields.tsx'

export interface ArmSheetProps {
  readonly catalogue: FaultCatalogue
  readonly operation: string | undefined
  readonly code: string | undefined
  readonly onArmed: () => void
  readonly onClose: () => void
}

export function ArmSheet(props: ArmSheetProps): ReactElement {
  const { catalogue, onArmed, onClose } = props
  const client = useQueryClient()
  const [draft, setDraft] = useState(() => newDraft(catalogue, props.operation, props.code))
  const change = (next: Partial<ArmDraft>) => setDraft(settled(catalogue, { ...draft, ...next }))
  const problems = problemsOf(draft)
  const order = orderOf(catalogue, draft)
  const arm = useMutation({
    mutationFn: () => armFault(order),
    onSuccess: async (fault) => {
      await client.invalidateQueries({ queryKey: ['faults'] })
      showToast({
        title: 'Armed',
        detail: `${targetText(fault.scope)}: ${effectText(fault.effect)}`,
      })
      onArmed()
    },
  })
  return (
    <Sheet title="Arm a fault" label="Arm a fault" name="arm-fault" width={440} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (Object.keys(problems).length === 0) arm.mutate()
        }}
      >
        <ScopeFields catalogue={catalogue} draft={draft} onChange={change} />
        <EffectFields catalogue={catalogue} draft={draft} problems={problems} onChange={change} />
        <Section title="How often">
          <div className="grid grid-cols-2 gap-2">
            <TextField
              label="Times"
              value={draft.count}
              onChange={(count) => change({ count })}
              isMono
              placeholder="without end"
              error={problems.count}
              hint="Then it disarms itself"
            />
            <TextField
              label="Probability"
              value={draft.probability}
              onChange={(probability) => change({ probability })}
              isMono
              error={problems.probability}
              hint="0 … 1"
            />
          </div>
        </Section>
        {arm.error === null ? undefined : (
          <div className="-m-4">
            <Failed title="It was not armed" error={arm.error} />
          </div>
        )}
        <Button
          tone="primary"
          type="submit"
          icon={<Zap aria-hidden="true" />}
          disabled={Object.keys(problems).length > 0}
          isBusy={arm.isPending}
        >
          Arm
        </Button>
        <Section title="The same as a call">
          <Code
            label="call"
            isWrapped
            text={`POST /_emulator/v1/faults\n${JSON.stringify(order, null, 2)}`}
          />
        </Section>
      </form>
    </Sheet>
  )
}
