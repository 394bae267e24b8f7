// The differences of one endpoint, request by request: the recorded value above the value of this emulator.
import type { ReactElement } from 'react'
import type { Comparison } from '../../../emulator/contract/comparisons.ts'
import {
  type EqualRequests,
  equalRequests,
  senderText,
} from '../../../emulator/contract/equal-requests.ts'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Sheet } from '../../ui/sheet.tsx'

export function DifferenceSheet(props: {
  /** Method and route. */
  readonly endpoint: string
  readonly comparison: Comparison
  readonly onClose: () => void
}): ReactElement {
  const { comparison, endpoint, onClose } = props
  const found = comparison.differences.filter(
    ({ method, route }) => `${method} ${route}` === endpoint,
  )
  return (
    <Sheet
      title={<MiddleTruncate text={endpoint} isMono />}
      label="Differences"
      name="differences"
      onClose={onClose}
    >
      {found.length === 0 ? (
        <p className="text-ink-dim">Every answer agrees with the recorded one.</p>
      ) : (
        <>
          {/* Screen readers read the name of each side instead. */}
          <p aria-hidden="true" className="text-small text-ink-dim">
            − recorded, + this emulator
          </p>
          <ul aria-label="Differences" className="flex flex-col gap-4">
            {equalRequests(found).map((group) => (
              <RequestDifferences key={group.requests[0]} group={group} />
            ))}
          </ul>
        </>
      )}
    </Sheet>
  )
}

/** Maximum number of request numbers in one line. */
const SHOWN_NUMBERS = 5

function RequestDifferences(props: { readonly group: EqualRequests }): ReactElement | undefined {
  const { differences, requests } = props.group
  const [first] = differences
  if (first === undefined) return undefined
  const numbers = requests.slice(0, SHOWN_NUMBERS).map((number) => `#${number}`)
  const left = requests.length - numbers.length
  const sender = senderText(first)
  return (
    <li className="flex flex-col gap-2">
      <p className="font-mono text-small break-all text-ink-dim">
        {numbers.join(', ')}
        {left > 0 ? ` and ${left} more` : ''} {first.method} {first.target}
      </p>
      {sender === '' && requests.length === 1 ? undefined : (
        <p className="text-small text-ink-dim">
          {[sender, requests.length > 1 ? `${requests.length} times` : '']
            .filter((part) => part !== '')
            .join(', ')}
        </p>
      )}
      {differences.map((difference) => (
        <div key={`${difference.at} ${difference.kind}`} className="flex flex-col gap-1">
          <p>
            <span className="font-mono">{difference.at}</span>{' '}
            <span className="text-ink-dim">{difference.kind.replace('_', ' ')}</span>
          </p>
          <Side sign="−" name="Recorded" value={difference.recorded} tone="text-refused" />
          <Side sign="+" name="This emulator" value={difference.replayed} tone="text-allowed" />
        </div>
      ))}
    </li>
  )
}

function Side(props: {
  readonly sign: string
  readonly name: string
  readonly value: string | null
  readonly tone: string
}): ReactElement | undefined {
  const { name, sign, tone, value } = props
  if (value === null) return undefined
  return (
    <p className={`flex gap-2 font-mono text-small break-all ${tone}`}>
      <span aria-hidden="true">{sign}</span>
      <span>
        <span className="sr-only">{name}: </span>
        {value}
      </span>
    </p>
  )
}
