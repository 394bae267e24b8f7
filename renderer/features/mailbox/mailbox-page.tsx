// Mailbox: this screen is being built.
import type { ReactElement } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

export function MailboxPage(): ReactElement {
  return (
    <>
      <PageHeader title="Mailbox" />
      <EmptyState title="Nothing here yet" detail="This screen is being built." />
    </>
  )
}
