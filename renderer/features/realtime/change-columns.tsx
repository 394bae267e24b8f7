// The columns of the list of row changes.
import type { JudgedChange } from '../../../emulator/contract/realtime.ts'
import { ChangeEvent, VerdictTally } from '../../parts/change-verdict-chip.tsx'
import type { GridColumn } from '../../ui/data-grid.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { rowInALine } from './change-list.ts'

export const CHANGE_COLUMNS: readonly GridColumn<JudgedChange>[] = [
  {
    id: 'time',
    header: 'Committed',
    width: 122,
    isMono: true,
    render: ({ committed_at: at }) => <Timestamp at={at} format="time" />,
  },
  { id: 'event', header: 'Event', width: 82, render: ({ event }) => <ChangeEvent event={event} /> },
  { id: 'table', header: 'Table', width: 110, isMono: true, render: ({ table }) => table },
  {
    id: 'fate',
    header: 'Subscribers',
    width: 100,
    render: ({ verdicts }) => <VerdictTally verdicts={verdicts} />,
  },
  { id: 'row', header: 'Row', min: 160, isMono: true, render: ({ row }) => rowInALine(row) },
]
