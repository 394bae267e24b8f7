// Shows why storage refused a request: the access chain of the recorded request, or a link to the request.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { ObjectPlace } from '../../api/storage.ts'
import { StorageRefusal } from '../../api/storage-door.ts'
import { RequestChain } from '../../parts/chain/request-chain.tsx'
import { Failed } from '../../ui/failed.tsx'

/** Links to the recorded request, which shows why storage refused it. */
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

/** Shows a refused read with the access chain of its request. */
export function ReadRefused(props: {
  readonly place: ObjectPlace
  readonly error: unknown
}): ReactElement {
  const { place, error } = props
  const requestId = error instanceof StorageRefusal ? error.requestId : null
  return (
    <div className="flex flex-col gap-3">
      <div className="-m-4">
        <Failed title="Could not read the object" error={error} />
      </div>
      {requestId !== null && <RequestChain requestId={requestId} tenant={place.project} />}
    </div>
  )
}
