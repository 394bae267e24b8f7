// Lists the operations that a fault can target. Each operation shows the errors that the platform documents for it.
import { type ReactElement, useMemo } from 'react'
import type { FaultCatalogue } from '../../../emulator/contract/faults.ts'
import { Chip } from '../../ui/chip.tsx'
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { optionsOf } from '../../ui/form-values.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { ANY } from './arm-draft.ts'
import { type CatalogueRow, catalogueRows, splitCodes } from './catalogue-rows.ts'
import type { FaultsSearch } from './faults-search.ts'
import { EMPTY, SERVICE_NAMES } from './texts.ts'

const COLUMNS: readonly GridColumn<CatalogueRow>[] = [
  {
    id: 'service',
    leaves: 2,
    header: 'Service',
    width: 110,
    render: ({ service }) => SERVICE_NAMES[service],
  },
  {
    id: 'operation',
    header: 'Operation',
    width: 240,
    isMono: true,
    render: ({ operation }) => operation,
  },
  { id: 'title', leaves: 3, header: 'Description', width: 240, render: ({ title }) => title },
  {
    id: 'route',
    header: 'Route',
    min: 200,
    isMono: true,
    render: ({ route }) =>
      route === null ? (
        <span className="text-ink-dim">on an open socket</span>
      ) : (
        <span title={route}>{route}</span>
      ),
  },
  { id: 'codes', header: 'Documented errors', width: 300, render: (row) => <Codes {...row} /> },
]

const SERVICES = optionsOf({ [ANY]: 'any', ...SERVICE_NAMES })

export function CatalogueView(props: {
  readonly catalogue: FaultCatalogue
  readonly search: FaultsSearch
  readonly onSearch: (search: FaultsSearch) => void
}): ReactElement {
  const { catalogue, search, onSearch } = props
  const { q = '', service, arm } = search
  const rows = useMemo(() => catalogueRows(catalogue, q, service), [catalogue, q, service])
  return (
    <>
      <Toolbar label="Search the catalogue">
        <SearchField
          label="Search the catalogue"
          placeholder="Operation, code, route…"
          value={q}
          onChange={(next) => onSearch({ ...search, q: next || undefined })}
          className="w-80"
        />
        <Select
          label="Service"
          hasPrefix
          value={service ?? ANY}
          options={SERVICES}
          onChange={(next) => onSearch({ ...search, service: next === ANY ? undefined : next })}
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
        onSelect={(operation, { found }) =>
          onSearch({ ...search, open: undefined, arm: operation, code: found })
        }
        empty={<EmptyState {...EMPTY.catalogue} />}
      />
    </>
  )
}

/** Shows as many codes as fit in the column, then the number of other codes. A tooltip names the other codes. */
function Codes({ errors, found }: Pick<CatalogueRow, 'errors' | 'found'>): ReactElement {
  const { shown, rest } = splitCodes(errors, found)
  return (
    <span className="flex min-w-0 gap-1 overflow-hidden">
      {shown.map(({ code, status, sentence }) => (
        <Chip
          key={code}
          isMono
          tone={code === found ? 'accent' : 'neutral'}
          title={`${status}: ${sentence}`}
          className="shrink-0"
        >
          {code}
        </Chip>
      ))}
      {rest.length !== 0 && (
        <Chip title={rest.map(({ code }) => code).join(', ')} className="shrink-0">
          +{rest.length}
        </Chip>
      )}
    </span>
  )
}
