// Says that the followed fixture no longer fits the steps of a rehearsal or an application.
import type { ReactElement } from 'react'
import { FIXTURE_STAYS } from './texts.ts'

export function FixtureMisfit(props: {
  /** The emulator's sentence; `null` when the fixture fits. */
  readonly problem: string | null
  /** The steps are applied, not only rehearsed. */
  readonly isApplied?: boolean
}): ReactElement | undefined {
  const { isApplied = false, problem } = props
  if (problem === null) return undefined
  return (
    <p
      role="note"
      aria-label="Followed fixture"
      className="rounded-2 border border-clock/40 bg-clock/10 p-3 break-words text-clock"
    >
      {isApplied && `${FIXTURE_STAYS} `}
      {problem}
    </p>
  )
}
