// The chain of a recorded request, read when it shows.
import type { ReactElement } from 'react'
import { useAccessChain } from '../../api/requests.ts'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { ChainView } from './chain-view.tsx'

export interface RequestChainProps {
  readonly requestId: string
  /** Slug of the project the request was for. */
  readonly tenant: string | undefined
}

export function RequestChain({ requestId, tenant }: RequestChainProps): ReactElement {
  const { data: chain, error, refetch } = useAccessChain(requestId)
  if (chain !== undefined) return <ChainView key={requestId} chain={chain} tenant={tenant} />
  if (error !== null)
    return (
      <Failed
        title="The chain could not be worked out"
        error={error}
        retry={() => void refetch()}
      />
    )
  return <Loading label="Following the chain" lines={3} />
}
