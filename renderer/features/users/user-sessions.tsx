// Lists the sessions of a user, newest first. Each session has its sign-in methods, user agent, state, and a button
// that ends it.
import { LogOut } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ProjectUserDetail, UserSession } from '../../../emulator/contract/users.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { EMPTY } from './texts.ts'
import type { UserActions } from './user-actions.ts'
import { methodOf } from './user-facts.ts'

export function UserSessions(props: {
  readonly user: ProjectUserDetail
  readonly end: UserActions['end']
}): ReactElement {
  const { user, end } = props
  if (user.sessions.length === 0) return <EmptyState {...EMPTY.sessions} />
  return (
    <ul aria-label="Sessions" className="flex flex-col gap-2">
      {user.sessions.map((session) => (
        <Session key={session.id} session={session} end={end} />
      ))}
    </ul>
  )
}

function Session(props: {
  readonly session: UserSession
  readonly end: UserActions['end']
}): ReactElement {
  const { session, end } = props
  const isActive = session.revoked_at === null
  return (
    <li className="flex flex-col gap-1 rounded-2 border bg-surface-0 p-3">
      <div className="flex items-center gap-2">
        {isActive ? <Chip tone="allowed">active</Chip> : <Chip>ended</Chip>}
        <Chip isMono>{session.aal}</Chip>
        {session.amr.map((entry, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a session may use the same method twice
          <Chip key={place} isMono>
            {methodOf(entry)}
          </Chip>
        ))}
        {isActive && (
          <Button
            size="small"
            className="ml-auto"
            icon={<LogOut />}
            isBusy={end.isPending && end.variables === session.id}
            onClick={() => end.mutate(session.id)}
          >
            End session
          </Button>
        )}
      </div>
      <div className="flex flex-wrap gap-x-4 text-small text-ink-dim">
        <span>
          started <Timestamp at={session.created_at} />
        </span>
        {session.refreshed_at !== null && (
          <span>
            refreshed <Timestamp at={session.refreshed_at} />
          </span>
        )}
        {isActive ? undefined : (
          <span>
            ended <Timestamp at={session.revoked_at} />
          </span>
        )}
      </div>
      <MiddleTruncate text={session.id} copyLabel="Copy session ID" />
      {session.user_agent !== null && (
        <span className="truncate text-small text-ink-dim" title={session.user_agent}>
          {session.user_agent}
        </span>
      )}
    </li>
  )
}
