// Shows one tenant, template or project with its facts, sign-in settings, simulated responses, and structure
// differences.
import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { SWITCHES } from '../../../emulator/contract/choices.ts'
import type { Fleet } from '../../../emulator/contract/fleet.ts'
import type { GroupOverview, ProjectOverview } from '../../../emulator/contract/overview.ts'
import type { SwitchName } from '../../../emulator/contract/switches.ts'
import { setSwitches, useSwitches } from '../../api/project-settings.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { Chip } from '../../ui/chip.tsx'
import { useAction } from '../../ui/form-action.ts'
import { Sheet } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AuthSettings } from './auth-settings.tsx'
import { CompareStructure } from './compare-structure.tsx'
import { ProjectActions } from './project-actions.tsx'
import { ProjectFacts } from './project-facts.tsx'
import { type ProjectPart, type TenantsSearch, withoutSheet } from './tenants-search.ts'
import { HINTS } from './texts.ts'

export interface ProjectSheetProps {
  readonly slug: string
  /** The project is absent for a template, because the group contains only the template's slug. */
  readonly project: ProjectOverview | undefined
  readonly group: GroupOverview | undefined
  /** The fleet of the open group; `undefined` until it is loaded. */
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
  { value: 'switches', label: 'Simulated responses' },
  { value: 'structure', label: 'Structure' },
] as const satisfies readonly { readonly value: ProjectPart; readonly label: string }[]

export function ProjectSheet(props: ProjectSheetProps): ReactElement {
  const { slug, project, group, fleet, search, onSearch, onClose } = props
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
          {part === 'switches' && <SwitchList project={slug} />}
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

function SwitchList({ project }: { readonly project: string }): ReactElement {
  const queries = useQueryClient()
  const change = useAction({
    work: (on: readonly SwitchName[]) => setSwitches(project, on),
    onDone: (state) => queries.setQueryData(['settings', project, 'switches'], state),
    failure: 'Could not change the simulated response',
  })
  return (
    <Loaded query={useSwitches(project)} what="simulated responses">
      {({ available, on }) => (
        <>
          <p className="text-ink-dim">{HINTS.simulated}</p>
          <ul aria-label="Simulated responses" className="rounded-2 border bg-surface-0">
            {SWITCHES.map((name) => (
              <li key={name} className="flex items-start gap-3 border-b p-3 last:border-b-0">
                <Switch
                  label={name}
                  isLabelHidden
                  isChecked={on.includes(name)}
                  isDisabled={change.isPending}
                  onChange={(isOn) =>
                    change.mutate(isOn ? [...on, name] : on.filter((one) => one !== name))
                  }
                />
                <div className="min-w-0">
                  <p className={on.includes(name) ? 'font-mono text-fault' : 'font-mono'}>{name}</p>
                  <p className="text-ink-dim">{available[name]}</p>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  )
}
