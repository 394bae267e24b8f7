// From a refusal to the recorded request, whose chain says why.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'

export function WhyLink({
  requestId,
}: {
  readonly requestId: string | undefined
}): ReactElement | undefined {
  if (requestId === undefined) return undefined
  return (
    <Link to="/requests/$requestId" params={{ requestId }} className="text-accent hover:underline">
      Why?
    </Link>
  )
}
