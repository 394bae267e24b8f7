// Says that the followed fixture no longer fits the steps of a rehearsal or an application.
import type { ReactElement } from 'react'

export function FixtureMisfit(props: {
  /** The emulator's sentence; `null` when the fixture fits. */
  readonly problem: string | null
}): ReactElement | undefined {
  if (props.problem === null) return undefined
  return (
    <p
      role="note"
      aria-label="Followed fixture"
      className="rounded-2 border border-clock/40 bg-clock/10 p-3 break-words text-clock"
    >
      {props.problem}
    </p>
  )
}
