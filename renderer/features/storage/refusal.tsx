// A refusal of storage: the chain of the recorded request, or a link to it.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { ObjectPlace } from '../../api/storage.ts'
import { StorageRefusal } from '../../api/storage-door.ts'
import { RequestChain } from '../../parts/chain/request-chain.tsx'
import { Failed } from '../../ui/failed.tsx'

/** Leads to the recorded request, whose chain shows why it was refused. */
export function WhyLink({ error }: { readonly error: unknown }): ReactElement | undefined {
  if (!(error instanceof StorageRefusal) || error.requestId === null) return undefined
  return (
    <Link
      to="/requests/$requestId"
      params={{ requestId: error.requestId }}
      className="text-accent hover:underline"
    >
      Why?
    </Link>
  )
}

/** Shows a refused read with the chain of its request. */
export function ReadRefused({
  place,
  error,
}: {
  readonly place: ObjectPlace
  readonly error: unknown
}): ReactElement {
  const requestId = error instanceof StorageRefusal ? error.requestId : null
  return (
    <div className="flex flex-col gap-3">
      <div className="-m-4">
        <Failed title="Could not read the object" error={error} />
      </div>
      {requestId === null ? undefined : (
        <RequestChain requestId={requestId} tenant={place.project} />
      )}
    </div>
  )
}
