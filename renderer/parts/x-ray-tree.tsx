// Draws each clause of an X-ray as a tree. The tree joins permissive policies with OR and restrictive policies with
// AND.

import { ShieldHalf } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import type { ConditionNode, PolicyVerdict, TruthValue } from '../../emulator/contract/explain.ts'
import { Breakable } from '../ui/breakable.tsx'
import { cx } from '../ui/cx.ts'
import { TruthMark, truthInk } from './truth-mark.tsx'
import { XRayLeaf } from './x-ray-leaf.tsx'
import type { XRayClause, XRayGroup } from './x-ray-model.ts'

const JOINTS = {
  and: { word: 'AND', meaning: 'all must hold' },
  or: { word: 'OR', meaning: 'one must hold' },
  not: { word: 'NOT', meaning: 'must not hold' },
} as const

function XRayTree({ node }: { readonly node: ConditionNode }): ReactElement {
  if (node.kind === 'leaf') return <XRayLeaf leaf={node} />
  const joint = JOINTS[node.kind]
  return (
    <div className="min-w-0">
      <Joint word={joint.word} meaning={joint.meaning} value={node.value} decided={node.decided} />
      <Branches value={node.value}>
        {node.children.map((child, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same leaf may occur twice in one expression
          <Branch key={position}>
            <XRayTree node={child} />
          </Branch>
        ))}
      </Branches>
    </div>
  )
}

/** An operator above its branches, with the value of the joined branches. */
function Joint(props: {
  readonly word: string
  readonly meaning: string
  readonly value: TruthValue
  readonly decided: boolean
}): ReactElement {
  const { word, meaning, value, decided } = props
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

/** The branches below an operator, on a line in the colour of the operator's value. */
function Branches(props: {
  readonly value: TruthValue
  readonly children: ReactNode
}): ReactElement {
  const { value, children } = props
  return <ul className={cx('ml-2 grid gap-2 pt-1', LINES[value])}>{children}</ul>
}

// Each branch draws its own part of the vertical line, so that the line ends at the last branch.
function Branch({ children }: { readonly children: ReactNode }): ReactElement {
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

export function XRayClauseView({ clause }: { readonly clause: XRayClause }): ReactElement {
  return (
    <section aria-label={clause.title} className="grid gap-1.5">
      <header className="flex items-baseline gap-2">
        <h3 className="font-strong">
          <span className="font-mono text-accent">{clause.clause}</span>
          {clause.title.slice(clause.clause.length)}
        </h3>
        <span className={`ml-auto font-mono text-small ${truthInk(clause.value)}`}>
          {clause.value} → {clause.allowed ? 'passes' : 'refuses'}
        </span>
      </header>
      <Group word="OR" meaning={meaningOfPermissive(clause.permissive)} group={clause.permissive} />
      {clause.restrictive.policies.length > 0 && (
        <Group word="AND" meaning="restrictive: all must hold" group={clause.restrictive} />
      )}
    </section>
  )
}

function Group(props: {
  readonly word: string
  readonly meaning: string
  readonly group: XRayGroup
}): ReactElement {
  const { word, meaning, group } = props
  return (
    <div>
      <Joint word={word} meaning={meaning} value={group.value} decided={group.decided} />
      <Branches value={group.value}>
        {group.policies.map((policy) => (
          <Branch key={policy.name}>
            <PolicyBranch policy={policy} />
          </Branch>
        ))}
      </Branches>
    </div>
  )
}

function PolicyBranch({ policy }: { readonly policy: PolicyVerdict }): ReactElement {
  return (
    <div data-testid="policy-verdict" data-policy={policy.name} className="grid gap-1.5">
      <p className="flex items-center gap-2">
        <TruthMark value={policy.value} />
        <span className="min-w-0 font-mono font-strong break-words">
          <Breakable text={policy.name} />
        </span>
        {!policy.permissive && (
          <span className="inline-flex items-center gap-1 text-small text-ink-dim">
            <ShieldHalf size={11} /> restrictive
          </span>
        )}
      </p>
      <div className="ml-2">
        <XRayTree node={policy.tree} />
      </div>
    </div>
  )
}

function meaningOfPermissive({ policies }: XRayGroup): string {
  if (policies.length === 0) return 'no permissive policy applies: every row is refused'
  return policies.length === 1 ? 'the one permissive policy' : 'permissive: one must hold'
}
