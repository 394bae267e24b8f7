// The popup of all tooltips. It shows the text of the element under the pointer, or of the element with the keyboard's focus.
import { Tooltip as Base } from '@base-ui/react/tooltip'
import { type ReactElement, useEffect, useState } from 'react'
import { after } from '../api/time.ts'
import { Kbd } from '../ui/kbd.tsx'
import { type Tip, tipOf } from '../ui/tooltip.tsx'

/** Wall-clock milliseconds that the pointer rests on an element. */
const DELAY = 400

export function TooltipArea(): ReactElement | undefined {
  const [tip, setTip] = useState<Tip>()
  useEffect(() => watchTips(setTip), [])
  if (tip === undefined) return undefined
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Positioner
          anchor={tip.element}
          side={tip.side}
          sideOffset={6}
          className="pointer-events-none z-50"
        >
          <Base.Popup className="flex max-w-80 items-center gap-2 rounded-1 border border-line-strong bg-surface-3 px-2 py-1 text-small text-ink shadow-pop">
            {tip.text}
            {tip.keys !== undefined && <Kbd keys={tip.keys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Calls `show` with each tooltip to show, and with `undefined` to hide the tooltip. Returns a function that stops watching. */
function watchTips(show: (tip: Tip | undefined) => void): () => void {
  let shown: Tip | undefined
  let waiting: Tip | undefined
  let cancel = () => {}
  const set = (tip: Tip | undefined) => {
    cancel()
    waiting = undefined
    if (shown?.element === tip?.element) return
    shown = tip
    show(tip)
  }
  const end = () => set(undefined)
  const onOver = ({ pointerType, target }: PointerEvent) => {
    if (pointerType === 'touch') return
    const tip = tipOf(target)
    if (tip === undefined || shown !== undefined) return set(tip)
    if (tip.element === waiting?.element) return
    cancel()
    waiting = tip
    cancel = after(DELAY, () => set(tip))
  }
  const onFocus = ({ target }: FocusEvent) =>
    set(target instanceof Element && target.matches(':focus-visible') ? tipOf(target) : undefined)
  const listening = new AbortController()
  const options = { capture: true, passive: true, signal: listening.signal }
  document.addEventListener('pointerover', onOver, options)
  document.addEventListener('focusin', onFocus, options)
  for (const event of ['pointerdown', 'keydown', 'focusout', 'scroll', 'wheel'])
    document.addEventListener(event, end, options)
  document.documentElement.addEventListener('pointerleave', end, options)
  return () => {
    end()
    listening.abort()
  }
}
