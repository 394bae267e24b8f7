// The schema map: the tables of a project with their keys, row-level security, and what an identity can read of them.
import { useParams, useSearch } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import type { PolicyOverview } from '../../../emulator/contract/explain.ts'
import type { ReadableTables } from '../../../emulator/contract/readable-tables.ts'
import type { ProjectStructure } from '../../../emulator/contract/tables.ts'
import { usePolicies, useReadableTables } from '../../api/explain.ts'
import { useStructure } from '../../api/tables.ts'
import { parseIdentityText } from '../../parts/identity-text.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useChangeSearch } from '../../parts/search.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { schemaMap } from './map-model.ts'
import { MapView } from './map-view.tsx'
import { type DrawnReads, drawnReads } from './read-looks.ts'
import { ReadsLegend } from './reads-legend.tsx'
import type { SchemaMapSearch } from './schema-map-search.ts'
import { TableSheet } from './table-sheet.tsx'
import { EMPTY, sizeText, TITLE } from './texts.ts'
import { type LaidOutMap, useLayout } from './use-layout.ts'

export function SchemaMapPage(): ReactElement {
  const { tenant } = useParams({ from: '/t/$tenant/map' })
  return <TenantMap key={tenant} tenant={tenant} />
}

function TenantMap({ tenant }: { readonly tenant: string }): ReactElement {
  const search = useSearch({ from: '/t/$tenant/map' })
  const structure = useStructure(tenant)
  const policies = usePolicies(tenant)
  const identity = parseIdentityText(search.as)
  const reads = useReadableTables(tenant, identity)
  const columns = search.columns ?? 'keys'
  const map = useMemo(
    () => structure.data && schemaMap(structure.data, columns),
    [structure.data, columns],
  )
  const laidOut = useLayout(map)
  const own = structure.data?.tables.filter(({ is_closed }) => !is_closed) ?? []
  return (
    <>
      <PageHeader title={TITLE} beside={structure.data && <span>{sizeText(own)}</span>} />
      <Loaded query={structure} what="the schema map">
        {(data) =>
          own.length === 0 ? (
            <EmptyState icon={<Workflow />} {...EMPTY} />
          ) : laidOut === undefined ? (
            <Loading label="Loading the schema map" />
          ) : (
            <LoadedMap
              tenant={tenant}
              structure={data}
              laidOut={laidOut}
              reads={identity && reads}
              policies={policies.data}
            />
          )
        }
      </Loaded>
    </>
  )
}

/** Returns what the identity reads of the drawn tables. Leaves out the platform's own tables, because no identity reads them. */
function ownReads(
  { tables }: ProjectStructure,
  reads: ReadableTables | undefined,
): readonly DrawnReads[] {
  if (reads === undefined) return []
  const own = new Set(tables.flatMap(({ is_closed, name }) => (is_closed ? [] : [name])))
  return reads.tables
    .filter(({ name }) => own.has(name))
    .map((table) => drawnReads(table, reads.identity))
}

interface LoadedMapProps {
  readonly tenant: string
  readonly structure: ProjectStructure
  readonly laidOut: LaidOutMap
  /** `undefined` when no identity is chosen. */
  readonly reads: ReturnType<typeof useReadableTables> | undefined
  readonly policies: PolicyOverview | undefined
}

function LoadedMap(props: LoadedMapProps): ReactElement {
  const { tenant, structure, laidOut, reads, policies } = props
  const search = useSearch({ from: '/t/$tenant/map' })
  const change = useChangeSearch<SchemaMapSearch>()
  const readable = useMemo(
    () => new Map(ownReads(structure, reads?.data).map((table) => [table.name, table])),
    [structure, reads?.data],
  )
  const table = structure.tables.find(({ name }) => name === search.table)
  const open = (name: string | undefined) => change({ table: name }, true)
  return (
    <SheetLayout
      sheet={
        table && (
          <TableSheet
            tenant={tenant}
            table={table}
            readable={readable.get(table.name)}
            policies={policies?.tables.find(({ name }) => name === table.name)?.policies}
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
        columns={search.columns ?? 'keys'}
        onColumns={(next) => change({ columns: next === 'keys' ? undefined : next }, true)}
        open={table?.name}
        onOpen={open}
      />
      {reads !== undefined && <ReadsLegend reads={reads} tables={[...readable.values()]} />}
    </SheetLayout>
  )
}
