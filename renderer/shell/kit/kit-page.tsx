// Every component of the kit on one page, to look at in both themes.
import { type ReactElement, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Sheet, SheetLayout } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { KitActions } from './kit-actions.tsx'
import { KitFields } from './kit-fields.tsx'
import { KitGrid } from './kit-grid.tsx'
import { KitValues } from './kit-values.tsx'

const TABS = [
  { value: 'values', label: 'Values and states' },
  { value: 'actions', label: 'Actions' },
  { value: 'fields', label: 'Fields and editors' },
  { value: 'grid', label: 'Grid' },
] as const

type TabName = (typeof TABS)[number]['value']

const CONTENT: Readonly<Record<TabName, ReactElement>> = {
  values: <KitValues />,
  actions: <KitActions />,
  fields: <KitFields />,
  grid: <KitGrid />,
}

export function KitPage(): ReactElement {
  const [tab, setTab] = useState<TabName>('values')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <PageHeader
        title="Kit"
        beside="what the screens are made of"
        actions={<Button onClick={() => setOpen(!isOpen)}>Toggle the sheet</Button>}
      />
      <SheetLayout
        sheet={
          isOpen ? (
            <Sheet title="A sheet" label="Example" name="kit" onClose={() => setOpen(false)}>
              <KitValues />
            </Sheet>
          ) : undefined
        }
      >
        <Tabs label="Parts of the kit" value={tab} tabs={TABS} onChange={setTab}>
          {CONTENT[tab]}
        </Tabs>
      </SheetLayout>
    </>
  )
}
