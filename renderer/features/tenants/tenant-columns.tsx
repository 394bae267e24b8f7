// The columns of the list of tenants, or of projects without a group.
import type { ReactElement } from 'react'
import type { ProjectOverview } from '../../../emulator/contract/overview.ts'
import { Chip } from '../../ui/chip.tsx'
import type { GridColumn } from '../../ui/data-grid.tsx'
import { formatNumber } from '../../ui/format.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'

export const TENANT_COLUMNS: readonly GridColumn<ProjectOverview>[] = [
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
    header: 'External id',
    width: 150,
    isMono: true,
    render: ({ external_id: id }) =>
      id === null ? <span className="text-ink-dim">–</span> : <span title={id}>{id}</span>,
  },
  {
    id: 'version',
    header: 'Template',
    width: 120,
    render: (tenant) => <Version tenant={tenant} />,
  },
  {
    id: 'users',
    header: 'Users',
    width: 72,
    align: 'end',
    render: ({ users }) => formatNumber(users),
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

export function ProjectState({ state }: { readonly state: string }): ReactElement {
  const dot = state === 'active' ? 'well' : state === 'deleted' ? 'off' : 'changing'
  return <StatusDot state={dot} label={state} />
}

/** The version it was cloned from, and whether the template has moved on since. */
export function Version({ tenant }: { readonly tenant: ProjectOverview }): ReactElement {
  if (tenant.template_version === null) return <span className="text-ink-dim">–</span>
  return (
    <span className="flex items-center gap-2">
      <span className="font-mono">v{tenant.template_version}</span>
      {tenant.is_current === false ? (
        <Chip tone="clock" title="The template has a newer version than this tenant was made from">
          behind
        </Chip>
      ) : undefined}
    </span>
  )
}
