// Short messages at the lower right. Any code can call `showToast`. The shell renders the message area once.
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

export function showToast({ title, detail, tone = 'neutral' }: ToastMessage): void {
  manager.add({
    title,
    description: detail,
    data: { tone },
    priority: tone === 'refused' ? 'high' : 'low',
  })
}

export function ToastArea(): ReactElement {
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-80 flex-col gap-2">
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
        'rounded-2 border border-l-2 border-line-strong bg-surface-3 p-3 shadow-pop data-[limited]:hidden',
        LOOKS[toast.data?.tone ?? 'neutral'],
      )}
    >
      <Toast.Content className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-strong break-words" />
          <Toast.Description className="break-words text-ink-dim" />
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
