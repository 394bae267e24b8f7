// An action of a button outside a form. The action runs the work, reloads stale queries, and shows a message when the
// work fails.
import {
  type QueryKey,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { showToast, type ToastMessage } from './toast.tsx'

export interface ActionOptions<Input, Answer> {
  readonly work: (input: Input) => Promise<Answer>
  /** Heading of the message when the action fails: "Could not delete the user". */
  readonly failure: string
  /** Prefixes of the query keys to reload after the action. An empty prefix reloads all queries. */
  readonly stale?: readonly QueryKey[]
  /** The message to show after the action succeeds. */
  readonly done?: (answer: Answer, input: Input) => ToastMessage
  readonly onDone?: (answer: Answer, input: Input) => void
}

export type Action<Input = void, Answer = unknown> = UseMutationResult<Answer, Error, Input>

export function useAction<Input = void, Answer = unknown>(
  props: ActionOptions<Input, Answer>,
): Action<Input, Answer> {
  const { work, failure, stale = [], done, onDone } = props
  const queries = useQueryClient()
  return useMutation({
    mutationFn: work,
    onSuccess: async (answer, input) => {
      onDone?.(answer, input)
      if (done !== undefined) showToast({ tone: 'allowed', ...done(answer, input) })
      await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
    onError: (error) => showToast({ title: failure, detail: detailOf(error), tone: 'refused' }),
  })
}

function detailOf(error: Error): string {
  const hint: unknown = Reflect.get(error, 'hint')
  return typeof hint === 'string' ? `${error.message} ${hint}` : error.message
}
