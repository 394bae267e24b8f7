// Shows one condition of a policy: its text, its operands with values and sources, and whether the condition decided
// the verdict.
import { Braces, Crosshair, Quote, Rows3, UserRound } from 'lucide-react'
import { Fragment, type ReactElement } from 'react'
import type { ConditionLeaf, Operand } from '../../emulator/contract/explain.ts'
import { cx } from '../ui/cx.ts'
import { SqlText } from './sql-text.tsx'
import { TruthMark, truthInk } from './truth-mark.tsx'
import { originOf } from './x-ray-model.ts'

const ORIGIN_ICONS = {
  row: Rows3,
  identity: UserRound,
  constant: Quote,
  expression: Braces,
} as const

export function XRayLeaf({ leaf }: { readonly leaf: ConditionLeaf }): ReactElement {
  return (
    <div
      data-testid={leaf.decided ? 'deciding-leaf' : 'leaf'}
      className={cx(
        'min-w-0 rounded-2 border',
        leaf.decided ? decidedFrame(leaf) : 'border-line bg-surface-1',
      )}
    >
      <div className="flex items-start gap-2 px-2 py-1.5">
        <span className="mt-0.5">
          <TruthMark value={leaf.value} />
        </span>
        <span className="min-w-0 flex-1">
          <SqlText sql={leaf.text} />
        </span>
        {leaf.decided && <Decides leaf={leaf} />}
      </div>
      {leaf.operands.length > 0 && (leaf.decided ? <Sides leaf={leaf} /> : <Inline leaf={leaf} />)}
      {leaf.error !== null && (
        <p className="border-t border-line px-2 py-1 text-refused">{leaf.error}</p>
      )}
      {leaf.note !== null && (
        <p className="border-t border-line px-2 py-1 text-ink-dim">{leaf.note}</p>
      )}
    </div>
  )
}

function Decides({ leaf }: { readonly leaf: ConditionLeaf }): ReactElement {
  return (
    <span
      className={cx(
        'mt-px inline-flex shrink-0 items-center gap-1 text-small font-strong',
        truthInk(leaf.value),
      )}
    >
      <Crosshair size={12} />
      decides
    </span>
  )
}

function Sides({ leaf }: { readonly leaf: ConditionLeaf }): ReactElement | undefined {
  const [left, right, ...more] = leaf.operands
  if (left === undefined) return undefined
  if (right === undefined || more.length > 0)
    return (
      <div className="grid gap-px border-t border-line">
        {leaf.operands.map((operand) => (
          <Side key={operand.text} operand={operand} />
        ))}
      </div>
    )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-stretch border-t border-line">
      <Side operand={left} />
      <span
        className={cx(
          'grid min-w-8 place-items-center border-x border-line px-2 font-mono font-strong',
          truthInk(leaf.value),
        )}
      >
        {leaf.operator ?? '·'}
      </span>
      <Side operand={right} />
    </div>
  )
}

// A condition that did not decide the verdict takes one line. Hovering shows the sources of the condition's values.
function Inline({ leaf }: { readonly leaf: ConditionLeaf }): ReactElement {
  return (
    <p className="-mt-1 flex min-w-0 flex-wrap items-center gap-x-2 px-2 pb-1 pl-8 text-small text-ink-dim">
      {leaf.operands.map((operand, position) => (
        <Fragment key={operand.text}>
          {position > 0 && <span className="font-mono">{leaf.operator ?? '·'}</span>}
          <InlineSide operand={operand} />
        </Fragment>
      ))}
    </p>
  )
}

function InlineSide({ operand }: { readonly operand: Operand }): ReactElement {
  const Icon = ORIGIN_ICONS[operand.from]
  return (
    <span
      title={`${originOf(operand)}: ${operand.text}`}
      className="inline-flex max-w-full min-w-0 items-center gap-1"
    >
      <Icon size={11} className="shrink-0" />
      <span data-testid="operand-value" className="truncate font-mono text-ink">
        <Value value={operand.value} />
      </span>
    </span>
  )
}

function Value({ value }: { readonly value: string | null }): ReactElement {
  if (value === null) return <span className="text-unknown italic">null</span>
  if (value === '') return <span className="text-unknown italic">empty text</span>
  return <>{value}</>
}

function Side({ operand }: { readonly operand: Operand }): ReactElement {
  const Icon = ORIGIN_ICONS[operand.from]
  return (
    <div className="min-w-0 px-2 py-1.5">
      <p className="flex items-center gap-1 text-small text-ink-dim">
        <Icon size={11} className="shrink-0" />
        <span className="shrink-0">{originOf(operand)}</span>
        <span className="truncate font-mono" title={operand.text}>
          {operand.text}
        </span>
      </p>
      <p data-testid="operand-value" className="font-mono break-all line-clamp-4">
        <Value value={operand.value} />
      </p>
    </div>
  )
}

function decidedFrame({ value }: ConditionLeaf): string {
  if (value === 'true') return 'border-allowed/60 bg-allowed/8 border-l-3'
  if (value === 'null') return 'border-unknown/60 bg-unknown/8 border-l-3'
  return 'border-refused/60 bg-refused/8 border-l-3'
}
