// What is written: warnings, grants, and each policy with its expressions laid out.
import type { ReactElement } from 'react'
import type { PolicyOverview } from '../../../emulator/contract/explain.ts'
import { WarningList } from '../../parts/warning-list.tsx'
import { Section } from '../../ui/sheet.tsx'
import { GrantsTable } from './grants-table.tsx'
import { PolicyCard } from './policy-card.tsx'

export interface RulesViewProps {
  readonly tenant: string
  readonly table: PolicyOverview['tables'][number]
}

export function RulesView({ tenant, table }: RulesViewProps): ReactElement {
  const permissive = table.policies.filter((policy) => policy.permissive)
  const restrictive = table.policies.filter((policy) => !policy.permissive)
  return (
    <div className="grid min-h-0 flex-1 auto-rows-min gap-6 overflow-auto p-4">
      {table.warnings.length > 0 && <WarningList tenant={tenant} warnings={table.warnings} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid gap-6">
          <Section title={`Permissive: one of them is enough (${permissive.length})`}>
            {permissive.length === 0 ? (
              <p className="text-ink-dim">{emptyWords(table)}</p>
            ) : (
              permissive.map((policy) => <PolicyCard key={policy.name} policy={policy} />)
            )}
          </Section>
          {restrictive.length > 0 && (
            <Section title={`Restrictive: every one must hold (${restrictive.length})`}>
              {restrictive.map((policy) => (
                <PolicyCard key={policy.name} policy={policy} />
              ))}
            </Section>
          )}
        </div>
        <Section title="Grants on the table">
          <GrantsTable grants={table.grants} />
        </Section>
      </div>
    </div>
  )
}

function emptyWords({ is_closed, rls_enabled }: RulesViewProps['table']): string {
  if (is_closed) return 'The platform keeps this table to itself; no policy opens it.'
  return rls_enabled
    ? 'No permissive policy: with row-level security on, nobody but owner and service role sees a row.'
    : 'No policy, and row-level security is off: grants alone decide.'
}
