// What ends or renews a tenant; each asks first, and purging wants its slug typed.
import { Ellipsis, KeyRound, PowerOff, Trash2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { ProjectOverview } from '../../../emulator/contract/overview.ts'
import { IconButton } from '../../ui/button.tsx'
import { ConfirmTyped } from '../../ui/confirm-typed.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { AskForm } from './group-dialogs.tsx'
import { useTenantActions } from './use-group-actions.ts'

export interface ProjectActionsProps {
  readonly project: ProjectOverview
  readonly groupId: string
  readonly onGone: () => void
}

export function ProjectActions({ project, groupId, onGone }: ProjectActionsProps): ReactElement {
  const [asked, setAsked] = useState<'regenerate' | 'remove' | 'purge'>()
  const close = () => setAsked(undefined)
  const { remove, purge, regenerate } = useTenantActions(groupId, onGone)
  const { slug, id } = project
  const standing = [
    {
      label: 'Regenerate keys…',
      icon: <KeyRound aria-hidden="true" />,
      onSelect: () => setAsked('regenerate'),
    },
    'line',
    {
      label: 'Remove…',
      icon: <PowerOff aria-hidden="true" />,
      tone: 'danger',
      onSelect: () => setAsked('remove'),
    },
  ] as const
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton label="Actions" icon={<Ellipsis aria-hidden="true" />} />}
        items={[
          ...(project.state === 'active' ? standing : []),
          {
            label: 'Purge…',
            icon: <Trash2 aria-hidden="true" />,
            tone: 'danger',
            onSelect: () => setAsked('purge'),
          },
        ]}
      />
      <Dialog
        title={`Regenerate the keys of ${slug}`}
        isOpen={asked === 'regenerate'}
        onClose={close}
      >
        <AskForm
          action="Regenerate"
          tone="danger"
          isBusy={regenerate.isPending}
          onClose={close}
          onConfirm={() => regenerate.mutate(id, { onSettled: close })}
        >
          The anon and service_role keys change. Every token made with the old ones, users’ sessions
          among them, is refused from then on.
        </AskForm>
      </Dialog>
      <Dialog title={`Remove ${slug}`} isOpen={asked === 'remove'} onClose={close}>
        <AskForm
          action="Remove"
          tone="danger"
          isBusy={remove.isPending}
          onClose={close}
          onConfirm={() => remove.mutate(slug, { onSettled: close })}
        >
          The tenant goes offline at once. Its data is kept until it is purged.
        </AskForm>
      </Dialog>
      <ConfirmTyped
        isOpen={asked === 'purge'}
        title={`Purge ${slug}`}
        name={slug}
        action="Purge"
        isBusy={purge.isPending}
        onConfirm={() => purge.mutate(slug, { onSettled: close })}
        onClose={close}
      >
        Schema, users, files and keys are erased for good.
      </ConfirmTyped>
    </>
  )
}
