// The toolbar of the schema map: search, columns, zoom and export.
import { Maximize, Minus, Plus, Save } from 'lucide-react'
import type { ReactElement } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import type { ShownColumns } from './map-model.ts'
import { COLUMNS } from './texts.ts'

export interface MapToolbarProps {
  readonly search: string
  readonly onSearch: (search: string) => void
  /** Opens the first table that matches the search. */
  readonly onFind: () => void
  readonly columns: ShownColumns
  readonly onColumns: (columns: ShownColumns) => void
  readonly zoom: number
  readonly onZoom: (factor: number) => void
  readonly onFit: () => void
  readonly exports: readonly MenuAction[]
}

const COLUMN_OPTIONS = (['keys', 'all', 'none'] as const).map((value) => ({
  value,
  label: COLUMNS[value],
}))

/** Factor of one zoom step. */
export const STEP = 1.25

export function MapToolbar(props: MapToolbarProps): ReactElement {
  const { zoom, onZoom } = props
  return (
    <Toolbar
      label="Schema map"
      actions={
        <>
          <IconButton label="Zoom out" keys="-" icon={<Minus />} onClick={() => onZoom(1 / STEP)} />
          <span data-testid="zoom" className="w-11 text-center whitespace-nowrap text-ink-dim">
            {Math.round(zoom * 100)} %
          </span>
          <IconButton label="Zoom in" keys="+" icon={<Plus />} onClick={() => onZoom(STEP)} />
          <IconButton label="Show whole map" keys="0" icon={<Maximize />} onClick={props.onFit} />
          <Menu
            align="end"
            trigger={<Button icon={<Save />}>Export</Button>}
            items={props.exports}
          />
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          props.onFind()
        }}
      >
        <SearchField
          label="Find a table or column"
          value={props.search}
          onChange={props.onSearch}
          className="w-52"
        />
      </form>
      <Select
        label="Show"
        hasPrefix
        value={props.columns}
        options={COLUMN_OPTIONS}
        onChange={props.onColumns}
      />
    </Toolbar>
  )
}
