// What menus, selects and popovers share.

/** Menus and lists of options open within the landmark of the screen, where assistive technology finds them. */
export const SCREEN: { readonly current: HTMLElement | null } = {
  get current() {
    return document.querySelector('main')
  },
}

export const POPUP =
  'max-h-(--available-height) overflow-auto rounded-2 border border-line-strong bg-surface-1 p-1 text-ink shadow-pop outline-none'

export const POPUP_ITEM =
  'flex min-h-7 items-center gap-2 rounded-1 px-2 outline-none select-none data-[highlighted]:bg-surface-3 data-[disabled]:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-dim'

export const FIELD =
  'h-7 w-full min-w-0 rounded-1 border border-line-strong bg-surface-0 px-2 text-ink placeholder:text-ink-dim hover:border-ink-dim/60 disabled:opacity-50 aria-invalid:border-refused'
