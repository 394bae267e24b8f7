// The kit: a long grid.
import { type ReactElement, useState } from 'react'
import { Chip } from '../../ui/chip.tsx'
import { DataGrid, type GridColumn, type GridSort } from '../../ui/data-grid.tsx'
import { Duration } from '../../ui/timestamp.tsx'

interface ExampleRow {
  readonly id: number
  readonly path: string
  readonly status: number
  readonly millis: number
}

const ROWS: readonly ExampleRow[] = Array.from({ length: 10_000 }, (_, id) => ({
  id,
  path: `/patients?select=name,clinic_id&id=eq.${id}`,
  status: id % 7 === 0 ? 403 : 200,
  millis: (id * 37) % 900,
}))

const COLUMNS: readonly GridColumn<ExampleRow>[] = [
  { id: 'id', header: '#', label: 'Number', width: 72, align: 'end', render: ({ id }) => id },
  {
    id: 'status',
    header: 'Status',
    width: 96,
    render: ({ status }) => <Chip tone={status === 200 ? 'allowed' : 'refused'}>{status}</Chip>,
  },
  { id: 'path', header: 'Path', isMono: true, canSort: true, render: ({ path }) => path },
  {
    id: 'millis',
    header: 'Took',
    width: 96,
    align: 'end',
    canSort: true,
    render: ({ millis }) => <Duration millis={millis} />,
  },
]

export function KitGrid(): ReactElement {
  const [selected, setSelected] = useState<string>('3')
  const [sort, setSort] = useState<GridSort>()
  return (
    <DataGrid
      label="Example"
      name="kit"
      columns={COLUMNS}
      rows={ROWS}
      rowKey={({ id }) => String(id)}
      selected={selected}
      onSelect={setSelected}
      rowClass={({ id }) => (id % 11 === 5 ? 'hidden-row' : undefined)}
      sort={sort}
      onSort={setSort}
    />
  )
}
