// Shows one user with profile, sessions, latest codes, and the actions on the user.
import { Link } from '@tanstack/react-router'
import { Ban, Ellipsis, Footprints, LogIn, LogOut, Trash2, Undo2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { ProjectUserDetail } from '../../../emulator/contract/users.ts'
import { useUser } from '../../api/users.ts'
import { identityText } from '../../parts/identity-text.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { OpenApplication } from '../../parts/open-application.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useNow, usePlatformTime } from '../../ui/platform-time.ts'
import { Secret } from '../../ui/secret.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { DELETE_USER, tokenText } from './texts.ts'
import { type UserActions, useUserActions } from './user-actions.ts'
import { addressOf, isBanned } from './user-facts.ts'
import { UserMessages } from './user-messages.tsx'
import { UserProfile } from './user-profile.tsx'
import { UserSessions } from './user-sessions.tsx'
import type { UserPart } from './users-search.ts'

export function UserSheet(props: {
  readonly tenant: string
  readonly id: string
  readonly part: UserPart
  readonly onPart: (part: UserPart) => void
  readonly onClose: () => void
}): ReactElement {
  const { tenant, id, part, onPart, onClose } = props
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
                {part === 'profile' && <UserProfile user={user} />}
                {part === 'sessions' && <UserSessions user={user} end={actions.end} />}
                {part === 'messages' && <UserMessages tenant={tenant} user={user} />}
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

/** A ban of one day, in hours. */
const DAY = 24
/** A permanent ban, in hours. The ban ends after 100 years. */
const CENTURY = 100 * 365 * DAY

/** The menu with actions on a user: ban, lift the ban, end all sessions, delete. */
function UserMenu(props: {
  readonly user: ProjectUserDetail
  readonly actions: UserActions
  readonly onDelete: () => void
}): ReactElement {
  const { user, actions, onDelete } = props
  const { ban, end } = actions
  const { parse } = usePlatformTime()
  const icon = <Ban />
  const bans = isBanned(user, useNow(), parse)
    ? [{ label: 'Lift ban', icon: <Undo2 />, onSelect: () => ban.mutate(null) }]
    : [
        { label: 'Ban for 1 hour', icon, onSelect: () => ban.mutate(1) },
        { label: 'Ban for 1 day', icon, onSelect: () => ban.mutate(DAY) },
        { label: 'Ban permanently', icon, onSelect: () => ban.mutate(CENTURY) },
      ]
  return (
    <Menu
      align="end"
      trigger={<IconButton label="User actions" icon={<Ellipsis />} />}
      items={[
        ...bans,
        'line',
        {
          label: 'End all sessions',
          icon: <LogOut />,
          isDisabled: !user.sessions.some(({ revoked_at: at }) => at === null),
          onSelect: () => end.mutate(undefined),
        },
        'line',
        {
          label: 'Delete user…',
          icon: <Trash2 />,
          tone: 'danger',
          onSelect: onDelete,
        },
      ]}
    />
  )
}

/** Signs in as the user, in the application or with a token. Links to the screens as the user sees them. */
function SignInAs(props: {
  readonly tenant: string
  readonly user: ProjectUserDetail
  readonly signIn: UserActions['signIn']
}): ReactElement {
  const { tenant, user, signIn } = props
  const { data: minted } = signIn
  return (
    <div className="flex shrink-0 flex-col gap-3 border-b p-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          tone="primary"
          icon={<LogIn />}
          isBusy={signIn.isPending}
          onClick={() => signIn.mutate()}
        >
          Sign in as this user
        </Button>
        <nav aria-label="As this user" className="ml-auto flex gap-4">
          <Link
            to="/t/$tenant/follow"
            params={{ tenant }}
            search={{ as: identityText({ kind: 'user', user: addressOf(user) }) }}
            className="inline-flex items-center gap-1 text-accent hover:underline [&_svg]:size-4"
          >
            <Footprints />
            Follow
          </Link>
          <Link
            to="/t/$tenant/tables"
            params={{ tenant }}
            search={{ as: identityText({ kind: 'user', user: addressOf(user) }) }}
            className="text-accent hover:underline"
          >
            Tables as user
          </Link>
          <Link
            to="/tokens"
            search={{ project: tenant, user: addressOf(user) }}
            className="text-accent hover:underline"
          >
            Mint credential
          </Link>
        </nav>
      </div>
      {minted !== undefined && (
        <div className="flex flex-col gap-3 rounded-2 border bg-surface-0 p-3">
          <OpenApplication key={tenant} tenant={tenant} user={user.id} />
          <div role="status" className="flex flex-col gap-1">
            <span className="text-small text-ink-dim">{tokenText(minted.expires_in)}</span>
            <Secret value={minted.token} label="token" shown={12} />
          </div>
        </div>
      )}
    </div>
  )
}
