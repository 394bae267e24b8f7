// Shows one tenant, template or project with its facts, sign-in settings, simulated responses, and structure
// differences.
import type { ReactElement } from 'react'
import type { GroupOverview, ProjectOverview } from '../../../emulator/contract/overview.ts'
import { Chip } from '../../ui/chip.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AuthSettings } from './auth-settings.tsx'
import { CompareStructure } from './compare-structure.tsx'
import { ProjectActions } from './project-actions.tsx'
import { ProjectFacts } from './project-facts.tsx'
import { SwitchList } from './switch-list.tsx'
import { type ProjectPart, type TenantsSearch, withoutSheet } from './tenants-search.ts'

export interface ProjectSheetProps {
  readonly slug: string
  /** The project is absent for a template, because the group contains only the template's slug. */
  readonly project: ProjectOverview | undefined
  readonly group: GroupOverview | undefined
  readonly search: TenantsSearch
  readonly onSearch: (search: TenantsSearch) => void
  readonly onClose: () => void
}

/** States in which a tenant does not answer requests. */
const GONE = ['deleted', 'purging']

const TABS = [
  { value: 'overview', label: 'Overview' },
  { value: 'auth', label: 'Auth settings' },
  { value: 'switches', label: 'Simulated responses' },
  { value: 'structure', label: 'Structure' },
] as const satisfies readonly { readonly value: ProjectPart; readonly label: string }[]

export function ProjectSheet(props: ProjectSheetProps): ReactElement {
  const { slug, project, group, search, onSearch, onClose } = props
  const template = group?.template?.slug
  const kind = project?.kind ?? (template === slug ? 'template' : undefined)
  const isGone = kind === undefined || GONE.includes(project?.state ?? '')
  const part: ProjectPart = isGone ? 'overview' : (search.part ?? 'overview')
  const to = (next: TenantsSearch) => onSearch({ ...withoutSheet(search), project: slug, ...next })
  return (
    <Sheet
      title={
        <span className="flex items-center gap-2">
          <span className="truncate font-mono">{slug}</span>
          {kind === undefined ? undefined : <Chip>{kind}</Chip>}
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
          {part === 'overview' ? (
            <ProjectFacts slug={slug} project={project} group={group} />
          ) : undefined}
          {part === 'auth' ? <AuthSettings project={slug} /> : undefined}
          {part === 'switches' ? <SwitchList project={slug} /> : undefined}
          {part === 'structure' ? (
            <CompareStructure
              project={slug}
              other={search.with ?? (template === slug ? undefined : template)}
              onOther={(other) => to({ part: 'structure', with: other })}
            />
          ) : undefined}
        </div>
      </Tabs>
    </Sheet>
  )
}
