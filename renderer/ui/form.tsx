// The forms of all screens. `useForm` keeps the draft and sends it once; `Form` lays out fields, refusal and buttons.
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, type ReactNode, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Failed } from './failed.tsx'

/** What a draft amounts to: an order that can be sent, or what keeps it from being one. */
export type FormReading<Draft, Order> =
  | { readonly kind: 'ready'; readonly order: Order }
  /** The problems show at their fields. There are none while a required field is still empty. */
  | { readonly kind: 'wrong'; readonly problems: FieldProblems<Draft> }

export type FieldProblems<Draft> = { readonly [Field in keyof Draft]?: string }

export interface FormOptions<Draft, Order, Answer> {
  /** Values of the fields that the user has not edited. */
  readonly initial: Draft
  readonly read: (draft: Draft) => FormReading<Draft, Order>
  readonly send: (order: Order) => Promise<Answer>
  /** Beginnings of the query keys that a sent order makes stale. */
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
  /** Back to the initial values. */
  readonly reset: () => void
}

export function useForm<Draft extends object, Order, Answer>({
  initial,
  read,
  send,
  stale = [],
  onSent,
}: FormOptions<Draft, Order, Answer>): FormState<Draft, Answer> {
  const queries = useQueryClient()
  const [edited, setEdited] = useState<Partial<Draft>>({})
  // A second submit can arrive before React disables the button.
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
  /** A `useForm`, or what a form needs that sends nothing. */
  readonly form: {
    readonly isReady: boolean
    readonly isSending?: boolean
    readonly error?: Error | null
    readonly submit: () => void
  }
  readonly children: ReactNode
  /** Verb and noun on the button. */
  readonly action: string
  readonly icon?: ReactNode
  readonly tone?: 'plain' | 'primary' | 'danger'
  /** Names the form for screen readers. */
  readonly label?: string
  /** Heading of a refusal: "Could not create the user". */
  readonly failure?: string
  /** `column`: fields above a wide button; `line`: one field beside its button. */
  readonly layout?: 'column' | 'line'
  /** Shows Cancel; the buttons move to the right, as in a dialog. */
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

/** A label above a control that names itself to screen readers. */
export function FormField({
  label,
  children,
}: {
  readonly label: string
  readonly children: ReactNode
}): ReactElement {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span aria-hidden="true" className="text-small text-ink-dim">
        {label}
      </span>
      {children}
    </div>
  )
}
