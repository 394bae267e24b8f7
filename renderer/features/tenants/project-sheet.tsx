// Shows one tenant, template or project with its facts, sign-in settings and structure differences.
import { Navigate } from '@tanstack/react-router'
import { type ReactElement, useEffect } from 'react'
import type { Fleet } from '../../../emulator/contract/fleet.ts'
import type { GroupOverview, ProjectOverview } from '../../../emulator/contract/overview.ts'
import { rememberTenant } from '../../parts/current-tenant.ts'
import { Chip } from '../../ui/chip.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AuthSettings } from './auth-settings.tsx'
import { CompareStructure } from './compare-structure.tsx'
import { ProjectActions } from './project-actions.tsx'
import { ProjectFacts } from './project-facts.tsx'
import { type ProjectPart, type TenantsSearch, withoutSheet } from './tenants-search.ts'

export interface ProjectSheetProps {
  readonly slug: string
  /** The project is absent for a template, because the group contains only the template's slug. */
  readonly project: ProjectOverview | undefined
  readonly group: GroupOverview | undefined
  /** The fleet of the open group; `undefined` until the fleet is loaded. */
  readonly fleet: Fleet | undefined
  readonly search: TenantsSearch
  readonly onSearch: (search: TenantsSearch) => void
  readonly onClose: () => void
}

/** States in which a tenant does not answer requests. */
const GONE = ['deleted', 'purging']

const TABS = [
  { value: 'overview', label: 'Overview' },
  { value: 'auth', label: 'Auth settings' },
  { value: 'structure', label: 'Structure' },
] as const satisfies readonly {
  readonly value: Exclude<ProjectPart, 'switches'>
  readonly label: string
}[]

export function ProjectSheet(props: ProjectSheetProps): ReactElement {
  const { slug, project, group, fleet, search, onSearch, onClose } = props
  const template = group?.template?.slug
  const kind = project?.kind ?? (template === slug ? 'template' : undefined)
  const isGone = kind === undefined || GONE.includes(project?.state ?? '')
  const part = isGone ? 'overview' : (search.part ?? 'overview')
  const to = (next: TenantsSearch) => onSearch({ ...withoutSheet(search), project: slug, ...next })
  if (part === 'switches') return <SimulatedResponses project={slug} />
  return (
    <Sheet
      title={
        <span className="flex items-center gap-2">
          <span className="truncate font-mono">{slug}</span>
          {kind !== undefined && <Chip>{kind}</Chip>}
        </span>
      }
      label="Project"
      name="project"
      width={560}
      isBare
      onClose={onClose}
      actions={
        project === undefined || group === undefined || project.kind !== 'tenant' ? undefined : (
          <ProjectActions project={project} groupId={group.id} onGone={onClose} />
        )
      }
    >
      <Tabs
        label="Project"
        value={part}
        tabs={isGone ? TABS.slice(0, 1) : TABS}
        onChange={(next) => to({ part: next === 'overview' ? undefined : next })}
      >
        <div className="flex flex-col gap-6 p-4">
          {part === 'overview' && (
            <ProjectFacts slug={slug} project={project} group={group} fleet={fleet} />
          )}
          {part === 'auth' && <AuthSettings project={slug} />}
          {part === 'structure' && (
            <CompareStructure
              project={slug}
              other={search.with ?? (template === slug ? undefined : template)}
              onOther={(other) => to({ part: 'structure', with: other })}
            />
          )}
        </div>
      </Tabs>
    </Sheet>
  )
}

/** Redirects old links to the screen Faults, which now has the simulated responses. */
function SimulatedResponses({ project }: { readonly project: string }): ReactElement {
  useEffect(() => rememberTenant(project), [project])
  return <Navigate to="/faults" search={{ view: 'simulated' }} replace />
}
