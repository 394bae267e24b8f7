// One user: profile, sessions, latest codes, and the actions on the user.
import type { ReactElement } from 'react'
import { useState } from 'react'
import type { ProjectUserDetail } from '../../../emulator/contract/users.ts'
import { useUser } from '../../api/users.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { SignInAs } from './sign-in-as.tsx'
import { DELETE_USER } from './texts.ts'
import { useUserActions } from './user-actions.ts'
import { addressOf } from './user-facts.ts'
import { UserMenu } from './user-menu.tsx'
import { UserMessages } from './user-messages.tsx'
import { UserProfile } from './user-profile.tsx'
import { UserSessions } from './user-sessions.tsx'
import type { UserPart } from './users-search.ts'

export interface UserSheetProps {
  readonly tenant: string
  readonly id: string
  readonly part: UserPart
  readonly onPart: (part: UserPart) => void
  readonly onClose: () => void
}

export function UserSheet({ tenant, id, part, onPart, onClose }: UserSheetProps): ReactElement {
  const query = useUser(tenant, id)
  const actions = useUserActions(tenant, query.data?.id ?? id, onClose)
  const [isDeleting, setDeleting] = useState(false)
  const name = query.data === undefined ? id : addressOf(query.data)
  return (
    <Sheet
      name="user"
      label="User"
      width={520}
      isBare
      onClose={onClose}
      title={<span className="font-mono">{name}</span>}
      actions={
        query.data === undefined ? undefined : (
          <UserMenu user={query.data} actions={actions} onDelete={() => setDeleting(true)} />
        )
      }
    >
      <Loaded query={query} what="the user">
        {(user) => (
          <>
            <SignInAs tenant={tenant} user={user} signIn={actions.signIn} />
            <Tabs label="User" value={part} tabs={tabsOf(user)} onChange={onPart}>
              <div className="flex flex-col gap-6 p-4">
                {part === 'profile' ? <UserProfile user={user} /> : undefined}
                {part === 'sessions' ? <UserSessions user={user} end={actions.end} /> : undefined}
                {part === 'messages' ? <UserMessages tenant={tenant} user={user} /> : undefined}
              </div>
            </Tabs>
          </>
        )}
      </Loaded>
      <ConfirmDialog
        isOpen={isDeleting}
        title="Delete user"
        typed={name}
        action="Delete user"
        isBusy={actions.remove.isPending}
        onConfirm={() => actions.remove.mutate()}
        onClose={() => setDeleting(false)}
      >
        {DELETE_USER}
      </ConfirmDialog>
    </Sheet>
  )
}

function tabsOf({ sessions }: ProjectUserDetail) {
  const active = sessions.filter(({ revoked_at: at }) => at === null).length
  return [
    { value: 'profile', label: 'Profile' },
    {
      value: 'sessions',
      label: 'Sessions',
      beside: active === 0 ? undefined : <span className="text-small">{active}</span>,
    },
    { value: 'messages', label: 'Codes and links' },
  ] as const
}
