// Disarming, one fault or all.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { disarmFaults } from '../../api/faults.ts'
import { showToast } from '../../ui/toast.tsx'

export function useDisarm(): (id: string | undefined) => void {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (id: string | undefined) => disarmFaults(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['faults'] }),
    onError: (error) =>
      showToast({ title: 'It is still armed', detail: error.message, tone: 'refused' }),
  })
  return mutate
}
