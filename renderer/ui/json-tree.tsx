// Shows a JSON value as a tree. Strings show as text, even when they contain HTML.
import { ChevronRight } from 'lucide-react'
import { type ReactElement, type ReactNode, useState } from 'react'
import { CopyButton } from './copy-button.tsx'
import { cx } from './cx.ts'

export interface JsonTreeProps {
  readonly value: unknown
  readonly label?: string
  /** Number of levels that are expanded initially. */
  readonly open?: number
  /** Content to show after a value. `name` is the value's name in the outermost object. */
  readonly note?: (name: string, value: unknown) => ReactNode
}

/** The number of members to show. A button shows the other members. */
const MEMBERS_SHOWN = 200

export function JsonTree({ value, label = 'JSON', open = 2, note }: JsonTreeProps): ReactElement {
  return (
    <div className="relative min-w-0 overflow-auto rounded-2 border bg-surface-1 p-2 pr-9 font-mono">
      <Node value={value} open={open} note={note} />
      <div className="absolute top-1 right-1">
        <CopyButton text={JSON.stringify(value, null, 2) ?? ''} label={`Copy ${label}`} />
      </div>
    </div>
  )
}

interface NodeProps {
  readonly name?: string
  readonly value: unknown
  readonly open: number
  readonly note?: JsonTreeProps['note'] | undefined
}

function Node({ name, value, open, note }: NodeProps): ReactElement {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return <Branch value={value} open={open} {...(name === undefined ? { note } : { name })} />
  const remark = name === undefined ? undefined : note?.(name, value)
  return (
    <div className={cx('flex gap-x-2 pl-4', remark !== undefined && 'flex-wrap')}>
      <Name name={name} />
      <Leaf value={value} />
      {remark}
    </div>
  )
}

function Branch({ name, value, open, note }: NodeProps & { readonly value: object }): ReactElement {
  const [isOpen, setOpen] = useState(open > 0)
  const [isWhole, setWhole] = useState(false)
  const members = Object.entries(value)
  const [opening, closing] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-2 rounded-1 text-left hover:bg-surface-2"
      >
        <ChevronRight
          className={cx(
            '-mr-1 size-3 shrink-0 text-ink-dim transition-transform',
            isOpen && 'rotate-90',
          )}
        />
        <Name name={name} />
        <span className="text-ink-dim">
          {isOpen ? opening : `${opening} ${members.length} ${closing}`}
        </span>
      </button>
      {isOpen && (
        <div className="ml-[5px] border-l pl-2">
          {members.slice(0, isWhole ? undefined : MEMBERS_SHOWN).map(([key, member]) => (
            <Node key={key} name={key} value={member} open={open - 1} note={note} />
          ))}
          {members.length > MEMBERS_SHOWN && !isWhole && (
            <button
              type="button"
              className="pl-4 text-accent underline"
              onClick={() => setWhole(true)}
            >
              {members.length - MEMBERS_SHOWN} more
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function Name({ name }: { readonly name: string | undefined }): ReactElement | undefined {
  return name === undefined ? undefined : <span className="shrink-0 text-ink-dim">{name}:</span>
}

function Leaf({ value }: { readonly value: unknown }): ReactElement {
  if (value === null || value === undefined)
    return <span className="text-unknown italic">{String(value)}</span>
  if (typeof value === 'string')
    return (
      <span className="break-all whitespace-pre-wrap text-allowed">{JSON.stringify(value)}</span>
    )
  if (typeof value === 'object')
    return <span className="text-ink-dim">{Array.isArray(value) ? '[]' : '{}'}</span>
  if (typeof value === 'boolean') return <span className="text-clock">{String(value)}</span>
  return <span className="text-changed">{String(value)}</span>
}
