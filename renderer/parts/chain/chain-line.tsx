// Shows the links of a request's access chain in one line. A shape shows the state of each link. Arrow keys move along
// the line.
import { Check, X } from 'lucide-react'
import { type KeyboardEvent, type ReactElement, useRef } from 'react'
import type { ChainLink } from '../../../emulator/contract/explain.ts'
import { cx } from '../../ui/cx.ts'
import { LINK_NAMES, LINK_WORDS, type ShownLink } from './chain-model.ts'

interface ChainLineProps {
  readonly links: readonly ShownLink[]
  /** Position of the selected link. */
  readonly chosen: number
  readonly onChoose: (place: number) => void
}

export function ChainLine({ links, chosen, onChoose }: ChainLineProps): ReactElement {
  const list = useRef<HTMLOListElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = chosen + step
    if (step === 0 || next < 0 || next >= links.length) return
    event.preventDefault()
    event.stopPropagation()
    onChoose(next)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <ol
      ref={list}
      aria-label="Chain"
      onKeyDown={onKeyDown}
      className="flex min-w-0 overflow-x-auto px-2 pt-3 pb-1"
    >
      {links.map((link, place) => (
        <ChainStop
          key={link.link}
          link={link}
          before={links[place - 1]}
          isChosen={place === chosen}
          onChoose={() => onChoose(place)}
        />
      ))}
    </ol>
  )
}

function ChainStop(props: {
  readonly link: ShownLink
  readonly before: ShownLink | undefined
  readonly isChosen: boolean
  readonly onChoose: () => void
}): ReactElement {
  const { link, before, isChosen, onChoose } = props
  const word = link.state === 'broken' && !link.isCulprit ? 'also fails' : LINK_WORDS[link.state]
  return (
    <li
      data-link={link.link}
      data-state={link.state}
      className="relative flex min-w-14 flex-1 justify-center"
    >
      {before !== undefined && (
        <span
          aria-hidden="true"
          className={cx(
            'absolute top-4 right-1/2 w-full border-t-2',
            link.isReached
              ? link.isCulprit
                ? 'border-refused/60'
                : 'border-allowed/40'
              : 'border-dashed border-line-strong',
          )}
        />
      )}
      <button
        type="button"
        aria-pressed={isChosen}
        tabIndex={isChosen ? 0 : -1}
        onClick={onChoose}
        className={cx(
          'z-10 flex flex-col items-center rounded-2 px-1 pt-1 pb-1 whitespace-nowrap hover:bg-surface-2',
          isChosen && 'bg-surface-2',
        )}
      >
        <ChainMark state={link.state} />
        <span
          className={cx(
            'text-small',
            link.isCulprit ? 'font-strong text-refused' : 'text-ink',
            (link.state === 'unknown' || link.state === 'not_needed') && 'text-ink-dim',
          )}
        >
          {LINK_NAMES[link.link]}
        </span>
        {/* In a narrow sheet, the words of nine links need two lines. */}
        <span
          className={cx(
            'text-center text-small whitespace-normal',
            link.isCulprit ? 'text-refused' : 'text-ink-dim',
          )}
        >
          {word}
        </span>
      </button>
    </li>
  )
}

const LOOKS: Readonly<Record<ChainLink['state'], string>> = {
  holds: 'rounded-full border-allowed/60 bg-allowed/16 text-allowed',
  broken: 'rounded-1 border-refused bg-refused/20 text-refused',
  unknown: 'rounded-full border-dashed border-unknown/60 text-unknown',
  not_needed: 'rounded-full border-line text-ink-dim',
}

function ChainMark({ state }: { readonly state: ChainLink['state'] }): ReactElement {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'relative z-10 grid size-6 shrink-0 place-items-center border bg-surface-1 [&_svg]:size-3',
        LOOKS[state],
      )}
    >
      {state === 'holds' && <Check strokeWidth={2.5} />}
      {state === 'broken' && <X strokeWidth={3} />}
      {state === 'not_needed' && <span className="size-1 rounded-full bg-current" />}
    </span>
  )
}
