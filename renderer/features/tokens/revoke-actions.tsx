// Revokes a credential over public routes. Replaces the project's keys, or ends the user's sessions.
import { type ReactElement, useState } from 'react'
import type { TokenExplanation } from '../../../emulator/contract/tokens.ts'
import { useInfo, useProjects } from '../../api/info.ts'
import { regenerateKeys, signOutEverywhere } from '../../api/tokens.ts'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/form-action.ts'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { Section } from '../../ui/sheet.tsx'
import { keysEffectText, REVOKE } from './texts.ts'

const STALE = [['tokens'], ['info']]

const SIGNED_WITH_PROJECT_KEYS: readonly TokenExplanation['kind'][] = [
  'anon_key',
  'service_role_key',
  'data_plane_token',
  'storage_token',
  'realtime_token',
]

export function RevokeActions(props: {
  readonly token: string
  readonly explanation: TokenExplanation
}): ReactElement | undefined {
  const { kind, project, holds } = props.explanation
  if (project === null || !holds) return undefined
  const action =
    kind === 'session_token' ? (
      <SignOut token={props.token} slug={project.slug} />
    ) : SIGNED_WITH_PROJECT_KEYS.includes(kind) ? (
      <RegenerateKeys slug={project.slug} />
    ) : undefined
  return action === undefined ? undefined : <Section title="Revocation">{action}</Section>
}

function RegenerateKeys({ slug }: { readonly slug: string }): ReactElement {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const { data: info } = useInfo()
  const { data: projects } = useProjects()
  const projectId = projects?.find((project) => project.slug === slug)?.projectId
  const regenerate = useAction({
    work: () =>
      info === undefined || projectId === undefined
        ? Promise.reject(new Error(`The ID of ${slug} is still loading. Try again.`))
        : regenerateKeys(info.platform.session_token, projectId),
    stale: STALE,
    done: () => ({ title: `Keys of ${slug} regenerated` }),
    onDone: close,
    failure: 'Could not regenerate the keys',
  })
  return (
    <>
      <div className="flex items-center gap-3">
        <Button tone="danger" onClick={() => setAsking(true)}>
          Regenerate keys…
        </Button>
        <p className="text-ink-dim">{keysEffectText(slug)}</p>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title={`Regenerate the keys of ${slug}`}
        typed={slug}
        action="Regenerate keys"
        isBusy={regenerate.isPending}
        onConfirm={() => regenerate.mutate()}
        onClose={close}
      >
        {REVOKE.keys}
      </ConfirmDialog>
    </>
  )
}

function SignOut({ token, slug }: { readonly token: string; readonly slug: string }): ReactElement {
  const { data: info } = useInfo()
  const signOut = useAction({
    work: () => signOutEverywhere(info?.auth_url ?? '', slug, token),
    stale: STALE,
    done: () => ({ title: 'All sessions of this user ended' }),
    failure: 'Could not end the sessions',
  })
  return (
    <div className="flex items-center gap-3">
      <Button
        tone="danger"
        disabled={info === undefined}
        isBusy={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        End all sessions
      </Button>
      <p className="text-ink-dim">{REVOKE.signOut}</p>
    </div>
  )
}
