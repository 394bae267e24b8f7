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
      <EmptyRows icon={icon} />
      <p className="font-strong">{title}</p>
      {detail !== undefined && <div className="max-w-96 text-ink-dim">{detail}</div>}
      {action !== undefined && <div className="pt-2">{action}</div>}
    </div>
  )
}

/** Empty rows, drawn like hidden rows. The middle row has the icon of what will appear. */
function EmptyRows({ icon }: { readonly icon: ReactNode }): ReactElement {
  const row = 'h-3 rounded-1 border border-dashed border-line-strong hidden-row'
  return (
    <div aria-hidden className="relative mb-1 grid w-24 gap-1">
      <div className={row} />
      <div className={row} />
      <div className={row} />
      {icon !== undefined && (
        <div className="absolute inset-0 m-auto grid size-9 place-items-center rounded-full border border-line-strong bg-surface-1 text-ink-dim [&_svg]:size-5">
          {icon}
        </div>
      )}
    </div>
  )
}
