// Lists the rows that identities newly see, or no longer see, after migration steps.
import type { ReactElement } from 'react'
import type { VisibilityChange } from '../../emulator/contract/rehearsals.ts'
import { countOf } from '../ui/form-values.ts'

export function VisibilityChanges(props: {
  /** Each change has its project's slug when the list has several projects. */
  readonly changes: readonly (VisibilityChange & { readonly project?: string })[]
}): ReactElement | undefined {
  if (props.changes.length === 0) return undefined
  return (
    <ul aria-label="Visibility changes" className="flex flex-col gap-1 pb-1">
      {props.changes.map(({ error, example, gained, identity, lost, project, table }) => (
        <li
          key={`${project} ${table} ${identity}`}
          className="rounded-1 bg-surface-1 px-2 py-1 text-small"
        >
          <p className={gained > 0 ? 'text-clock' : 'text-changed'}>
            {project !== undefined && `${project}: `}
            <code>{table}</code>: {error ?? visibilityText(identity, gained, lost)}
          </p>
          {example !== null && <code className="break-words">{exampleText(example)}</code>}
        </li>
      ))}
    </ul>
  )
}

function visibilityText(identity: string, gained: number, lost: number): string {
  const parts = [
    ...(gained === 0 ? [] : [`sees ${countOf(gained, 'more row')}`]),
    ...(lost === 0 ? [] : [`no longer sees ${countOf(lost, 'row')}`]),
  ]
  return `${identity} ${parts.join(' and ')}`
}

function exampleText(row: Readonly<Record<string, string | null>>): string {
  return Object.entries(row)
    .map(([column, value]) => `${column}: ${value ?? 'null'}`)
    .join(' · ')
}
