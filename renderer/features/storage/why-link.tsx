// From a refusal to the recorded request, whose chain says why.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { StorageRefusal } from '../../api/storage-door.ts'

export function WhyLink({ error }: { readonly error: unknown }): ReactElement | undefined {
  if (!(error instanceof StorageRefusal) || error.requestId === null) return undefined
  return (
    <Link
      to="/requests/$requestId"
      params={{ requestId: error.requestId }}
      className="text-accent hover:underline"
    >
      Why?
    </Link>
  )
}
