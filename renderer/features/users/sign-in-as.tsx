// Acting as a user: a token for the application, or the tables and policies through the user's eyes.
import type { UseMutationResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import type { ReactElement } from 'react'
import type { MintPrincipalAnswer } from '../../../emulator/contract/tokens.ts'
import type { ProjectUserDetail } from '../../../emulator/contract/users.ts'
import { identityText } from '../../parts/identity-text.ts'
import { Button } from '../../ui/button.tsx'
import { formatDuration } from '../../ui/format.ts'
import { Secret } from '../../ui/secret.tsx'
import { UserState } from './user-columns.tsx'
import { addressOf } from './user-facts.ts'

export interface SignInAsProps {
  readonly tenant: string
  readonly user: ProjectUserDetail
  readonly signIn: UseMutationResult<MintPrincipalAnswer, Error, void>
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
          Sign in as
        </Button>
        <UserState user={user} />
        <nav aria-label="As this user" className="ml-auto flex gap-4">
          <Link
            to="/t/$tenant/tables"
            params={{ tenant }}
            search={{ as: identityText({ kind: 'user', user: addressOf(user) }) }}
            className="text-accent hover:underline"
          >
            See tables as
          </Link>
          <Link
            to="/tokens"
            search={{ project: tenant, user: addressOf(user) }}
            className="text-accent hover:underline"
          >
            Mint with own claims
          </Link>
        </nav>
      </div>
      {minted === undefined ? undefined : (
        <div role="status" className="flex flex-col gap-1 rounded-2 border bg-surface-0 p-3">
          <span className="text-small text-ink-dim">
            Token for Authorization: Bearer
            {minted.expires_in === null
              ? ''
              : `, good for ${formatDuration(minted.expires_in * 1_000)} of platform time`}
          </span>
          <Secret value={minted.token} label="token" shown={12} />
        </div>
      )}
    </div>
  )
}
