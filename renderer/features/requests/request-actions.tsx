// Sends a recorded request again as the same identity. Also packs a request and the platform's state into a bundle for another
// person.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Package, RotateCw } from 'lucide-react'
import { type ReactElement, useEffect, useState } from 'react'
import type { ReplayRequest } from '../../../emulator/contract/recording.ts'
import { replayRequest } from '../../api/requests.ts'
import { BundleDialog } from '../../parts/bundle-dialog.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'

export function ReplayButton(props: {
  readonly requestId: string
  readonly onAnswered: (requestId: string) => void
}): ReactElement {
  const { requestId, onAnswered } = props
  const { send, isSending, error } = useResend(requestId, onAnswered)
  useEffect(() => {
    if (error !== null) showToast({ title: 'Can’t replay', detail: error.message, tone: 'refused' })
  }, [error])
  return (
    <Button icon={<RotateCw />} isBusy={isSending} onClick={() => send({})}>
      Replay
    </Button>
  )
}

export function BundleButton({ requestId }: { readonly requestId: string }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton label="Bundle this request" icon={<Package />} onClick={() => setOpen(true)} />
      {isOpen && <BundleDialog requestId={requestId} onClose={() => setOpen(false)} />}
    </>
  )
}

interface Resend {
  readonly send: (edits: ReplayRequest) => void
  readonly isSending: boolean
  readonly error: Error | null
}

/** Sends a request again, then opens the new request. */
export function useResend(requestId: string, onAnswered: (requestId: string) => void): Resend {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (edits: ReplayRequest) => replayRequest(requestId, edits),
    onSuccess: ({ request_id: next, status }) => {
      void queries.invalidateQueries({ queryKey: ['journal', 'chain'] })
      showToast({
        title: `Response ${status}`,
        detail: 'The new request is open.',
        tone: status < 400 ? 'allowed' : 'refused',
      })
      onAnswered(next)
    },
  })
  return { send: mutate, isSending: isPending, error }
}
