// One clause as Postgres joins it: OR over permissive policies, AND over restrictive ones.
import { ShieldHalf } from 'lucide-react'
import type { ReactElement } from 'react'
import type { PolicyVerdict } from '../../emulator/contract/explain.ts'
import { TruthMark, truthInk } from './truth-mark.tsx'
import type { XRayClause, XRayGroup } from './x-ray-model.ts'
import { Branch, Branches, Joint, XRayTree } from './x-ray-tree.tsx'

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
        <Group word="AND" meaning="restrictive: every one must hold" group={clause.restrictive} />
      )}
    </section>
  )
}

function Group({
  word,
  meaning,
  group,
}: {
  readonly word: string
  readonly meaning: string
  readonly group: XRayGroup
}): ReactElement {
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
        <span className="min-w-0 truncate font-mono font-strong" title={policy.name}>
          {policy.name}
        </span>
        {!policy.permissive && (
          <span className="inline-flex items-center gap-1 text-small text-ink-dim">
            <ShieldHalf aria-hidden size={11} /> restrictive
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
  if (policies.length === 0) return 'no permissive policy speaks here: nothing can pass'
  return policies.length === 1 ? 'the one permissive policy' : 'permissive: one of them is enough'
}
