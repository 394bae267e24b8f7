// Shown in an empty list: says what will appear and how to make it appear.
import type { ReactElement, ReactNode } from 'react'

export function EmptyState(props: {
  readonly title: string
  readonly detail?: ReactNode
  readonly icon?: ReactNode
  readonly action?: ReactNode
}): ReactElement {
  const { title, detail, icon, action } = props
  return (
    <div className="flex min-h-40 flex-1 flex-col items-center justify-center gap-2 p-8 text-center">
      {icon !== undefined && <div className="text-ink-dim [&_svg]:size-6">{icon}</div>}
      <p className="font-strong">{title}</p>
      {detail !== undefined && <div className="max-w-96 text-ink-dim">{detail}</div>}
      {action !== undefined && <div className="pt-2">{action}</div>}
    </div>
  )
}
