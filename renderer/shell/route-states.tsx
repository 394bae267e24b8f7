// What shows in place of a screen: an address that leads nowhere, or a screen that broke.
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { EmptyState } from '../ui/empty-state.tsx'

export function RouteMissing(): ReactElement {
  return (
    <EmptyState
      title="There is no such screen"
      detail="The address names none of the inspector’s screens."
      action={
        <Link to="/" className="text-accent underline">
          Go home
        </Link>
      }
    />
  )
}

export function RouteFailed({ error }: ErrorComponentProps): ReactElement {
  return (
    <EmptyState
      title="This screen broke"
      detail={error instanceof Error ? error.message : String(error)}
    />
  )
}
