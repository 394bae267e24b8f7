// The screen of faults: what is armed, and the catalogue.
import { useSearch } from '@tanstack/react-router'
import { ShieldOff, Zap } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ArmedFault, FaultCatalogue } from '../../../emulator/contract/faults.ts'
import { useFaultCatalogue, useFaults } from '../../api/faults.ts'
import { isNotAvailable, NotAvailable } from '../../parts/not-available.tsx'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ANY } from './arm-draft.ts'
import { ArmSheet } from './arm-sheet.tsx'
import { ArmedGrid } from './armed-grid.tsx'
import { CatalogueView } from './catalogue-view.tsx'
import { FaultSheet } from './fault-sheet.tsx'
import type { FaultsSearch } from './faults-search.ts'
import { useDisarm } from './use-disarm.ts'

export function FaultsPage(): ReactElement {
  const faults = useFaults()
  const catalogue = useFaultCatalogue()
  const failed = faults.data === undefined ? faults.error : catalogue.error
  if (isNotAvailable(faults.error))
    return (
      <>
        <PageHeader title="Faults" />
        <NotAvailable name="Faults" />
      </>
    )
  if (failed !== null)
    return (
      <>
        <PageHeader title="Faults" />
        <Failed
          title="The faults could not be read"
          error={failed}
          retry={() => void Promise.all([faults.refetch(), catalogue.refetch()])}
        />
      </>
    )
  if (faults.data === undefined || catalogue.data === undefined)
    return (
      <>
        <PageHeader title="Faults" />
        <Loading label="Loading faults" lines={8} />
      </>
    )
  return <Screen faults={faults.data.faults} catalogue={catalogue.data} />
}

function Screen({
  faults,
  catalogue,
}: {
  readonly faults: readonly ArmedFault[]
  readonly catalogue: FaultCatalogue
}): ReactElement {
  const search = useSearch({ from: '/faults' })
  const disarm = useDisarm()
  const go = useSetSearch<FaultsSearch>()
  const { open, arm, code, ...rest } = search
  const close = () => go(rest)
  const chosen = faults.find(({ id }) => id === open)
  const view = search.view ?? 'armed'
  return (
    <>
      <PageHeader
        title="Faults"
        actions={
          <>
            <Button
              icon={<ShieldOff aria-hidden="true" />}
              disabled={faults.length === 0}
              onClick={() => disarm(undefined)}
            >
              Disarm all
            </Button>
            <Button
              tone="primary"
              icon={<Zap aria-hidden="true" />}
              onClick={() => go({ ...rest, arm: ANY })}
            >
              Arm a fault
            </Button>
          </>
        }
      />
      <SheetLayout
        sheet={
          arm !== undefined ? (
            <ArmSheet
              key={`${arm} ${code ?? ''}`}
              catalogue={catalogue}
              operation={arm}
              code={code}
              onClose={close}
              onArmed={() => go({})}
            />
          ) : chosen !== undefined ? (
            <FaultSheet fault={chosen} onDisarm={() => disarm(chosen.id)} onClose={close} />
          ) : undefined
        }
      >
        <Tabs
          label="Faults"
          value={view}
          tabs={[
            {
              value: 'armed',
              label: 'Armed',
              beside: <span className="text-small text-ink-dim">{faults.length}</span>,
            },
            { value: 'catalogue', label: 'Catalogue' },
          ]}
          onChange={(next) => go({ ...rest, view: next === 'armed' ? undefined : next })}
        >
          {view === 'armed' ? (
            <ArmedGrid
              faults={faults}
              selected={open}
              onSelect={(id) => go({ ...rest, open: id })}
              onDisarm={disarm}
              onArm={() => go({ ...rest, arm: ANY })}
            />
          ) : (
            <CatalogueView catalogue={catalogue} search={search} onSearch={go} />
          )}
        </Tabs>
      </SheetLayout>
    </>
  )
}
