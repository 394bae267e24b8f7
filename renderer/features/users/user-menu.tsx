// The actions on a user: ban, lift the ban, end all sessions, delete.
import { Ban, Ellipsis, LogOut, Trash2, Undo2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ProjectUserDetail } from '../../../emulator/contract/users.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useNow, usePlatformTime } from '../../ui/platform-time.ts'
import type { UserActions } from './user-actions.ts'
import { isBanned } from './user-facts.ts'

/** In hours. */
const DAY = 24
/** In hours. A permanent ban ends after 100 years. */
const CENTURY = 100 * 365 * DAY

export function UserMenu({
  user,
  actions: { ban, end },
  onDelete,
}: {
  readonly user: ProjectUserDetail
  readonly actions: UserActions
  readonly onDelete: () => void
}): ReactElement {
  const { parse } = usePlatformTime()
  const icon = <Ban aria-hidden="true" />
  const bans = isBanned(user, useNow(), parse)
    ? [
        {
          label: 'Lift ban',
          icon: <Undo2 aria-hidden="true" />,
          onSelect: () => ban.mutate(null),
        },
      ]
    : [
        { label: 'Ban for 1 hour', icon, onSelect: () => ban.mutate(1) },
        { label: 'Ban for 1 day', icon, onSelect: () => ban.mutate(DAY) },
        { label: 'Ban permanently', icon, onSelect: () => ban.mutate(CENTURY) },
      ]
  return (
    <Menu
      align="end"
      trigger={<IconButton label="User actions" icon={<Ellipsis aria-hidden="true" />} />}
      items={[
        ...bans,
        'line',
        {
          label: 'End all sessions',
          icon: <LogOut aria-hidden="true" />,
          isDisabled: !user.sessions.some(({ revoked_at: at }) => at === null),
          onSelect: () => end.mutate(undefined),
        },
        'line',
        {
          label: 'Delete user…',
          icon: <Trash2 aria-hidden="true" />,
          tone: 'danger',
          onSelect: onDelete,
        },
      ]}
    />
  )
}
