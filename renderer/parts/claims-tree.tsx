// Shows a credential's claims. Claims that are instants have their date and distance beside the number, in platform time.
import type { ReactElement } from 'react'
import { isoOf } from '../api/time.ts'
import { exactTime, formatDuration } from '../ui/format.ts'
import { JsonTree } from '../ui/json-tree.tsx'
import { useNow } from '../ui/platform-time.ts'
import { claimInstant } from './claim-instant.ts'

export function ClaimsTree(props: {
  readonly claims: Readonly<Record<string, unknown>>
}): ReactElement {
  return (
    <JsonTree
      value={props.claims}
      label="claims"
      open={2}
      note={(name, value) => {
        const millis = claimInstant(name, value)
        return millis === undefined ? undefined : <Instant at={millis} isExpiry={name === 'exp'} />
      }}
    />
  )
}

function Instant(props: { readonly at: number; readonly isExpiry: boolean }): ReactElement {
  const { at, isExpiry } = props
  const distance = at - useNow()
  const span = formatDuration(Math.floor(Math.abs(distance) / 1_000) * 1_000)
  const text = distance > 0 ? `in ${span}` : `${span} ago`
  return (
    <time
      dateTime={isoOf(at)}
      className={isExpiry && distance <= 0 ? 'text-refused' : 'text-ink-dim'}
    >
      {exactTime(at).replace('.000', '')} · <span className="tabular-nums">{text}</span>
    </time>
  )
}
