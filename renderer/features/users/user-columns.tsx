// The columns of the user list.
import type { ReactElement } from 'react'
import type { ProjectUser } from '../../../emulator/contract/users.ts'
import { Chip } from '../../ui/chip.tsx'
import type { GridColumn } from '../../ui/data-grid.tsx'
import { useNow, usePlatformTime } from '../../ui/platform-time.ts'
import { Timestamp } from '../../ui/timestamp.tsx'
import { addressOf, isBanned, nameOf, providersOf } from './user-facts.ts'

export const USER_COLUMNS: readonly GridColumn<ProjectUser>[] = [
  {
    id: 'address',
    canSort: true,
    header: 'User',
    min: 200,
    isMono: true,
    render: (user) => <span title={addressOf(user)}>{addressOf(user)}</span>,
  },
  {
    id: 'name',
    leaves: 1,
    header: 'Name',
    width: 180,
    render: (user) => nameOf(user) ?? <span className="text-ink-dim">–</span>,
  },
  { id: 'state', header: 'State', width: 112, render: (user) => <UserState user={user} /> },
  {
    id: 'seen',
    canSort: true,
    header: 'Last sign-in',
    width: 110,
    render: ({ last_sign_in_at: at }) => <Timestamp at={at} />,
  },
  {
    id: 'phone',
    leaves: 4,
    header: 'Phone',
    width: 140,
    isMono: true,
    render: ({ phone }) => phone ?? <span className="text-ink-dim">–</span>,
  },
  {
    id: 'providers',
    leaves: 2,
    header: 'Sign-in methods',
    width: 150,
    render: (user) => <SignInWays user={user} />,
  },
  {
    id: 'created',
    canSort: true,
    leaves: 3,
    header: 'Created',
    width: 104,
    align: 'end',
    render: ({ created_at: at }) => <Timestamp at={at} />,
  },
]

/** Shows whether the user is banned, unconfirmed or confirmed. */
export function UserState({ user }: { readonly user: ProjectUser }): ReactElement {
  const { parse } = usePlatformTime()
  if (isBanned(user, useNow(), parse))
    return (
      <Chip tone="refused" title={`until ${user.banned_until}`}>
        banned
      </Chip>
    )
  return user.email_confirmed_at === null && user.phone_confirmed_at === null ? (
    <Chip tone="clock">unconfirmed</Chip>
  ) : (
    // The state `confirmed` has no colour, because it is the normal state.
    <span className="text-ink-dim">confirmed</span>
  )
}

function SignInWays({ user }: { readonly user: ProjectUser }): ReactElement {
  const ways = providersOf(user)
  const factors = user.factors.length
  return (
    <span className="flex items-center gap-1">
      {ways.map((way) => (
        <Chip key={way}>{way}</Chip>
      ))}
      {factors !== 0 && <Chip tone="accent">2nd factor</Chip>}
      {ways.length === 0 && factors === 0 && <span className="text-ink-dim">–</span>}
    </span>
  )
}
