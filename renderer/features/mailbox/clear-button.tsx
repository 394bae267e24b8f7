// Empties the mailbox, or what of it is shown.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import type { ReactElement } from 'react'
import { clearMailbox } from '../../api/mailbox.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'

export function ClearButton({
  tenant,
  isEmpty,
  onDone,
}: {
  readonly tenant: string | undefined
  readonly isEmpty: boolean
  readonly onDone: () => void
}): ReactElement {
  const queries = useQueryClient()
  const clear = useMutation({
    mutationFn: () => clearMailbox(tenant),
    onSuccess: ({ deleted }) => {
      showToast({
        title: `${formatNumber(deleted)} ${deleted === 1 ? 'message' : 'messages'} removed`,
      })
      onDone()
      return queries.invalidateQueries({ queryKey: ['mailbox'] })
    },
    onError: (error) =>
      showToast({ title: 'The mailbox was not emptied', detail: error.message, tone: 'refused' }),
  })
  return (
    <Button
      icon={<Trash2 aria-hidden="true" />}
      disabled={isEmpty}
      isBusy={clear.isPending}
      onClick={() => clear.mutate()}
    >
      {tenant === undefined ? 'Clear all' : `Clear ${tenant}`}
    </Button>
  )
}
