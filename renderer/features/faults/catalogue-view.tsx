// Everything that can go wrong on order: operations with the errors that they document.
import { type ReactElement, useMemo } from 'react'
import type { FaultCatalogue } from '../../../emulator/contract/faults.ts'
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { ANY } from './arm-draft.ts'
import { CatalogueCodes } from './catalogue-codes.tsx'
import { type CatalogueRow, catalogueRows } from './catalogue-rows.ts'
import { SERVICE_NAMES, SERVICES } from './fault-words.ts'
import type { FaultsSearch } from './faults-search.ts'

export interface CatalogueViewProps {
  readonly catalogue: FaultCatalogue
  readonly search: FaultsSearch
  readonly onSearch: (search: FaultsSearch) => void
}

const COLUMNS: readonly GridColumn<CatalogueRow>[] = [
  {
    id: 'service',
    header: 'Service',
    width: 110,
    render: ({ service }) => SERVICE_NAMES[service],
  },
  {
    id: 'operation',
    header: 'Operation',
    width: 220,
    isMono: true,
    render: ({ operation }) => operation,
  },
  { id: 'title', header: 'What it is', width: 260, render: ({ title }) => title },
  {
    id: 'route',
    header: 'Route',
    width: 260,
    isMono: true,
    render: ({ route }) => route ?? <span className="text-ink-dim">on an open socket</span>,
  },
  {
    id: 'codes',
    header: 'Errors it documents',
    min: 300,
    render: ({ errors, found }) => <CatalogueCodes errors={errors} found={found} />,
  },
]

export function CatalogueView({ catalogue, search, onSearch }: CatalogueViewProps): ReactElement {
  const { q = '', service, arm } = search
  const rows = useMemo(() => catalogueRows(catalogue, q, service), [catalogue, q, service])
  return (
    <>
      <Toolbar label="Search the catalogue">
        <SearchField
          label="Search the catalogue"
          placeholder="Operation, code, route, words…"
          value={q}
          onChange={(next) => {
            const { q: _before, ...rest } = search
            onSearch(next === '' ? rest : { ...rest, q: next })
          }}
          className="w-80"
        />
        <Select
          label="Service"
          hasPrefix
          value={service ?? ANY}
          options={[
            { value: ANY, label: 'any' },
            ...SERVICES.map((value) => ({ value, label: SERVICE_NAMES[value] })),
          ]}
          onChange={(next) => {
            const { service: _before, ...rest } = search
            onSearch(next === ANY ? rest : { ...rest, service: next })
          }}
        />
        <span className="text-ink-dim">
          {rows.length} of {catalogue.operations.length} operations
        </span>
      </Toolbar>
      <DataGrid
        label="Catalogue"
        name="fault-catalogue"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ operation }) => operation}
        selected={arm}
        onSelect={(operation, { found }) => {
          const { open: _open, code: _code, ...rest } = search
          onSearch({ ...rest, arm: operation, ...(found === undefined ? {} : { code: found }) })
        }}
        empty={<EmptyState title="Nothing matches" detail="Search for a part of a name or code." />}
      />
    </>
  )
}
