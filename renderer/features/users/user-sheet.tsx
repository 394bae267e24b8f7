// One user in full: who it is, its sessions, its last codes, and what can be done with it.
import type { ReactElement } from 'react'
import { useState } from 'react'
import type { ProjectUserDetail } from '../../../emulator/contract/users.ts'
import { useUser } from '../../api/users.ts'
import { ConfirmTyped } from '../../ui/confirm-typed.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { SignInAs } from './sign-in-as.tsx'
import { useUserActions } from './use-user-actions.ts'
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
  const { data: user, error, refetch } = useUser(tenant, id)
  const actions = useUserActions(tenant, user?.id ?? id, onClose)
  const [isDeleting, setDeleting] = useState(false)
  return (
    <Sheet
      name="user"
      label="User"
      width={520}
      isBare
      onClose={onClose}
      title={<span className="font-mono">{user === undefined ? id : addressOf(user)}</span>}
      actions={
        user === undefined ? undefined : (
          <UserMenu user={user} actions={actions} onDelete={() => setDeleting(true)} />
        )
      }
    >
      {user === undefined ? (
        error === null ? (
          <Loading label="Loading the user" />
        ) : (
          <Failed title="The user could not be read" error={error} retry={() => void refetch()} />
        )
      ) : (
        <>
          <SignInAs tenant={tenant} user={user} signIn={actions.signIn} />
          <Tabs label="User" value={part} tabs={tabsOf(user)} onChange={onPart}>
            <div className="flex flex-col gap-6 p-4">
              {part === 'profile' ? <UserProfile user={user} /> : undefined}
              {part === 'sessions' ? <UserSessions user={user} end={actions.end} /> : undefined}
              {part === 'messages' ? <UserMessages tenant={tenant} user={user} /> : undefined}
            </div>
          </Tabs>
          <ConfirmTyped
            isOpen={isDeleting}
            title="Delete this user"
            name={addressOf(user)}
            action="Delete user"
            isBusy={actions.remove.isPending}
            onConfirm={() => actions.remove.mutate()}
            onClose={() => setDeleting(false)}
          >
            The user goes with its sessions, identities and factors. Rows of your own tables stay.
          </ConfirmTyped>
        </>
      )}
    </Sheet>
  )
}

function tabsOf({ sessions }: ProjectUserDetail) {
  const standing = sessions.filter(({ revoked_at: at }) => at === null).length
  return [
    { value: 'profile', label: 'Profile' },
    {
      value: 'sessions',
      label: 'Sessions',
      beside: standing === 0 ? undefined : <span className="text-small">{standing}</span>,
    },
    { value: 'messages', label: 'Codes and links' },
  ] as const
}
