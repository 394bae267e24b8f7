// Acts as a user: a token for the application, or the tables as the user sees them.
import { Link } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ProjectUserDetail } from '../../../emulator/contract/users.ts'
import { identityText } from '../../parts/identity-text.ts'
import { Button } from '../../ui/button.tsx'
import { Secret } from '../../ui/secret.tsx'
import { tokenText } from './texts.ts'
import type { UserActions } from './user-actions.ts'
import { UserState } from './user-columns.tsx'
import { addressOf } from './user-facts.ts'

export interface SignInAsProps {
  readonly tenant: string
  readonly user: ProjectUserDetail
  readonly signIn: UserActions['signIn']
}

export function SignInAs({ tenant, user, signIn }: SignInAsProps): ReactElement {
  const { data: minted } = signIn
  return (
    <div className="flex shrink-0 flex-col gap-3 border-b p-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          tone="primary"
          icon={<LogIn aria-hidden="true" />}
          isBusy={signIn.isPending}
          onClick={() => signIn.mutate()}
        >
          Sign in as user
        </Button>
        <UserState user={user} />
        <nav aria-label="As this user" className="ml-auto flex gap-4">
          <Link
            to="/t/$tenant/tables"
            params={{ tenant }}
            search={{ as: identityText({ kind: 'user', user: addressOf(user) }) }}
            className="text-accent hover:underline"
          >
            View tables as user
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
      {minted === undefined ? undefined : (
        <div role="status" className="flex flex-col gap-1 rounded-2 border bg-surface-0 p-3">
          <span className="text-small text-ink-dim">{tokenText(minted.expires_in)}</span>
          <Secret value={minted.token} label="token" shown={12} />
        </div>
      )}
    </div>
  )
}
