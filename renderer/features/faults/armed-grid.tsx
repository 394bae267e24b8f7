// Lists the armed faults. Each row shows the fault's effect, target and callers, and how often the fault fired.
import { Trash2, Zap } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import type { ArmedFault } from '../../../emulator/contract/faults.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { callerText, EMPTY, effectText, firedText, probabilityText, targetText } from './texts.ts'

export function ArmedGrid(props: {
  readonly faults: readonly ArmedFault[]
  readonly selected: string | undefined
  readonly onSelect: (id: string) => void
  readonly onDisarm: (id: string) => void
  readonly onArm: () => void
}): ReactElement {
  const { faults, selected, onSelect, onDisarm, onArm } = props
  const columns = useMemo(() => columnsOf(onDisarm), [onDisarm])
  return (
    <DataGrid
      label="Armed faults"
      name="faults"
      columns={columns}
      rows={faults}
      rowKey={({ id }) => id}
      rowHeight={32}
      selected={selected}
      onSelect={onSelect}
      isFirst
      empty={
        <EmptyState
          icon={<Zap />}
          {...EMPTY.armed}
          action={<Button onClick={onArm}>Arm fault</Button>}
        />
      }
    />
  )
}

function columnsOf(onDisarm: (id: string) => void): readonly GridColumn<ArmedFault>[] {
  return [
    {
      id: 'effect',
      header: 'Effect',
      width: 260,
      render: ({ effect }) => (
        <Chip tone="fault" isMono>
          {effectText(effect)}
        </Chip>
      ),
    },
    { id: 'target', header: 'Target', isMono: true, render: ({ scope }) => targetText(scope) },
    {
      id: 'who',
      leaves: 1,
      header: 'Callers',
      isMono: true,
      render: ({ scope }) => callerText(scope),
    },
    {
      id: 'probability',
      leaves: 2,
      header: 'Probability',
      width: 100,
      align: 'end',
      render: probabilityText,
    },
    { id: 'fired', header: 'Fired', width: 90, align: 'end', render: firedText },
    {
      id: 'armed',
      leaves: 3,
      header: 'Armed',
      width: 110,
      render: ({ armed_at: at }) => <Timestamp at={at} />,
    },
    {
      id: 'disarm',
      header: '',
      label: 'Disarm fault',
      width: 48,
      render: ({ id }) => (
        <IconButton
          size="small"
          label="Disarm fault"
          icon={<Trash2 />}
          onClick={(event) => {
            event.stopPropagation()
            onDisarm(id)
          }}
        />
      ),
    },
  ]
}
