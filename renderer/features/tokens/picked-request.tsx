// The credential of a recorded request: its claims, whether the platform accepted it, and a button that mints a similar one.
// Recordings never contain the credential's text.
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Stamp } from 'lucide-react'
import type { ReactElement } from 'react'
import type { RequestDetail } from '../../../emulator/contract/recording.ts'
import { useInfo } from '../../api/info.ts'
import { useRequestDetail } from '../../api/requests.ts'
import { mintToken } from '../../api/tokens.ts'
import { RequestChain } from '../../parts/chain/request-chain.tsx'
import { ClaimsTree } from '../../parts/claims-tree.tsx'
import { freshCredentialOf } from '../../parts/fresh-credential.ts'
import { HttpStatus } from '../../parts/http-status.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/sheet.tsx'
import { EMPTY, PROBLEMS } from './texts.ts'

export interface PickedRequestProps {
  readonly requestId: string
  readonly onMinted: (token: string) => void
}

export function PickedRequest({ requestId, onMinted }: PickedRequestProps): ReactElement {
  return (
    <Loaded query={useRequestDetail(requestId)} what="the request" lines={4}>
      {(detail) => <Picked detail={detail} onMinted={onMinted} />}
    </Loaded>
  )
}

interface PickedProps extends Pick<PickedRequestProps, 'onMinted'> {
  readonly detail: RequestDetail
}

function Picked({ detail, onMinted }: PickedProps): ReactElement {
  const { entry, recording } = detail
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Link
          to="/requests/$requestId"
          params={{ requestId: entry.request_id }}
          className="inline-flex min-w-0 items-center gap-2 font-mono text-accent hover:underline"
        >
          <HttpStatus status={entry.status} />
          {entry.method} {entry.target.split('?')[0]}
        </Link>
        <MintSimilar detail={detail} onMinted={onMinted} />
      </div>
      <RequestChain
        requestId={entry.request_id}
        tenant={entry.schema_name?.replace(/^proj_/, '')}
      />
      <Section title="Claims">
        {recording?.claims == null ? (
          <p className="text-ink-dim">{EMPTY.recordedClaims}</p>
        ) : (
          <ClaimsTree claims={recording.claims} />
        )}
      </Section>
    </>
  )
}

function MintSimilar({ detail, onMinted }: PickedProps): ReactElement {
  const { data: info } = useInfo()
  const source = freshCredentialOf(detail.entry, detail.recording?.claims ?? null, info)
  const mint = useMutation({
    mutationFn: async () => {
      if (source.kind === 'mint') return (await mintToken(source.order)).token
      if (source.kind === 'known') return source.credential
      throw new Error(PROBLEMS.ownCredential)
    },
    onSuccess: onMinted,
  })
  return (
    <span className="flex items-center gap-2">
      <Button
        icon={<Stamp />}
        disabled={source.kind === 'none'}
        isBusy={mint.isPending}
        onClick={() => mint.mutate()}
      >
        Mint similar credential
      </Button>
      {mint.error !== null && <span className="text-refused">{mint.error.message}</span>}
    </span>
  )
}
