// The editor of a cell. Enter saves and Esc cancels. Enums and booleans have a list of choices. JSON and long texts
// have more space.
import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { TableColumn } from '../../../emulator/contract/tables.ts'
import { editableText, kindOfType, problemOf } from '../../parts/cell-kind.ts'
import { cx } from '../../ui/cx.ts'

const LONG = 60

export function CellEditor(props: {
  readonly column: TableColumn
  readonly value: string | null
  readonly onWrite: (value: string | null) => Promise<void>
  readonly onLeave: () => void
}): ReactElement {
  const { column, value, onWrite, onLeave } = props
  const [box, growsLeft] = useRoomAtRight()
  const kind = kindOfType(column.type, column.choices)
  const before = editableText(kind, value)
  const [text, setText] = useState(before)
  const [isBusy, setBusy] = useState(false)
  const problem = text === '' ? undefined : problemOf(kind, text)
  const choices = kind === 'boolean' ? ['true', 'false'] : column.choices
  const isTall = kind === 'json' || before.length > LONG || before.includes('\n')
  const save = async (next: string | null) => {
    if (next === null ? value === null : value !== null && next === before) return onLeave()
    setBusy(true)
    await onWrite(next)
    onLeave()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') {
      event.preventDefault()
      // Prevents Esc from also closing the sheet, because React's stopPropagation does not stop listeners on the
      // window.
      event.nativeEvent.stopImmediatePropagation()
      onLeave()
    } else if (event.key === 'Enter' && !(isTall && event.shiftKey) && problem === undefined) {
      event.preventDefault()
      void save(text)
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps clicks in the editor from moving the grid's cursor
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field inside handles the keys
    <div
      ref={box}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onBlur={(event) => {
        if (!isBusy && !event.currentTarget.contains(event.relatedTarget)) onLeave()
      }}
      className={cx(
        'absolute -top-px z-30 w-max max-w-[80cqw] min-w-full rounded-1 border border-accent bg-surface-1 shadow-pop',
        growsLeft ? 'right-0' : 'left-0',
      )}
    >
      <Field
        name={column.name}
        choices={choices}
        isTall={isTall}
        isNull={value === null}
        isBusy={isBusy}
        isWrong={problem !== undefined}
        text={text}
        onText={setText}
        onChoice={(choice) => void save(choice)}
        onKeyDown={onKeyDown}
      />
      <Footer
        problem={problem}
        isBusy={isBusy}
        onNull={column.is_nullable ? () => void save(null) : undefined}
      />
    </div>
  )
}

function Field(props: {
  readonly name: string
  readonly choices: readonly string[] | null
  readonly isTall: boolean
  readonly isNull: boolean
  readonly isBusy: boolean
  readonly isWrong: boolean
  readonly text: string
  readonly onText: (text: string) => void
  readonly onChoice: (choice: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}): ReactElement {
  const { choices, isTall, isNull, onText } = props
  const shared = {
    'aria-label': props.name,
    'aria-invalid': props.isWrong || undefined,
    disabled: props.isBusy,
    value: props.text,
    spellCheck: false,
    autoFocus: true,
    onKeyDown: props.onKeyDown,
    className: cx(
      'w-full bg-surface-0 px-2 font-mono text-ink outline-none',
      isTall ? 'h-36 resize py-1.5' : 'h-7',
    ),
  }
  if (choices !== null)
    return (
      <select {...shared} onChange={(event) => props.onChoice(event.target.value)}>
        {isNull && <option value="">null</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    )
  if (isTall)
    return <textarea {...shared} cols={44} onChange={(event) => onText(event.target.value)} />
  return (
    <input
      {...shared}
      placeholder={isNull ? 'null' : ''}
      onChange={(event) => onText(event.target.value)}
    />
  )
}

function Footer(props: {
  readonly problem: string | undefined
  readonly isBusy: boolean
  readonly onNull: (() => void) | undefined
}): ReactElement {
  const { problem, isBusy, onNull } = props
  return (
    <div className="flex items-center gap-3 border-t px-2 py-0.5 font-sans text-small whitespace-nowrap text-ink-dim">
      {problem === undefined ? (
        <span>{isBusy ? 'Saving…' : 'Enter saves · Esc cancels'}</span>
      ) : (
        <span className="text-refused">{problem}</span>
      )}
      {onNull !== undefined && (
        <button
          type="button"
          className="ml-auto rounded-1 px-1 italic hover:bg-surface-3 hover:text-ink"
          onMouseDown={(event) => event.preventDefault()}
          onClick={onNull}
        >
          Set null
        </button>
      )}
    </div>
  )
}

// The editor grows to the left when the grid is too narrow on the right.
function useRoomAtRight(): readonly [RefObject<HTMLDivElement | null>, boolean] {
  const box = useRef<HTMLDivElement>(null)
  const [growsLeft, setGrowsLeft] = useState(false)
  useLayoutEffect(() => {
    const end = box.current?.closest('[role=grid]')?.getBoundingClientRect().right
    const own = box.current?.getBoundingClientRect().right
    setGrowsLeft(own !== undefined && end !== undefined && own > end)
  }, [])
  return [box, growsLeft]
}
