// The conditions of a plan's node. Conditions that policies added are marked and lead to the policies.

import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import type { ReactElement } from 'react'
import type { PlanNode } from '../../../emulator/contract/query-plans.ts'
import { Breakable } from '../../ui/breakable.tsx'
import { countOf } from '../../ui/form-values.ts'
import { SqlText } from '../sql-text.tsx'

export function PlanConditions(props: {
  readonly tenant: string
  readonly node: PlanNode
  readonly as: string | undefined
}): ReactElement {
  const { tenant, node, as } = props
  return (
    <>
      {node.conditions.map(({ kind, text, is_policy: isPolicy }) => (
        <div key={`${kind} ${text}`} className="flex min-w-0 flex-col gap-1 text-small">
          {isPolicy && <PolicyMark tenant={tenant} node={node} as={as} />}
          <div className="min-w-0 break-words whitespace-pre-wrap text-ink-dim">
            {kind}: <SqlText sql={text} />
          </div>
        </div>
      ))}
      {node.rows_removed !== null && node.rows_removed > 0 && (
        <span className="text-small text-ink-dim">{countOf(node.rows_removed, 'row')} removed</span>
      )}
    </>
  )
}

function PolicyMark(props: {
  readonly tenant: string
  readonly node: PlanNode
  readonly as: string | undefined
}): ReactElement {
  const { tenant, node, as } = props
  const look =
    'inline-flex max-w-full items-center gap-1 self-start rounded-1 border border-clock/40 bg-clock-tint px-1 text-clock'
  const content = (
    <>
      <ShieldCheck size={12} className="shrink-0" />
      <span className="min-w-0 break-words">
        {node.policies.length === 0 ? (
          'Row-level security'
        ) : (
          <Breakable
            text={`${node.policies.length === 1 ? 'Policy' : 'Policies'} ${node.policies.join(', ')}`}
          />
        )}
      </span>
    </>
  )
  if (node.relation === null) return <span className={look}>{content}</span>
  return (
    <Link
      to="/t/$tenant/policies/$table"
      params={{ tenant, table: node.relation }}
      search={as === undefined ? {} : { as, view: 'rows' }}
      className={`${look} hover:border-clock`}
    >
      {content}
    </Link>
  )
}
