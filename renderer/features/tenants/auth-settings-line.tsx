// One setting of sign-in: what it is, its control, and the way back to the template.
import { Undo2 } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { IconButton } from '../../ui/button.tsx'

export function SettingLine({
  title,
  explanation,
  onInherit,
  children,
}: {
  readonly title: string
  readonly explanation: string
  /** Absent when the project has nothing of its own here. */
  readonly onInherit: (() => void) | undefined
  readonly children: ReactNode
}): ReactElement {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b p-3 last:border-b-0">
      <div className="min-w-40 flex-1">
        <p>{title}</p>
        <p className="text-small text-ink-dim">{explanation}</p>
      </div>
      {children}
      {onInherit === undefined ? (
        <span className="w-6" />
      ) : (
        <IconButton
          size="small"
          label={`Take ${title} from the template again`}
          icon={<Undo2 aria-hidden="true" />}
          onClick={onInherit}
        />
      )}
    </li>
  )
}
