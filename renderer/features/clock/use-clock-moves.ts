// Moving the clock from the screen; a refusal is said at the lower right.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ClockCommand } from '../../../emulator/contract/clock.ts'
import { moveClock } from '../../api/clock.ts'
import { showToast } from '../../ui/toast.tsx'

export interface ClockMoves {
  readonly move: (command: ClockCommand) => void
  readonly isBusy: boolean
}

export function useClockMoves(): ClockMoves {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: moveClock,
    // Tokens, codes and quotas may have ended meanwhile.
    onSuccess: () => client.invalidateQueries(),
    onError: (error) =>
      showToast({ title: 'The clock was not moved', detail: error.message, tone: 'refused' }),
  })
  return { move: mutate, isBusy: isPending }
}
