// The forms of all screens. `useForm` holds the draft and prevents sending it twice; `Form` renders fields, errors and buttons.
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, type ReactNode, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Failed } from './failed.tsx'

/** The result of validating a draft: an order to send, or the problems to fix. */
export type FormReading<Draft, Order> =
  | { readonly kind: 'ready'; readonly order: Order }
  /** Each problem shows beside its field. A draft with an empty required field may have none, and is still not sent. */
  | { readonly kind: 'wrong'; readonly problems: FieldProblems<Draft> }

export type FieldProblems<Draft> = { readonly [Field in keyof Draft]?: string }

export interface FormOptions<Draft, Order, Answer> {
  /** Values of the fields that the user has not edited. */
  readonly initial: Draft
  readonly read: (draft: Draft) => FormReading<Draft, Order>
  readonly send: (order: Order) => Promise<Answer>
  /** Prefixes of the query keys to reload after an order was sent. */
  readonly stale?: readonly QueryKey[]
  readonly onSent?: (answer: Answer) => void
}

/** Props for the control of one field. */
export interface FieldProps<Value> {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly error: string | undefined
}

export interface FormState<Draft, Answer> {
  readonly draft: Draft
  readonly edit: (members: Partial<Draft>) => void
  readonly field: <Name extends keyof Draft>(name: Name) => FieldProps<Draft[Name]>
  readonly isReady: boolean
  readonly isSending: boolean
  /** Why the last order was refused. */
  readonly error: Error | null
  readonly answer: Answer | undefined
  readonly submit: () => void
  /** Resets the draft to the initial values. */
  readonly reset: () => void
}

export function useForm<Draft extends object, Order, Answer>(
  props: FormOptions<Draft, Order, Answer>,
): FormState<Draft, Answer> {
  const { initial, read, send, stale = [], onSent } = props
  const queries = useQueryClient()
  const [edited, setEdited] = useState<Partial<Draft>>({})
  // Prevents a second submit before React has disabled the button.
  const isUnderWay = useRef(false)
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: send,
    onSuccess: async (answer) => {
      onSent?.(answer)
      await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
    onSettled: () => {
      isUnderWay.current = false
    },
  })
  const draft = { ...initial, ...edited }
  const reading = read(draft)
  const edit = (members: Partial<Draft>) => setEdited((before) => ({ ...before, ...members }))
  return {
    draft,
    edit,
    field: (name) => ({
      value: draft[name],
      onChange: (value) => edit({ [name]: value } as unknown as Partial<Draft>),
      error: reading.kind === 'wrong' ? reading.problems[name] : undefined,
    }),
    isReady: reading.kind === 'ready',
    isSending: isPending,
    error,
    answer: data,
    submit: () => {
      if (reading.kind !== 'ready' || isUnderWay.current) return
      isUnderWay.current = true
      mutate(reading.order)
    },
    reset: () => setEdited({}),
  }
}

export interface FormProps {
  /** The result of `useForm`, or the same properties for a form that sends nothing. */
  readonly form: {
    readonly isReady: boolean
    readonly isSending?: boolean
    readonly error?: Error | null
    readonly submit: () => void
  }
  readonly children: ReactNode
  /** Label of the button: verb and noun. */
  readonly action: string
  readonly icon?: ReactNode
  readonly tone?: 'plain' | 'primary' | 'danger'
  /** Accessible name of the form. */
  readonly label?: string
  /** Heading of the error: "Could not create the user". */
  readonly failure?: string
  /** `column` puts the fields above a wide button. `line` puts the button beside a single field. */
  readonly layout?: 'column' | 'line'
  /** The form shows a Cancel button and moves the buttons to the right, as in a dialog. */
  readonly onCancel?: () => void
}

export function Form(props: FormProps): ReactElement {
  const { form, children, failure, label, layout = 'column', onCancel } = props
  const submit = (
    <Button
      type="submit"
      tone={props.tone ?? (layout === 'line' ? 'plain' : 'primary')}
      icon={props.icon}
      disabled={!form.isReady}
      isBusy={form.isSending ?? false}
    >
      {props.action}
    </Button>
  )
  const refusal =
    form.error == null ? undefined : (
      <div className="-m-4">
        <Failed error={form.error} {...(failure === undefined ? {} : { title: failure })} />
      </div>
    )
  return (
    <form
      aria-label={label}
      className="flex min-w-0 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (form.isReady && form.isSending !== true) form.submit()
      }}
    >
      {layout === 'line' ? (
        <div className="flex items-end gap-2">
          <div className="min-w-0 flex-1">{children}</div>
          {submit}
        </div>
      ) : (
        children
      )}
      {refusal}
      {layout === 'line' ? undefined : onCancel === undefined ? (
        submit
      ) : (
        <div className="flex justify-end gap-2">
          <Button tone="quiet" onClick={onCancel}>
            Cancel
          </Button>
          {submit}
        </div>
      )}
    </form>
  )
}

/** A label above a control. The control must have its own accessible name. */
export function FormField(props: {
  readonly label: string
  readonly children: ReactNode
}): ReactElement {
  const { label, children } = props
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span aria-hidden="true" className="text-small text-ink-dim">
        {label}
      </span>
      {children}
    </div>
  )
}
