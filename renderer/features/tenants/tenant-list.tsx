// Lists the tenants of the open group, or the projects without a group.
import { Building2 } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import type { Fleet, FleetTenant } from '../../../emulator/contract/fleet.ts'
import type {
  GroupOverview,
  PlatformOverview,
  ProjectOverview,
} from '../../../emulator/contract/overview.ts'
import { gridSortOf, inOrder, type OrderValue, orderAfter } from '../../parts/grid-order.ts'
import {
  ClonedVersion,
  DifferencesChip,
  newestOf,
  STRUCTURE_TITLE,
  StepsChip,
  stepsWidth,
  TenantName,
} from '../../parts/project-facts.tsx'
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumber } from '../../ui/format.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import {
  TENANT_ORDERS,
  type TenantOrder,
  type TenantsSearch,
  withoutSheet,
} from './tenants-search.ts'
import { EMPTY } from './texts.ts'

/** The list can sort only by the ids of `TenantOrder`, so each column has one of these ids. */
type Column = GridColumn<ProjectOverview> & { readonly id: TenantOrder }

const tenantColumns = (fleet: Fleet | undefined): readonly Column[] => [
  {
    id: 'slug',
    header: 'Tenant',
    canSort: true,
    min: 168,
    isMono: true,
    render: ({ external_id: id, slug }) => <TenantName slug={slug} externalId={id} />,
  },
  {
    id: 'state',
    header: 'State',
    canSort: true,
    width: 104,
    render: ({ state }) => <ProjectState state={state} />,
  },
  {
    id: 'version',
    header: 'Template',
    canSort: true,
    width: 92,
    render: ({ template_version: version }) => (
      <ClonedVersion version={version} newest={fleet && newestOf(fleet)} />
    ),
  },
  ...(fleet === undefined ? [] : factColumns(fleet)),
  {
    id: 'users',
    leaves: 2,
    header: 'Users',
    canSort: true,
    width: 72,
    align: 'end',
    render: ({ users }) =>
      users === null ? <span className="text-ink-dim">–</span> : formatNumber(users),
  },
  {
    id: 'database',
    leaves: 3,
    header: 'Database',
    canSort: true,
    width: 88,
    align: 'end',
    render: ({ database_bytes: bytes }) =>
      bytes === null ? <span className="text-ink-dim">–</span> : <Bytes bytes={bytes} />,
  },
  {
    id: 'storage',
    leaves: 4,
    header: 'Storage',
    canSort: true,
    width: 88,
    align: 'end',
    render: ({ storage_bytes: bytes }) => <Bytes bytes={bytes} />,
  },
  {
    id: 'active',
    leaves: 1,
    header: 'Last request',
    canSort: true,
    width: 108,
    align: 'end',
    render: ({ last_request_at: at }) => <Timestamp at={at} isPast />,
  },
]

/** The columns with two facts of the fleet about each tenant: its steps and its structure differences. */
function factColumns(fleet: Fleet): readonly Column[] {
  const facts = factsIn(fleet)
  const of = ({ slug, state }: ProjectOverview) =>
    state === 'active' ? facts.get(slug)?.facts : undefined
  return [
    {
      id: 'steps',
      header: 'Steps',
      canSort: true,
      width: stepsWidth(fleet),
      render: (tenant) => {
        const found = of(tenant)
        return found === undefined ? NONE : <StepsChip fact={found.steps} />
      },
    },
    {
      id: 'structure',
      header: 'Structure',
      title: STRUCTURE_TITLE,
      canSort: true,
      width: 152,
      render: (tenant) => {
        const found = of(tenant)
        return found === undefined ? NONE : <DifferencesChip fact={found.differences} isShort />
      },
    },
  ]
}

function factsIn(fleet: Fleet | undefined): ReadonlyMap<string, FleetTenant> {
  return new Map(fleet?.tenants.map((tenant) => [tenant.slug, tenant]))
}

const NONE = <span className="text-ink-dim">–</span>

export function TenantList(props: {
  /** The group's fleet. `undefined` until the fleet is loaded, and for projects without a group. */
  readonly fleet: Fleet | undefined
  readonly overview: PlatformOverview
  readonly group: GroupOverview | undefined
  readonly search: TenantsSearch
  readonly onSearch: (search: TenantsSearch) => void
}): ReactElement {
  const { fleet, overview, group, search, onSearch } = props
  const columns = useMemo(() => tenantColumns(fleet), [fleet])
  const words = (search.q ?? '').toLowerCase()
  const { order, sort } = search
  const shown = useMemo(
    () => inOrder(shownOf(overview, group, words), { sort, order }, valuesOf(fleet)),
    [overview, group, words, sort, order, fleet],
  )
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
        sort={gridSortOf(search)}
        onSort={(column) => onSearch({ ...search, ...orderAfter(search, TENANT_ORDERS, column) })}
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

type Values = Readonly<Record<TenantOrder, (tenant: ProjectOverview) => OrderValue>>

function valuesOf(fleet: Fleet | undefined): Values {
  const facts = factsIn(fleet)
  return {
    slug: ({ slug }) => slug,
    state: ({ state }) => state,
    version: ({ template_version: version }) => version,
    steps: ({ slug }) => facts.get(slug)?.facts.steps.pending ?? null,
    structure: ({ slug }) => facts.get(slug)?.facts.differences.count ?? null,
    users: ({ users }) => users,
    database: ({ database_bytes: bytes }) => bytes,
    storage: ({ storage_bytes: bytes }) => bytes,
    active: ({ last_request_at: at }) => at,
  }
}

function slugOf({ slug }: ProjectOverview): string {
  return slug
}

export function ProjectState({ state }: { readonly state: string }): ReactElement {
  const dot = state === 'active' ? 'well' : state === 'deleted' ? 'off' : 'changing'
  return <StatusDot state={dot} label={state} />
}
