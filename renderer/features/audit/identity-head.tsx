// The header of a grid of tables and identities: one column for each identity.
import type { ReactElement } from 'react'
import type { AuditIdentity } from '../../../emulator/contract/audit.ts'
import { NOTES } from './texts.ts'

export function IdentityHead(props: {
  readonly corner: string
  readonly identities: readonly AuditIdentity[]
}): ReactElement {
  const { corner, identities } = props
  return (
    <thead>
      <tr>
        <th className="sticky top-0 left-0 z-20 min-w-56 border-r border-b border-line-strong bg-surface-1 px-3 text-left font-normal text-ink-dim">
          {corner}
        </th>
        {identities.map(({ label, role }) => {
          const [name, domain] = label.split('@')
          return (
            <th
              key={label}
              title={`${label} (${role})`}
              className="sticky top-0 z-10 h-11 w-28 max-w-28 border-r border-b border-line-strong bg-surface-1 px-2 text-left font-normal"
            >
              <span className="block truncate">{name}</span>
              <span className="block truncate text-small text-ink-dim">
                {domain === undefined ? detailOf(label, role) : `@${domain}`}
              </span>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

function detailOf(label: string, role: string): string {
  if (label === 'new user') return NOTES.newUser
  return label === role ? 'key' : role
}
