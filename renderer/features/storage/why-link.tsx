// From a refusal to the recorded request, whose chain says why.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useRefusedRequest } from './use-refused-request.ts'

export function WhyLink({ error }: { readonly error: unknown }): ReactElement | undefined {
  const requestId = useRefusedRequest(error)
  if (requestId === undefined) return undefined
  return (
    <Link to="/requests/$requestId" params={{ requestId }} className="text-accent hover:underline">
      Why?
    </Link>
  )
}
