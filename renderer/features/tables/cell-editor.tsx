// The editor of a cell. Enter saves and Esc discards the value. A value that is not saved stays in the cell, with the reason.
// Enums and booleans have a list of choices. JSON and long texts have more space.
import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { TableColumn } from '../../../emulator/contract/tables.ts'
import { type CellKind, editableText, kindOfType, problemOf } from '../../parts/cell-kind.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useLatest } from '../../ui/use-latest.ts'
import type { CellRefusal, UnsavedCell } from './unsaved-cells.ts'
import { useRoomAround } from './use-room-around.ts'

const LONG = 60

export interface CellWrite {
  readonly value: string | null
  /** The stored value that the user wants to replace. The value is refused when the cell now has another one. */
  readonly seen: string | null
}

export interface CellEditorProps {
  readonly column: TableColumn
  readonly value: string | null
  /** A value that was typed earlier and is not saved. */
  readonly unsaved: UnsavedCell | undefined
  /** Saves the value. Resolves with the reason when the value was refused. */
  readonly onWrite: (write: CellWrite) => Promise<CellRefusal | undefined>
  /** Called with the typed value when the editor closes without saving the value. */
  readonly onKeep: (cell: UnsavedCell) => void
  readonly onForget: () => void
  readonly onLeave: () => void
}

export function CellEditor(props: CellEditorProps): ReactElement {
  const { column, unsaved } = props
  const kind = kindOfType(column.type, column.choices)
  // Stays the same when the rows reload behind the editor, because the user does not see the new value.
  const [seen] = useState(unsaved === undefined ? props.value : unsaved.seen)
  const before = editableText(kind, seen)
  const draft = useDraft(props, seen, kind)
  const { text, isBusy, refusal } = draft
  const [box, edges] = useRoomAround(refusal?.reason)
  const problem = text === '' ? undefined : problemOf(kind, text)
  const choices = kind === 'boolean' ? ['true', 'false'] : column.choices
  const isTall = kind === 'json' || before.length > LONG || before.includes('\n')
  const save = (next: string | null) => {
    if (isBusy) return
    if (next === null ? seen === null : seen !== null && next === before) return draft.leave()
    void draft.send({ value: next, seen })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') {
      event.preventDefault()
      // Prevents Esc from also closing the sheet, because React's stopPropagation does not stop listeners on the
      // window.
      event.nativeEvent.stopImmediatePropagation()
      draft.leave()
    } else if (event.key === 'Enter' && !(isTall && event.shiftKey) && problem === undefined) {
      event.preventDefault()
      save(text)
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside is focusable
    <div
      ref={box}
      {...keptFromGrid}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) draft.lay(problem)
      }}
      className={cx(
        'absolute z-30 w-max max-w-[80cqw] min-w-full rounded-1 border bg-surface-1 shadow-pop',
        refusal === undefined ? 'border-accent' : 'border-refused',
        edges,
      )}
    >
      <Field
        name={column.name}
        choices={choices}
        isTall={isTall}
        isNull={seen === null}
        isBusy={isBusy}
        isWrong={problem !== undefined || refusal !== undefined}
        text={text}
        onText={draft.type}
        onChoice={(choice) => {
          draft.type(choice)
          save(choice)
        }}
        onKeyDown={onKeyDown}
      />
      <Footer
        problem={problem ?? refusal?.reason}
        isBusy={isBusy}
        onAnyway={draft.overwrite}
        onNull={column.is_nullable ? () => save(null) : undefined}
      />
    </div>
  )
}

/** Keeps clicks in the editor from moving the grid's cursor. */
const keptFromGrid = {
  onClick: (event: SyntheticEvent) => event.stopPropagation(),
  onDoubleClick: (event: SyntheticEvent) => event.stopPropagation(),
}

const NOT_SAVED = 'Not saved. Press Enter in the cell to save the value.'

