// One way to move the clock: a name, what it does, its controls.
import type { ReactElement, ReactNode } from 'react'

export function Panel({
  title,
  detail,
  children,
}: {
  readonly title: string
  readonly detail: string
  readonly children: ReactNode
}): ReactElement {
  return (
    <section aria-label={title} className="flex flex-col gap-3 rounded-3 border bg-surface-1 p-4">
      <h2 className="font-strong">{title}</h2>
      <p className="text-ink-dim">{detail}</p>
      {children}
    </section>
  )
}
