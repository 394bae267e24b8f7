// Place and look that menus, selects and popovers share.
import { type Context, createContext } from 'react'

/**
 * The element that contains open menus and lists of options. By default the screen's landmark, where assistive technology finds
 * them. `undefined` means the layer of a dialog or a panel above the screen.
 */
export const PopupPlace: Context<{ readonly current: HTMLElement | null } | undefined> =
  createContext<{ readonly current: HTMLElement | null } | undefined>({
    get current() {
      return document.querySelector<HTMLElement>('main')
    },
  })

export const POPUP =
  'max-h-(--available-height) overflow-auto rounded-2 border border-line-strong bg-surface-1 p-1 text-ink shadow-pop outline-none'

export const POPUP_ITEM =
  'flex min-h-7 items-center gap-2 rounded-1 px-2 outline-none select-none data-[highlighted]:bg-surface-3 data-[disabled]:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-dim'

export const FIELD =
  'h-7 w-full min-w-0 rounded-1 border border-line-strong bg-surface-0 px-2 text-ink placeholder:text-ink-dim hover:border-ink-dim/60 disabled:opacity-50 aria-invalid:border-refused'
