// A policy's expression as a tree of AND, OR and NOT, with lines from each joint to its branches.
import type { ReactElement, ReactNode } from 'react'
import type { ConditionNode, TruthValue } from '../../emulator/contract/explain.ts'
import { cx } from '../ui/cx.ts'
import { TruthMark, truthInk } from './truth-mark.tsx'
import { XRayLeaf } from './x-ray-leaf.tsx'

const JOINTS = {
  and: { word: 'AND', meaning: 'every one must hold' },
  or: { word: 'OR', meaning: 'one is enough' },
  not: { word: 'NOT', meaning: 'must not hold' },
} as const

export function XRayTree({ node }: { readonly node: ConditionNode }): ReactElement {
  if (node.kind === 'leaf') return <XRayLeaf leaf={node} />
  const joint = JOINTS[node.kind]
  return (
    <div className="min-w-0">
      <Joint word={joint.word} meaning={joint.meaning} value={node.value} decided={node.decided} />
      <Branches value={node.value}>
        {node.children.map((child, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same leaf may stand twice in one expression
          <Branch key={position}>
            <XRayTree node={child} />
          </Branch>
        ))}
      </Branches>
    </div>
  )
}

/** The word that joins what stands below it, with the value they have together. */
export function Joint({
  word,
  meaning,
  value,
  decided,
}: {
  readonly word: string
  readonly meaning: string
  readonly value: TruthValue
  readonly decided: boolean
}): ReactElement {
  return (
    <p className="flex items-center gap-2 py-0.5">
      <TruthMark value={value} />
      <span className={cx('font-mono font-strong', decided ? truthInk(value) : 'text-ink-dim')}>
        {word}
      </span>
      <span className="text-small text-ink-dim">{meaning}</span>
    </p>
  )
}

/** What hangs below a joint, on a line of the colour of its value. */
export function Branches({
  value,
  children,
}: {
  readonly value: TruthValue
  readonly children: ReactNode
}): ReactElement {
  return <ul className={cx('ml-2 grid gap-2 pt-1', LINES[value])}>{children}</ul>
}

// Each branch draws its own piece of the line, so that it ends at the last one's arm.
export function Branch({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <li className="relative min-w-0 pl-5 before:absolute before:-top-2 before:left-0 before:h-[calc(100%+8px)] before:border-l before:border-inherit last:before:h-5 after:absolute after:top-3 after:left-0 after:w-4 after:border-t after:border-inherit border-inherit">
      {children}
    </li>
  )
}

const LINES: Readonly<Record<TruthValue, string>> = {
  true: 'border-allowed/60',
  false: 'border-refused/50',
  null: 'border-unknown/50',
  error: 'border-refused/50',
}
