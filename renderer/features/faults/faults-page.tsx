// The faults screen shows the armed faults, the faults that fired, the catalogue of all possible faults, and simulated responses. The address holds view, filters
// and the open sheet.
import { useSearch } from '@tanstack/react-router'
import { ShieldOff, Zap } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ArmedFault, FaultCatalogue } from '../../../emulator/contract/faults.ts'
import { disarmFaults, useFaultCatalogue, useFaultHistory, useFaults } from '../../api/faults.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/form-action.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ANY } from './arm-draft.ts'
import { ArmSheet } from './arm-sheet.tsx'
import { ArmedGrid } from './armed-grid.tsx'
import { CatalogueView } from './catalogue-view.tsx'
import { FaultSheet } from './fault-sheet.tsx'
import type { FaultsSearch } from './faults-search.ts'
import { HistoryGrid } from './history-grid.tsx'
import { SimulatedView } from './simulated-view.tsx'

export function FaultsPage(): ReactElement {
  const search = useSearch({ from: '/faults' })
  const faults = useFaults()
  const catalogue = useFaultCatalogue()
  const disarm = useDisarm()
  const go = useSetSearch<FaultsSearch>()
  const armed = faults.data?.faults ?? []
  return (
    <>
      <PageHeader
        title="Faults"
        actions={
          faults.data === undefined ? undefined : (
            <>
              <Button
                icon={<ShieldOff />}
                disabled={armed.length === 0}
                onClick={() => disarm(undefined)}
              >
                Disarm all faults
              </Button>
              <Button
                tone="primary"
                icon={<Zap />}
                onClick={() => go({ ...withoutSheet(search), arm: ANY })}
              >
                Arm fault
              </Button>
            </>
          )
        }
      />
      <Loaded query={faults} what="faults" lines={8} since="Faults">
        {() => (
          <Loaded query={catalogue} what="the catalogue" lines={8}>
            {(known) => (
              <SheetLayout
                sheet={<OpenSheet {...{ search, armed, disarm, go }} catalogue={known} />}
              >
                <Views {...{ search, armed, disarm, go }} catalogue={known} />
              </SheetLayout>
            )}
          </Loaded>
        )}
      </Loaded>
    </>
  )
}

interface PartProps {
  readonly search: FaultsSearch
  readonly armed: readonly ArmedFault[]
  readonly catalogue: FaultCatalogue
  readonly disarm: (id: string | undefined) => void
  readonly go: (search: FaultsSearch) => void
}

function OpenSheet({ search, armed, catalogue, disarm, go }: PartProps): ReactElement | undefined {
  const { open, arm, code } = search
  const close = () => go(withoutSheet(search))
  const fired = useFaultHistory().data?.faults ?? []
  const chosen = [...armed, ...fired].find(({ id }) => id === open)
  if (arm !== undefined)
    return (
      <ArmSheet
        key={`${arm} ${code ?? ''}`}
        catalogue={catalogue}
        operation={arm}
        code={code}
        onClose={close}
        onArmed={() => go({})}
      />
    )
  if (chosen === undefined) return undefined
  const onDisarm = armed.includes(chosen) ? () => disarm(chosen.id) : undefined
  return <FaultSheet fault={chosen} onDisarm={onDisarm} onClose={close} />
}

function Views({ search, armed, catalogue, disarm, go }: PartProps): ReactElement {
  const { view = 'armed', ...others } = withoutSheet(search)
  return (
    <Tabs
      label="Faults"
      value={view}
      tabs={[
        {
          value: 'armed',
          label: 'Armed',
          beside: <span className="text-small text-ink-dim">{armed.length}</span>,
        },
        { value: 'history', label: 'History' },
        { value: 'catalogue', label: 'Catalogue' },
        { value: 'simulated', label: 'Simulated responses' },
      ]}
      onChange={(next) => go({ ...others, view: next === 'armed' ? undefined : next })}
    >
      {view === 'history' && (
        <HistoryGrid
          selected={search.open}
          onSelect={(id) => go({ ...withoutSheet(search), open: id })}
        />
      )}
      {view === 'armed' && (
        <ArmedGrid
          faults={armed}
          selected={search.open}
          onSelect={(id) => go({ ...withoutSheet(search), open: id })}
          onDisarm={disarm}
          onArm={() => go({ ...withoutSheet(search), arm: ANY })}
        />
      )}
      {view === 'simulated' && <SimulatedView />}
      {view === 'catalogue' && (
        <CatalogueView catalogue={catalogue} search={search} onSearch={go} />
      )}
    </Tabs>
  )
}

function useDisarm(): (id: string | undefined) => void {
  return useAction({
    work: (id: string | undefined) => disarmFaults(id),
    stale: [['faults']],
    failure: 'Could not disarm',
  }).mutate
}

function withoutSheet({ open, arm, code, ...rest }: FaultsSearch): FaultsSearch {
  return rest
}
