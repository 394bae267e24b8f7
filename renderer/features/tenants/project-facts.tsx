// What a project is, how much it takes, its keys, and the ways to its other screens.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { GroupOverview, ProjectOverview } from '../../../emulator/contract/overview.ts'
import { useInfo } from '../../api/info.ts'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Meter } from '../../ui/meter.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Secret } from '../../ui/secret.tsx'
import { Section } from '../../ui/sheet.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { ProjectState, Version } from './tenant-columns.tsx'

export interface ProjectFactsProps {
  readonly slug: string
  readonly project: ProjectOverview | undefined
  readonly group: GroupOverview | undefined
}

export function ProjectFacts({ slug, project, group }: ProjectFactsProps): ReactElement {
  const isTemplate = group?.template?.slug === slug
  return (
    <>
      {project === undefined ? (
        <p className="text-ink-dim">
          {isTemplate && group?.template
            ? `The template of ${group.name}: new tenants are made from it. It is on version ${group.template.version} and on the ${group.plan_tier} plan.`
            : 'It is not listed any more: removed, purged, or never there.'}
        </p>
      ) : (
        <>
          <Facts project={project} />
          <div className="grid grid-cols-2 gap-6">
            <Meter
              label="Database"
              value={project.database_bytes ?? 0}
              limit={null}
              format={formatBytes}
            />
            <Meter
              label="Storage"
              value={project.storage_bytes}
              limit={project.storage_limit_bytes}
              format={formatBytes}
            />
          </div>
          <Keys slug={slug} />
        </>
      )}
      {project === undefined && !isTemplate ? undefined : project === undefined ||
        project.state === 'active' ? (
        <Section title="Go to">
          <Ways slug={slug} />
        </Section>
      ) : (
        <p className="text-ink-dim">
          It is offline: no credential opens it any more. Its schema, users and files are kept until
          it is purged.
        </p>
      )}
    </>
  )
}

function Facts({ project }: { readonly project: ProjectOverview }): ReactElement {
  return (
    <KeyValueList
      items={[
        ['State', <ProjectState key="state" state={project.state} />],
        ['Id', <MiddleTruncate key="id" text={project.id} copyLabel="Copy the id" />],
        [
          'Schema',
          <MiddleTruncate key="schema" text={project.schema_name} copyLabel="Copy the schema" />,
        ],
        [
          'External id',
          project.external_id === null ? undefined : <code key="ext">{project.external_id}</code>,
        ],
        ['Template', <Version key="version" tenant={project} />],
        ['Keys', `generation ${formatNumber(project.key_version)}`],
        ['Users', formatNumber(project.users)],
        ['Created', <Timestamp key="created" at={project.created_at} format="exact" />],
        ['Last request', <Timestamp key="last" at={project.last_request_at} />],
      ]}
    />
  )
}

function Keys({ slug }: { readonly slug: string }): ReactElement | undefined {
  const { data: info } = useInfo()
  const tenant = info?.groups.flatMap(({ tenants }) => tenants).find((one) => one.slug === slug)
  if (tenant === undefined) return undefined
  const keys = [
    ['anon key', tenant.anon_key],
    ['service_role key', tenant.service_role_key],
    ['management key', tenant.management_key],
  ] as const
  return (
    <Section title="Keys">
      <KeyValueList
        items={keys.map(([name, value]) => [
          name,
          <Secret key={name} value={value} label={name} />,
        ])}
      />
    </Section>
  )
}

const SCREENS = [
  ['/t/$tenant/tables', 'Tables'],
  ['/t/$tenant/users', 'Users'],
  ['/t/$tenant/storage', 'Storage'],
  ['/t/$tenant/policies', 'Policies'],
  ['/t/$tenant/realtime', 'Realtime'],
] as const

function Ways({ slug }: { readonly slug: string }): ReactElement {
  return (
    <nav aria-label="Screens of this project" className="flex flex-wrap gap-4">
      {SCREENS.map(([to, label]) => (
        <Link key={to} to={to} params={{ tenant: slug }} className="text-accent hover:underline">
          {label}
        </Link>
      ))}
    </nav>
  )
}
