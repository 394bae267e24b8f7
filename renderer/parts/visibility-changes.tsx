// Lists the rows that identities newly see, or no longer see, after migration steps.
import type { ReactElement } from 'react'
import type { VisibilityChange } from '../../emulator/contract/rehearsals.ts'
import { visibilityWords } from './visibility-words.ts'

export function VisibilityChanges(props: {
  /** Each change has its project's slug when the list has several projects. */
  readonly changes: readonly (VisibilityChange & { readonly project?: string })[]
}): ReactElement | undefined {
  if (props.changes.length === 0) return undefined
  return (
    <ul aria-label="Visibility changes" className="flex flex-col gap-1 pb-1">
      {props.changes.map(({ example, project, ...change }) => (
        <li
          key={`${project} ${change.table} ${change.identity}`}
          className="rounded-1 bg-surface-1 px-2 py-1 text-small"
        >
          <p className={change.gained > 0 ? 'text-clock' : 'text-changed'}>
            {project !== undefined && `${project}: `}
            <code>{change.table}</code>: {change.error ?? visibilityWords(change)}
          </p>
          {example !== null && <code className="break-words">{exampleText(example)}</code>}
        </li>
      ))}
    </ul>
  )
}

function exampleText(row: Readonly<Record<string, string | null>>): string {
  return Object.entries(row)
    .map(([column, value]) => `${column}: ${value ?? 'null'}`)
    .join(' · ')
}
