// Going back, deleting, resetting: afterwards nothing on any screen is as it was.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteSnapshot, resetPlatform, restoreSnapshot } from '../../api/snapshots.ts'
import { formatDuration } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'

export type SnapshotAction =
  | { readonly kind: 'restore' | 'delete'; readonly name: string }
  | { readonly kind: 'reset' }

export interface SnapshotActions {
  readonly run: (action: SnapshotAction) => void
  readonly isBusy: boolean
}

export function useSnapshotActions(onDone: (action: SnapshotAction) => void): SnapshotActions {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: act,
    onSuccess: async (title, action) => {
      onDone(action)
      showToast({ title, tone: 'allowed' })
      await client.invalidateQueries(action.kind === 'delete' ? { queryKey: ['snapshots'] } : {})
    },
    onError: (error) =>
      showToast({ title: 'That did not work', detail: error.message, tone: 'refused' }),
  })
  return { run: mutate, isBusy: isPending }
}

async function act(action: SnapshotAction): Promise<string> {
  switch (action.kind) {
    case 'restore':
      await restoreSnapshot(action.name)
      return `The platform is back at ${action.name}`
    case 'delete':
      await deleteSnapshot(action.name)
      return `${action.name} is gone`
    case 'reset': {
      const { duration_ms: millis, tenants_reset: tenants } = await resetPlatform()
      return `${tenants} ${tenants === 1 ? 'tenant' : 'tenants'} reset in ${formatDuration(millis)}`
    }
  }
}
