// The schema map: the tables of a project with their keys, row-level security, and what an identity can read of them.
import { useParams, useSearch } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import type { ProjectStructure } from '../../../emulator/contract/tables.ts'
import { usePolicies, useReadableTables } from '../../api/explain.ts'
import { useStructure } from '../../api/tables.ts'
import { parseIdentityText } from '../../parts/identity-text.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useChangeSearch } from '../../parts/search.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { countOf } from '../../ui/form-values.ts'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { schemaMap } from './map-model.ts'
import { MapView } from './map-view.tsx'
import { ReadsLegend } from './reads-legend.tsx'
import type { SchemaMapSearch } from './schema-map-search.ts'
import { TableSheet } from './table-sheet.tsx'
import { EMPTY, TITLE } from './texts.ts'
import { useLayout } from './use-layout.ts'

export function SchemaMapPage(): ReactElement {
  const { tenant } = useParams({ from: '/t/$tenant/map' })
  const structure = useStructure(tenant)
  const own = structure.data?.tables.filter(({ is_closed }) => !is_closed) ?? []
  return (
    <>
      <PageHeader
        title={TITLE}
        beside={structure.data && <span>{countOf(own.length, 'table')}</span>}
      />
      <Loaded query={structure} what="the schema map">
        {(data) =>
          own.length === 0 ? (
            <EmptyState icon={<Workflow />} {...EMPTY} />
          ) : (
            <LoadedMap key={tenant} tenant={tenant} structure={data} />
          )
        }
      </Loaded>
    </>
  )
}

function LoadedMap(props: {
  readonly tenant: string
  readonly structure: ProjectStructure
}): ReactElement {
  const { tenant, structure } = props
  const search = useSearch({ from: '/t/$tenant/map' })
  const change = useChangeSearch<SchemaMapSearch>()
  const columns = search.columns ?? 'keys'
  const identity = parseIdentityText(search.as)
  const laidOut = useLayout(useMemo(() => schemaMap(structure, columns), [structure, columns]))
  const reads = useReadableTables(tenant, identity)
  const readable = useMemo(
    () => new Map((reads.data?.tables ?? []).map((table) => [table.name, table])),
    [reads.data],
  )
  const policies = usePolicies(tenant)
  const table = structure.tables.find(({ name }) => name === search.table)
  const open = (name: string | undefined) => change({ table: name }, true)
  if (laidOut === undefined) return <Loading label="Loading the schema map" />
  return (
    <SheetLayout
      sheet={
        table && (
          <TableSheet
            tenant={tenant}
            table={table}
            readable={readable.get(table.name)}
            policies={policies.data?.tables.find(({ name }) => name === table.name)?.policies}
            as={search.as}
            onOpen={open}
            onClose={() => open(undefined)}
          />
        )
      }
    >
      <MapView
        tenant={tenant}
        laidOut={laidOut}
        readable={readable}
        columns={columns}
        onColumns={(next) => change({ columns: next === 'keys' ? undefined : next }, true)}
        open={table?.name}
        onOpen={open}
      />
      {identity !== undefined && <ReadsLegend reads={reads} />}
    </SheetLayout>
  )
}
