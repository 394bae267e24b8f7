// The credential of a recorded request: its claims, whether it held there, and one like it. Its text is not kept.
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Stamp } from 'lucide-react'
import type { ReactElement } from 'react'
import type { RequestDetail } from '../../../emulator/contract/recording.ts'
import { useInfo } from '../../api/info.ts'
import { useRequestDetail } from '../../api/requests.ts'
import { mintToken } from '../../api/tokens.ts'
import { RequestChain } from '../../parts/chain/request-chain.tsx'
import { freshCredentialOf } from '../../parts/fresh-credential.ts'
import { HttpStatus } from '../../parts/http-status.tsx'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { JsonTree } from '../../ui/json-tree.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Section } from '../../ui/sheet.tsx'

export interface PickedRequestProps {
  readonly requestId: string
  readonly onMinted: (token: string) => void
}

export function PickedRequest({ requestId, onMinted }: PickedRequestProps): ReactElement {
  const { data: detail, error, refetch } = useRequestDetail(requestId)
  if (detail === undefined)
    return error === null ? (
      <Loading label="Loading the request" lines={4} />
    ) : (
      <Failed title="The request could not be read" error={error} retry={() => void refetch()} />
    )
  const { entry, recording } = detail
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Link
          to="/requests/$requestId"
          params={{ requestId }}
          className="inline-flex min-w-0 items-center gap-2 font-mono text-accent hover:underline"
        >
          <HttpStatus status={entry.status} />
          {entry.method} {entry.target.split('?')[0]}
        </Link>
        <MintAlike detail={detail} onMinted={onMinted} />
      </div>
      <RequestChain
        requestId={requestId}
        tenant={entry.schema_name === null ? undefined : entry.schema_name.replace(/^proj_/, '')}
      />
      <Section title="Claims it carried">
        {recording?.claims == null ? (
          <p className="text-ink-dim">None that are known: no token, or no longer recorded.</p>
        ) : (
          <JsonTree value={recording.claims} label="claims" />
        )}
      </Section>
    </>
  )
}

function MintAlike({
  detail,
  onMinted,
}: {
  readonly detail: RequestDetail
  readonly onMinted: (token: string) => void
}): ReactElement {
  const { data: info } = useInfo()
  const source = freshCredentialOf(detail.entry, detail.recording?.claims ?? null, info)
  const mint = useMutation({
    mutationFn: async () => {
      if (source.kind === 'mint') return (await mintToken(source.order)).token
      if (source.kind === 'known') return source.credential
      throw new Error('Nobody but its holder has this credential.')
    },
    onSuccess: onMinted,
  })
  return (
    <span className="flex items-center gap-2">
      <Button
        icon={<Stamp aria-hidden="true" />}
        disabled={source.kind === 'none'}
        isBusy={mint.isPending}
        onClick={() => mint.mutate()}
      >
        Mint one like it
      </Button>
      {mint.error === null ? undefined : <span className="text-refused">{mint.error.message}</span>}
    </span>
  )
}
