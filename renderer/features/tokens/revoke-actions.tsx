// Taking a credential back: new keys for its project, or the end of its user's sessions. Both through public routes.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import type { TokenExplanation } from '../../../emulator/contract/tokens.ts'
import { useInfo, useProjects } from '../../api/info.ts'
import { regenerateKeys, signOutEverywhere } from '../../api/tokens.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmTyped } from '../../ui/confirm-typed.tsx'
import { Section } from '../../ui/sheet.tsx'
import { showToast } from '../../ui/toast.tsx'

export interface RevokeActionsProps {
  readonly token: string
  readonly explanation: TokenExplanation
}

const OF_KEYS: readonly TokenExplanation['kind'][] = [
  'anon_key',
  'service_role_key',
  'data_plane_token',
  'storage_token',
  'realtime_token',
]

export function RevokeActions({
  token,
  explanation,
}: RevokeActionsProps): ReactElement | undefined {
  const { kind, project, holds } = explanation
  if (project === null || !holds) return undefined
  if (kind === 'session_token')
    return (
      <Section title="Take it back">
        <SignOut token={token} slug={project.slug} />
      </Section>
    )
  if (!OF_KEYS.includes(kind)) return undefined
  return (
    <Section title="Take it back">
      <RegenerateKeys slug={project.slug} />
    </Section>
  )
}

function RegenerateKeys({ slug }: { readonly slug: string }): ReactElement {
  const [isAsking, setAsking] = useState(false)
  const { data: info } = useInfo()
  const { data: projects } = useProjects()
  const projectId = projects?.find((project) => project.slug === slug)?.projectId
  const renew = useRenewal(
    () =>
      info === undefined || projectId === undefined
        ? Promise.reject(new Error(`The id of ${slug} is not known yet.`))
        : regenerateKeys(info.platform.session_token, projectId),
    `${slug} has new keys`,
    () => setAsking(false),
  )
  return (
    <>
      <div className="flex items-center gap-3">
        <Button tone="danger" onClick={() => setAsking(true)}>
          Regenerate the project’s keys
        </Button>
        <p className="text-ink-dim">Every key and token of {slug} is refused from then on.</p>
      </div>
      <ConfirmTyped
        isOpen={isAsking}
        title={`Regenerate the keys of ${slug}`}
        name={slug}
        action="Regenerate"
        isBusy={renew.isPending}
        onConfirm={() => renew.mutate()}
        onClose={() => setAsking(false)}
      >
        Applications that hold the old keys stop working until they are given the new ones.
      </ConfirmTyped>
    </>
  )
}

function SignOut({ token, slug }: { readonly token: string; readonly slug: string }): ReactElement {
  const { data: info } = useInfo()
  const end = useRenewal(
    () => signOutEverywhere(info?.auth_url ?? '', slug, token),
    'Every session of this user has ended',
  )
  return (
    <div className="flex items-center gap-3">
      <Button
        tone="danger"
        disabled={info === undefined}
        isBusy={end.isPending}
        onClick={() => end.mutate()}
      >
        Sign out everywhere
      </Button>
      <p className="text-ink-dim">A data plane token already issued lives out its hour.</p>
    </div>
  )
}

function useRenewal(work: () => Promise<unknown>, done: string, onDone?: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: work,
    onSuccess: () => {
      onDone?.()
      showToast({ title: done, tone: 'allowed' })
      void queries.invalidateQueries({ queryKey: ['tokens'] })
      void queries.invalidateQueries({ queryKey: ['info'] })
    },
    onError: (error) =>
      showToast({ title: 'It was not taken back', detail: error.message, tone: 'refused' }),
  })
}
