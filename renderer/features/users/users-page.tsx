// Users: this screen is being built.
import type { ReactElement } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

export function UsersPage(): ReactElement {
  return (
    <>
      <PageHeader title="Users" />
      <EmptyState title="Nothing here yet" detail="This screen is being built." />
    </>
  )
}
