// Lists the tenants of the open group, or the projects without a group.
import { Building2 } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import type { Fleet } from '../../../emulator/contract/fleet.ts'
import type {
  GroupOverview,
  PlatformOverview,
  ProjectOverview,
} from '../../../emulator/contract/overview.ts'
import { ClonedVersion, DifferencesChip, newestOf, StepsChip } from '../../parts/project-facts.tsx'
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumber } from '../../ui/format.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { type TenantsSearch, withoutSheet } from './tenants-search.ts'
import { EMPTY } from './texts.ts'

const tenantColumns = (fleet: Fleet | undefined): readonly GridColumn<ProjectOverview>[] => [
  {
    id: 'slug',
    header: 'Tenant',
    min: 150,
    isMono: true,
    render: ({ slug }) => <span title={slug}>{slug}</span>,
  },
  {
    id: 'state',
    header: 'State',
    width: 104,
    render: ({ state }) => <ProjectState state={state} />,
  },
  {
    id: 'external',
    header: 'External ID',
    width: 132,
    isMono: true,
    render: ({ external_id: id }) =>
      id === null ? <span className="text-ink-dim">–</span> : <span title={id}>{id}</span>,
  },
  {
    id: 'version',
    header: 'Template',
    width: 92,
    render: ({ template_version: version }) => (
      <ClonedVersion version={version} newest={fleet && newestOf(fleet)} />
    ),
  },
  ...(fleet === undefined ? [] : factColumns(fleet)),
  {
    id: 'users',
    header: 'Users',
    width: 72,
    align: 'end',
    render: ({ users }) =>
      users === null ? <span className="text-ink-dim">–</span> : formatNumber(users),
  },
  {
    id: 'database',
    header: 'Database',
    width: 88,
    align: 'end',
    render: ({ database_bytes: bytes }) =>
      bytes === null ? <span className="text-ink-dim">–</span> : <Bytes bytes={bytes} />,
  },
  {
    id: 'storage',
    header: 'Storage',
    width: 88,
    align: 'end',
    render: ({ storage_bytes: bytes }) => <Bytes bytes={bytes} />,
  },
  {
    id: 'active',
    header: 'Last request',
    width: 108,
    align: 'end',
    render: ({ last_request_at: at }) => <Timestamp at={at} />,
  },
]

/** The two facts about each tenant, as the fleet has them. */
function factColumns({ tenants }: Fleet): readonly GridColumn<ProjectOverview>[] {
  const facts = new Map(tenants.map((tenant) => [tenant.slug, tenant.facts]))
  const of = ({ slug, state }: ProjectOverview) =>
    state === 'active' ? facts.get(slug) : undefined
  return [
    {
      id: 'steps',
      header: 'Steps',
      width: 176,
      render: (tenant) => {
        const found = of(tenant)
        return found === undefined ? NONE : <StepsChip fact={found.steps} />
      },
    },
    {
      id: 'structure',
      header: 'Structure',
      width: 152,
      render: (tenant) => {
        const found = of(tenant)
        return found === undefined ? NONE : <DifferencesChip fact={found.differences} />
      },
    },
  ]
}

const NONE = <span className="text-ink-dim">–</span>

export function TenantList(props: {
  /** `undefined` until it is loaded, and for projects without a group. */
  readonly fleet: Fleet | undefined
  readonly overview: PlatformOverview
  readonly group: GroupOverview | undefined
  readonly search: TenantsSearch
  readonly onSearch: (search: TenantsSearch) => void
}): ReactElement {
  const { fleet, overview, group, search, onSearch } = props
  const columns = useMemo(() => tenantColumns(fleet), [fleet])
  const words = (search.q ?? '').toLowerCase()
  const shown = useMemo(() => shownOf(overview, group, words), [overview, group, words])
  return (
    <>
      <Toolbar label="Filter tenants">
        <SearchField
          label="Search tenants"
          placeholder="Slug or external ID…"
          value={search.q ?? ''}
          onChange={(q) => onSearch({ ...search, q: q || undefined })}
        />
      </Toolbar>
      <DataGrid
        label="Tenants"
        name="tenants"
        columns={columns}
        rows={shown}
        rowKey={slugOf}
        rowHeight={32}
        selected={search.project}
        onSelect={(slug) => onSearch({ ...withoutSheet(search), project: slug, part: search.part })}
        rowClass={({ state }) => (state === 'active' ? '' : 'text-ink-dim')}
        isFirst
        empty={
          <EmptyState icon={<Building2 />} {...(words === '' ? EMPTY.tenants : EMPTY.matches)} />
        }
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

export function ProjectState({ state }: { readonly state: string }): ReactElement {
  const dot = state === 'active' ? 'well' : state === 'deleted' ? 'off' : 'changing'
  return <StatusDot state={dot} label={state} />
}