interface Draft {
  readonly text: string
  readonly isBusy: boolean
  /** The last value that was not saved, and why. */
  readonly refusal: UnsavedCell | undefined
  readonly type: (text: string) => void
  /** Closes the editor, and discards the typed value. */
  readonly leave: () => void
  /** Writes the value. Closes the editor when the write succeeds. */
  readonly send: (write: CellWrite) => Promise<void>
  /** Replaces the present value that the refusal names. `undefined` when the refusal has another reason. */
  readonly overwrite: (() => void) | undefined
  /** Closes the editor, and keeps the typed value in the cell. */
  readonly lay: (problem: string | undefined) => void
}

function useDraft(props: CellEditorProps, seen: string | null, kind: CellKind): Draft {
  const { unsaved, onWrite, onKeep, onForget, onLeave } = props
  const before = editableText(kind, seen)
  const [text, setText] = useState(
    unsaved === undefined ? before : editableText(kind, unsaved.value),
  )
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState(unsaved)
  const isUnchanged = text === before && refusal?.now === undefined
  const keep = (problem: string | undefined) =>
    onKeep(refusal ?? { value: text, seen, reason: problem ?? NOT_SAVED })
  const isClosed = useClosed(() => {
    if (!isUnchanged) keep(undefined)
  })
  const close = () => {
    if (isClosed.current) return
    isClosed.current = true
    onLeave()
  }
  const leave = () => {
    onForget()
    close()
  }
  const send = async (write: CellWrite) => {
    setBusy(true)
    const refused = await onWrite(write)
    setBusy(false)
    if (refused === undefined) return leave()
    const cell = { ...refused, value: write.value, seen }
    setRefusal(cell)
    if (isClosed.current) onKeep(cell)
  }
  const now = refusal?.now
  return {
    text,
    isBusy,
    refusal,
    type: (next) => {
      setText(next)
      setRefusal(undefined)
    },
    leave,
    send,
    overwrite:
      now === undefined ? undefined : () => void send({ value: refusal?.value ?? null, seen: now }),
    lay: (problem) => {
      if (isBusy || isClosed.current) return
      if (isUnchanged) return leave()
      keep(problem)
      close()
    },
  }
}

/**
 * Whether the editor has closed. A closing editor must not store a value that was saved, discarded or stored.
 * @param onRemoved called when an open editor leaves the page, for example because another client has deleted the row
 */
function useClosed(onRemoved: () => void): RefObject<boolean> {
  const isClosed = useRef(false)
  const { removed } = useLatest({ removed: onRemoved })
  useEffect(() => {
    isClosed.current = false
    return () => {
      if (!isClosed.current) removed()
      isClosed.current = true
    }
  }, [removed])
  return isClosed
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
    'aria-busy': props.isBusy || undefined,
    // A disabled field would lose the focus while the value is sent.
    readOnly: props.isBusy,
    value: props.text,
    spellCheck: false,
    autoFocus: true,
    onKeyDown: props.onKeyDown,
    className: cx(
      'w-full bg-surface-0 px-2 font-mono text-ink outline-none',
      isTall ? 'h-36 resize py-1.5' : 'h-7',
    ),
  }
  const { readOnly: _isBusy, ...choice } = shared
  if (choices !== null)
    return (
      <select {...choice} onChange={(event) => props.onChoice(event.target.value)}>
        {(isNull || props.text === '') && <option value="">null</option>}
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
  /** Writes the value although the cell has changed. */
  readonly onAnyway: (() => void) | undefined
  readonly onNull: (() => void) | undefined
}): ReactElement {
  const { problem, isBusy, onAnyway, onNull } = props
  return (
    <div className="flex items-center gap-3 border-t px-2 py-1 font-sans text-small text-ink-dim">
      {problem === undefined || isBusy ? (
        <span className="whitespace-nowrap">
          {isBusy ? 'Saving…' : 'Enter saves · Esc cancels'}
        </span>
      ) : (
        <span role="alert" className="max-w-72 text-left text-refused">
          {problem}
        </span>
      )}
      {onAnyway !== undefined && !isBusy && <FootButton label="Write anyway" onClick={onAnyway} />}
      {onNull !== undefined && <FootButton label="Set null" onClick={onNull} />}
    </div>
  )
}

function FootButton(props: { readonly label: string; readonly onClick: () => void }): ReactElement {
  return (
    <Button
      size="small"
      className="ml-auto"
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={props.onClick}
    >
      {props.label}
    </Button>
  )
}
