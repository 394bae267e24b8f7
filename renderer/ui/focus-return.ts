// Returns the focus after a sheet, an editor or a dialog closes. Without it, the focus would be on the page's body and the
// keyboard would start at the top again.
import { useEffect, useState } from 'react'

/** While mounted, remembers the element that had the focus before. Returns the focus to it when the focus would be lost. */
export function useFocusReturn(): void {
  const [opener] = useState(() => openerOf(document.activeElement))
  useEffect(
    () => () => {
      if (document.activeElement !== null && document.activeElement !== document.body) return
      for (const target of targetsAfter(opener)) {
        target.focus({ preventScroll: true })
        if (document.activeElement === target) return
      }
    },
    [opener],
  )
}

interface Opener {
  readonly element: HTMLElement
  /** The accessible name, because another screen may have replaced the element meanwhile. */
  readonly name: string
}

function openerOf(element: Element | null): Opener | undefined {
  if (!(element instanceof HTMLElement) || element === document.body) return undefined
  return { element, name: nameOf(element) }
}

const ACTIONS = ':is(a[href], button)'

/** Returns the opener, the element with its name, and the list, as far as the page has them. */
function targetsAfter(opener: Opener | undefined): readonly HTMLElement[] {
  const screen = document.querySelector('main') ?? document.body
  const named =
    opener === undefined || opener.name === ''
      ? undefined
      : [...screen.querySelectorAll<HTMLElement>(ACTIONS)].find(
          (element) => nameOf(element) === opener.name,
        )
  const list = screen.querySelector<HTMLElement>('[role=grid], [role=tree], [role=listbox]')
  return [opener?.element, named, list, screen.querySelector<HTMLElement>(ACTIONS)].filter(
    (target) => target?.isConnected === true,
  ) as HTMLElement[]
}

function nameOf(element: HTMLElement): string {
  return element.getAttribute('aria-label') ?? element.textContent.trim()
}
