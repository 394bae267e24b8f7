// How a project's users may sign in, and which channels fail. Each change holds at once; what is a project's own can be given
// back to its template.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import type { AuthSettingsChange } from '../../../emulator/contract/auth-settings.ts'
import { changeAuthSettings, useAuthSettings } from '../../api/project-settings.ts'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { showToast } from '../../ui/toast.tsx'
import { AuthSettingsList } from './auth-settings-list.tsx'

export function AuthSettingsForm({ project }: { readonly project: string }): ReactElement {
  const queries = useQueryClient()
  const { data, error, refetch } = useAuthSettings(project)
  const change = useMutation({
    mutationFn: (settings: AuthSettingsChange) => changeAuthSettings(project, settings),
    onSuccess: (state) => queries.setQueryData(['settings', project, 'auth'], state),
    onError: ({ message }) =>
      showToast({ title: 'It was not changed', detail: message, tone: 'refused' }),
  })
  if (data === undefined)
    return error === null ? (
      <Loading label="Loading auth settings" />
    ) : (
      <Failed title="The settings could not be read" error={error} retry={() => void refetch()} />
    )
  return <AuthSettingsList state={data} onChange={(settings) => change.mutate(settings)} />
}
