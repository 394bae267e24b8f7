// Lists when faults fired and on which request, also after the faults ended.
import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import type { ArmedFault, FaultFiring, FaultHistory } from '../../../emulator/contract/faults.ts'
import { useFaultHistory } from '../../api/faults.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Chip } from '../../ui/chip.tsx'
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { EMPTY, effectText, NOTHING } from './texts.ts'

interface Firing extends FaultFiring {
  readonly fault: ArmedFault | undefined
}

export function HistoryGrid(props: {
  readonly selected: string | undefined
  readonly onSelect: (faultId: string) => void
}): ReactElement {
  return (
    <Loaded query={useFaultHistory()} what="the history" lines={8} since="The history of faults">
      {(history) => <Firings {...props} history={history} />}
    </Loaded>
  )
}

function Firings(props: {
  readonly history: FaultHistory
  readonly selected: string | undefined
  readonly onSelect: (faultId: string) => void
}): ReactElement {
  const { history, selected, onSelect } = props
  const rows = useMemo(() => firingsOf(history), [history])
  const chosen = rows.find(({ fault_id: id }) => id === selected)
  return (
    <DataGrid
      label="Fired faults"
      name="fault-history"
      columns={COLUMNS}
      rows={rows}
      rowKey={({ number }) => String(number)}
      rowHeight={32}
      selected={chosen && String(chosen.number)}
      onSelect={(_key, { fault_id: id }) => onSelect(id)}
      isFirst
      empty={<EmptyState icon={<History />} {...EMPTY.history} />}
    />
  )
}

function firingsOf({ faults, firings }: FaultHistory): readonly Firing[] {
  const byId = new Map(faults.map((fault) => [fault.id, fault]))
  return firings.map((firing) => ({ ...firing, fault: byId.get(firing.fault_id) }))
}

const COLUMNS: readonly GridColumn<Firing>[] = [
  {
    id: 'at',
    header: 'Time',
    width: 122,
    isMono: true,
    render: ({ at }) => <Timestamp at={at} format="time" />,
  },
  {
    id: 'effect',
    header: 'Effect',
    width: 200,
    render: ({ fault, fault_id: id }) => (
      <Chip tone="fault" isMono>
        {fault === undefined ? id : effectText(fault.effect)}
      </Chip>
    ),
  },
  {
    id: 'operation',
    leaves: 1,
    header: 'Operation',
    width: 200,
    isMono: true,
    render: ({ operation }) => operation,
  },
  {
    id: 'tenant',
    leaves: 2,
    header: 'Tenant',
    width: 140,
    render: ({ schema_name: schemaName }) => schemaName?.replace(/^proj_/, '') ?? NOTHING,
  },
  {
    id: 'request',
    header: 'Request',
    min: 220,
    isMono: true,
    render: ({ request_id: requestId }) =>
      requestId === null ? (
        <span className="text-ink-dim">on an open socket</span>
      ) : (
        <Link
          to="/requests/$requestId"
          params={{ requestId }}
          className="text-accent hover:underline"
          onClick={(event) => event.stopPropagation()}
        >
          {requestId}
        </Link>
      ),
  },
]
