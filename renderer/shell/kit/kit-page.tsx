// Every component of the kit on one page, to look at in both themes.
import type { ReactElement } from 'react'
import { PageHeader } from '../../ui/page-header.tsx'

export function KitPage(): ReactElement {
  return <PageHeader title="Kit" />
}
