// Shown when this version of the emulator lacks a feature, because the feature's route returns 404.
import { PackageX } from 'lucide-react'
import type { ReactElement } from 'react'
import { ApiError } from '../api/client.ts'
import { EmptyState } from '../ui/empty-state.tsx'

/** Whether the error means that the emulator lacks the route of a list. */
export function isNotAvailable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

export function NotAvailable({ name }: { readonly name: string }): ReactElement {
  return (
    <EmptyState
      icon={<PackageX />}
      title={`${name} are not available in this version`}
      detail="The page is newer than the emulator that serves it. Update the emulator and reload the page."
    />
  )
}
