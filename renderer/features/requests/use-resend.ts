// Sends a request again and opens the new one.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReplayRequest } from '../../../emulator/contract/recording.ts'
import { replayRequest } from '../../api/requests.ts'
import { showToast } from '../../ui/toast.tsx'

export interface Resend {
  readonly send: (edits: ReplayRequest) => void
  readonly isSending: boolean
  readonly error: Error | null
}

export function useResend(requestId: string, onAnswered: (requestId: string) => void): Resend {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (edits: ReplayRequest) => replayRequest(requestId, edits),
    onSuccess: ({ request_id: next, status }) => {
      void queries.invalidateQueries({ queryKey: ['journal', 'chain'] })
      showToast({
        title: `Answered ${status}`,
        detail: 'This is the new request.',
        tone: status < 400 ? 'allowed' : 'refused',
      })
      onAnswered(next)
    },
  })
  return { send: mutate, isSending: isPending, error }
}
