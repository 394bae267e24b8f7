// The shape of a link's state: a round check holds, a square cross is broken, a dashed ring was not reached, a dot not needed.
import { Check, X } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ChainLink } from '../../../emulator/contract/explain.ts'
import { cx } from '../../ui/cx.ts'

const LOOKS: Readonly<Record<ChainLink['state'], string>> = {
  holds: 'rounded-full border-allowed/60 bg-allowed/16 text-allowed',
  broken: 'rounded-1 border-refused bg-refused/20 text-refused',
  unknown: 'rounded-full border-dashed border-unknown/60 text-unknown',
  not_needed: 'rounded-full border-line text-ink-dim',
}

export function ChainMark({ state }: { readonly state: ChainLink['state'] }): ReactElement {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'relative z-10 grid size-6 shrink-0 place-items-center border bg-surface-1 [&_svg]:size-3',
        LOOKS[state],
      )}
    >
      {state === 'holds' ? <Check strokeWidth={2.5} /> : undefined}
      {state === 'broken' ? <X strokeWidth={3} /> : undefined}
      {state === 'not_needed' ? <span className="size-1 rounded-full bg-current" /> : undefined}
    </span>
  )
}
