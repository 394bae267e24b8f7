// Sends a request again exactly as it was, as the same identity.
import { RotateCw } from 'lucide-react'
import { type ReactElement, useEffect } from 'react'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useResend } from './use-resend.ts'

export interface ReplayButtonProps {
  readonly requestId: string
  readonly onAnswered: (requestId: string) => void
}

export function ReplayButton({ requestId, onAnswered }: ReplayButtonProps): ReactElement {
  const { send, isSending, error } = useResend(requestId, onAnswered)
  useEffect(() => {
    if (error !== null) showToast({ title: 'Can’t replay', detail: error.message, tone: 'refused' })
  }, [error])
  return (
    <Button icon={<RotateCw aria-hidden="true" />} isBusy={isSending} onClick={() => send({})}>
      Replay
    </Button>
  )
}
