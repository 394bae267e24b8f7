// Removes or purges a tenant, or replaces its keys. Each action asks for confirmation. The user must type the slug to
// purge a tenant.
import { Ellipsis, KeyRound, PowerOff, Trash2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { ProjectOverview } from '../../../emulator/contract/overview.ts'
import { call } from '../../api/client.ts'
import { purgeTenant, removeTenant } from '../../api/groups.ts'
import { regenerateKeys } from '../../api/tokens.ts'
import { IconButton } from '../../ui/button.tsx'
import { type Action, useAction } from '../../ui/form-action.ts'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { CONFIRM, purgedText } from './texts.ts'

export interface ProjectActionsProps {
  readonly project: ProjectOverview
  readonly groupId: string
  /** The dialog calls this after it removed the tenant, because the sheet can no longer show the tenant. */
  readonly onGone: () => void
}

const ACTIONS = {
  regenerate: { action: 'Regenerate keys', title: 'Regenerate the keys of', Icon: KeyRound },
  remove: { action: 'Remove tenant', title: 'Remove', Icon: PowerOff },
  purge: { action: 'Purge tenant', title: 'Purge', Icon: Trash2 },
} as const
type ActionName = keyof typeof ACTIONS

export function ProjectActions({ project, groupId, onGone }: ProjectActionsProps): ReactElement {
  const [asked, setAsked] = useState<ActionName>()
  const close = () => setAsked(undefined)
  const { slug } = project
  const actions = useTenantActions(project, groupId, onGone)
  const item = (name: ActionName) => {
    const { action, Icon } = ACTIONS[name]
    return {
      label: `${action}…`,
      icon: <Icon />,
      tone: name === 'regenerate' ? 'plain' : 'danger',
      onSelect: () => setAsked(name),
    } as const
  }
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton label="Tenant actions" icon={<Ellipsis />} />}
        items={[
          ...(project.state === 'active'
            ? [item('regenerate'), 'line' as const, item('remove')]
            : []),
          item('purge'),
        ]}
      />
      {(['regenerate', 'remove', 'purge'] as const).map((name) => (
        <ConfirmDialog
          key={name}
          isOpen={asked === name}
          title={`${ACTIONS[name].title} ${slug}`}
          action={ACTIONS[name].action}
          {...(name === 'purge' ? { typed: slug } : {})}
          isBusy={actions[name].isPending}
          onConfirm={() => actions[name].mutate(undefined, { onSettled: close })}
          onClose={close}
        >
          {CONFIRM[name]}
        </ConfirmDialog>
      ))}
    </>
  )
}

function useTenantActions(
  { slug, id }: ProjectOverview,
  groupId: string,
  onGone: () => void,
): Readonly<Record<ActionName, Action>> {
  const stale = [['fleet'], ['overview'], ['info']]
  const regenerate = useAction<void, unknown>({
    work: async () => {
      const info = await call('GET /info')
      return regenerateKeys(info.platform.session_token, id)
    },
    stale,
    done: () => ({ title: `Keys of ${slug} regenerated` }),
    failure: 'Could not regenerate the keys',
  })
  const remove = useAction<void, unknown>({
    work: () => removeTenant(groupId, slug),
    stale,
    done: () => ({
      title: `${slug} removed`,
      detail: 'The tenant’s data is kept until you purge the tenant.',
    }),
    onDone: onGone,
    failure: `Could not remove ${slug}`,
  })
  const purge = useAction({
    work: () => purgeTenant(groupId, slug),
    stale,
    done: ({ isPending, buckets, objects }) =>
      isPending
        ? { title: `Purging ${slug}`, detail: 'Access has ended. Deletion continues.' }
        : { title: `${slug} purged`, detail: purgedText(buckets, objects) },
    onDone: onGone,
    failure: `Could not purge ${slug}`,
  }) as Action
  return { regenerate, remove, purge }
}
