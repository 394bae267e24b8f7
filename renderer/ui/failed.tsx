// Shows an error: what happened, what to do, and a retry button.
import { RotateCw, TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import { Button } from './button.tsx'

export interface FailedProps {
  /** Any error. Shows `code` and `hint` when the error has them. */
  readonly error: unknown
  /** Heading: "Could not load the tables". */
  readonly title?: string
  readonly retry?: () => void
}

export function Failed({ error, title = 'The request failed', retry }: FailedProps): ReactElement {
  const { message, code, hint } = told(error)
  return (
    <div
      role="alert"
      className="m-4 flex items-start gap-3 rounded-2 border border-refused/40 bg-refused/5 p-3"
    >
      <TriangleAlert className="mt-[2px] size-4 shrink-0 text-refused" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="font-strong">{title}</p>
        <p className="break-words">{message}</p>
        {hint !== undefined && <p className="break-words text-ink-dim">{hint}</p>}
        {code !== undefined && <p className="font-mono text-small text-ink-dim">{code}</p>}
      </div>
      {retry !== undefined && (
        <Button size="small" icon={<RotateCw />} onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

function told(error: unknown): {
  readonly message: string
  readonly code: string | undefined
  readonly hint: string | undefined
} {
  if (typeof error !== 'object' || error === null)
    return { message: String(error), code: undefined, hint: undefined }
  const text = (name: string) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return { message: text('message') ?? String(error), code: text('code'), hint: text('hint') }
}
