// Which role has which privilege on the whole table.

import { Check, Minus } from 'lucide-react'
import type { ReactElement } from 'react'
import { ROLES } from '../../../emulator/contract/choices.ts'

const COMMANDS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const

export function GrantsTable({
  grants,
}: {
  readonly grants: Readonly<Record<string, readonly string[]>>
}): ReactElement {
  const roles = [...new Set([...ROLES, ...Object.keys(grants)])]
  return (
    <table className="w-max border-collapse rounded-2 border text-small">
      <thead>
        <tr className="h-7 bg-surface-1">
          <th className="border-b px-3 text-left font-normal text-ink-dim">role</th>
          {COMMANDS.map((command) => (
            <th key={command} className="border-b px-2 font-mono font-normal text-ink-dim">
              {command.toLowerCase()}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {roles.map((role) => (
          <tr key={role} className="h-7">
            <th className="border-b px-3 text-left font-mono font-normal">{role}</th>
            {COMMANDS.map((command) => (
              <td key={command} className="border-b text-center">
                <Grant
                  isGiven={grants[role]?.some((given) => given.toUpperCase() === command) === true}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Grant({ isGiven }: { readonly isGiven: boolean }): ReactElement {
  const Icon = isGiven ? Check : Minus
  return (
    <Icon
      role="img"
      aria-label={isGiven ? 'granted' : 'not granted'}
      size={13}
      className={isGiven ? 'inline text-allowed' : 'inline text-ink-dim'}
    />
  )
}
