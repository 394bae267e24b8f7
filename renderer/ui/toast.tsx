// Short messages at the bottom of the rail, where they cover no part of a screen. With a narrow rail, they appear beside it. Any
// code can call `showToast`. The shell renders the message area once.
import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx.ts'

export interface ToastMessage {
  readonly title: string
  readonly detail?: ReactNode
  readonly tone?: 'neutral' | 'allowed' | 'refused'
}

const manager = Toast.createToastManager<{ readonly tone: NonNullable<ToastMessage['tone']> }>()

const LOOKS = {
  neutral: 'border-l-accent',
  allowed: 'border-l-allowed',
  refused: 'border-l-refused',
} as const

/** How long a message stays, in wall-clock milliseconds. The message stays while the pointer is over it. */
const SHOWN_MILLIS = 5_000
const REFUSED_MILLIS = 12_000

export function showToast({ title, detail, tone = 'neutral' }: ToastMessage): void {
  manager.add({
    title,
    description: detail,
    data: { tone },
    priority: tone === 'refused' ? 'high' : 'low',
    timeout: tone === 'refused' ? REFUSED_MILLIS : SHOWN_MILLIS,
  })
}

export function ToastArea(): ReactElement {
  return (
    <Toast.Provider toastManager={manager} limit={1}>
      <Toast.Portal>
        <Toast.Viewport className="fixed bottom-13 left-2 z-50 w-48 max-md:left-14 max-md:w-72">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList(): ReactNode {
  const { toasts } = Toast.useToastManager<{
    readonly tone: NonNullable<ToastMessage['tone']>
  }>()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={cx(
        'rounded-2 border border-l-2 border-line-strong bg-surface-3 py-[1px] pr-1 pl-3 shadow-pop data-[limited]:hidden',
        LOOKS[toast.data?.tone ?? 'neutral'],
      )}
    >
      <Toast.Content className="flex min-h-9 items-center gap-2">
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-strong break-words" />
          <Toast.Description className="text-small break-words text-ink-dim" />
        </div>
        <Toast.Close
          aria-label="Dismiss"
          className="rounded-1 p-1 text-ink-dim hover:bg-surface-2 hover:text-ink [&_svg]:size-3"
        >
          <X />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
