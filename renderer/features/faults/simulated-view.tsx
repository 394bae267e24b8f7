// Simulated responses of the current tenant: rare answers of the platform that an application must handle.
import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { SWITCHES, TEMPLATE_SWITCHES } from '../../../emulator/contract/choices.ts'
import type { SwitchName } from '../../../emulator/contract/switches.ts'
import { useInfo } from '../../api/info.ts'
import { setSwitches, useSwitches } from '../../api/project-settings.ts'
import { useCurrentTenant } from '../../parts/current-tenant.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useAction } from '../../ui/form-action.ts'

export function SimulatedView(): ReactElement {
  const tenant = useCurrentTenant()
  return tenant === undefined ? (
    <EmptyState title="No tenant yet" detail="Provision a tenant under Groups and tenants." />
  ) : (
    <div className="flex max-w-[760px] flex-col gap-4 overflow-auto p-4">
      <p className="text-ink-dim">{SIMULATED_HINT}</p>
      <Lists key={tenant} tenant={tenant} />
    </div>
  )
}

const SIMULATED_HINT = 'Simulate responses of the hosted platform that don’t occur locally.'

function Lists({ tenant }: { readonly tenant: string }): ReactElement {
  return (
    <Loaded query={useInfo()} what="the groups">
      {({ groups }) => {
        const group = groups.find(({ tenants }) => tenants.some(({ slug }) => slug === tenant))
        const template = group?.template_project_id.replace(/^proj_/, '')
        if (template === undefined)
          return <SwitchList project={tenant} names={SWITCHES} of="the project at the top" />
        return (
          <>
            <SwitchList
              project={tenant}
              names={SWITCHES.filter((name) => !TEMPLATE_SWITCHES.has(name))}
              of="the tenant at the top"
            />
            <SwitchList
              project={template}
              names={SWITCHES.filter((name) => TEMPLATE_SWITCHES.has(name))}
              of="the newest version of the group’s template, which new tenants are cloned from"
            />
          </>
        )
      }}
    </Loaded>
  )
}

interface SwitchListProps {
  readonly project: string
  readonly names: readonly SwitchName[]
  /** What the project is. */
  readonly of: string
}

function SwitchList({ names, of, project }: SwitchListProps): ReactElement {
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
          <p className="text-ink-dim">
            For <code className="text-ink">{project}</code>, {of}
          </p>
          <ul
            aria-label={`Simulated responses of ${project}`}
            className="rounded-2 border bg-surface-0"
          >
            {names.map((name) => (
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
