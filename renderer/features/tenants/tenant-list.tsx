// The tenants of the open group, or the projects without one.
import { type ReactElement, useMemo } from 'react'
import type {
  GroupOverview,
  PlatformOverview,
  ProjectOverview,
} from '../../../emulator/contract/overview.ts'
import { DataGrid } from '../../ui/data-grid.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { NoTenants } from './group-choice.tsx'
import { TENANT_COLUMNS } from './tenant-columns.tsx'
import { type TenantsSearch, withoutSheet } from './tenants-search.ts'

export interface TenantListProps {
  readonly overview: PlatformOverview
  readonly group: GroupOverview | undefined
  readonly search: TenantsSearch
  readonly onSearch: (search: TenantsSearch) => void
}

export function TenantList({ overview, group, search, onSearch }: TenantListProps): ReactElement {
  const words = (search.q ?? '').toLowerCase()
  const shown = useMemo(() => shownOf(overview, group, words), [overview, group, words])
  return (
    <>
      <Toolbar label="Filter tenants">
        <SearchField
          label="Search tenants"
          placeholder="Slug or external id…"
          value={search.q ?? ''}
          onChange={(q) => {
            const { q: _q, ...rest } = search
            onSearch(q === '' ? rest : { ...rest, q })
          }}
        />
      </Toolbar>
      <DataGrid
        label="Tenants"
        name="tenants"
        columns={TENANT_COLUMNS}
        rows={shown}
        rowKey={slugOf}
        rowHeight={32}
        selected={search.project}
        onSelect={(slug) =>
          onSearch({
            ...withoutSheet(search),
            project: slug,
            ...(search.part === undefined ? {} : { part: search.part }),
          })
        }
        rowClass={({ state }) => (state === 'active' ? '' : 'text-ink-dim')}
        isFirst
        empty={<NoTenants isFiltered={words !== ''} />}
      />
    </>
  )
}

function shownOf(
  overview: PlatformOverview,
  group: GroupOverview | undefined,
  words: string,
): readonly ProjectOverview[] {
  const projects =
    group === undefined ? overview.projects : [...group.tenants, ...group.removed_tenants]
  return projects.filter(({ slug, name, external_id: id }) =>
    `${slug} ${name} ${id ?? ''}`.toLowerCase().includes(words),
  )
}

function slugOf({ slug }: ProjectOverview): string {
  return slug
}
