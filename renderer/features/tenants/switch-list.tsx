// Situations of the hosted platform that cannot arise here by themselves: switched on, the platform answers as if.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { setSwitches, useSwitches } from '../../api/project-settings.ts'
import { Switch } from '../../ui/checkbox.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { showToast } from '../../ui/toast.tsx'

export function SwitchList({ project }: { readonly project: string }): ReactElement {
  const queries = useQueryClient()
  const { data, error, refetch } = useSwitches(project)
  const change = useMutation({
    mutationFn: (on: readonly string[]) => setSwitches(project, on),
    onSuccess: (state) => queries.setQueryData(['settings', project, 'switches'], state),
    onError: ({ message }) =>
      showToast({ title: 'It was not switched', detail: message, tone: 'refused' }),
  })
  if (data === undefined)
    return error === null ? (
      <Loading label="Loading situations" />
    ) : (
      <Failed title="The situations could not be read" error={error} retry={() => void refetch()} />
    )
  return (
    <>
      <p className="text-ink-dim">
        Simulate responses of the hosted platform that don’t occur locally.
      </p>
      <ul aria-label="Situations" className="rounded-2 border bg-surface-0">
        {Object.entries(data.available).map(([name, answer]) => {
          const isOn = data.on.includes(name)
          return (
            <li key={name} className="flex items-start gap-3 border-b p-3 last:border-b-0">
              <Switch
                label={name}
                isLabelHidden
                isChecked={isOn}
                isDisabled={change.isPending}
                onChange={(next) =>
                  change.mutate(next ? [...data.on, name] : data.on.filter((one) => one !== name))
                }
              />
              <div className="min-w-0">
                <p className={isOn ? 'font-mono text-fault' : 'font-mono'}>{name}</p>
                <p className="text-ink-dim">{answer}</p>
              </div>
            </li>
          )
        })}
      </ul>
    </>
  )
}
