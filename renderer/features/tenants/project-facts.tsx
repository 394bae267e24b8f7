// Shows the facts of a project, its size, its keys, and links to its screens.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Fleet } from '../../../emulator/contract/fleet.ts'
import type { GroupOverview, ProjectOverview } from '../../../emulator/contract/overview.ts'
import { isTenantScreen, SCREENS } from '../../../emulator/contract/screens.ts'
import { useInfo } from '../../api/info.ts'
import { ClonedVersion, DifferencesChip, newestOf, StepsChip } from '../../parts/project-facts.tsx'
import { Breakable } from '../../ui/breakable.tsx'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Meter } from '../../ui/meter.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Secret } from '../../ui/secret.tsx'
import { Section } from '../../ui/sheet.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { ProjectState } from './tenant-list.tsx'
import { generationText, HINTS, templateText } from './texts.ts'

export function ProjectFacts(props: {
  readonly slug: string
  readonly project: ProjectOverview | undefined
  readonly group: GroupOverview | undefined
  readonly fleet: Fleet | undefined
}): ReactElement {
  const { slug, project, group, fleet } = props
  const template = group?.template?.slug === slug ? group.template : undefined
  if (project === undefined)
    return template === undefined || group === undefined ? (
      <p className="text-ink-dim">{HINTS.unknownProject}</p>
    ) : (
      <>
        <p className="text-ink-dim">
          {templateText(group.name, template.version, group.plan_tier)}
        </p>
        <ScreenLinks slug={slug} />
      </>
    )
  return (
    <>
      <Facts project={project} fleet={fleet} />
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
      {project.state === 'active' ? (
        <ScreenLinks slug={slug} />
      ) : (
        <p className="text-ink-dim">{HINTS.offline}</p>
      )}
    </>
  )
}

function Facts(props: {
  readonly project: ProjectOverview
  readonly fleet: Fleet | undefined
}): ReactElement {
  const { fleet, project } = props
  const facts =
    project.state === 'active'
      ? fleet?.tenants.find(({ slug }) => slug === project.slug)?.facts
      : undefined
  return (
    <KeyValueList
      items={[
        ['State', <ProjectState key="state" state={project.state} />],
        ['ID', <MiddleTruncate key="id" text={project.id} copyLabel="Copy ID" />],
        [
          'Schema',
          <MiddleTruncate key="schema" text={project.schema_name} copyLabel="Copy schema" />,
        ],
        [
          'External ID',
          project.external_id === null ? undefined : (
            <code key="external">
              <Breakable text={project.external_id} />
            </code>
          ),
        ],
        [
          'Template',
          <ClonedVersion
            key="version"
            version={project.template_version}
            newest={fleet && newestOf(fleet)}
          />,
        ],
        ['Steps', facts && <StepsChip key="steps" fact={facts.steps} />],
        ['Structure', facts && <DifferencesChip key="structure" fact={facts.differences} />],
        ['Keys', generationText(project.key_version)],
        ['Users', project.users === null ? 'not read yet' : formatNumber(project.users)],
        ['Created', <Timestamp key="created" at={project.created_at} format="exact" />],
        ['Last request', <Timestamp key="last" at={project.last_request_at} isPast />],
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

function ScreenLinks({ slug }: { readonly slug: string }): ReactElement {
  return (
    <Section title="Screens">
      <nav aria-label="Pages of this project" className="flex flex-wrap gap-4">
        {SCREENS.filter(isTenantScreen).map(({ path, label }) => (
          <Link
            key={path}
            to={path}
            params={{ tenant: slug }}
            className="text-accent hover:underline"
          >
            {label}
          </Link>
        ))}
      </nav>
    </Section>
  )
}
