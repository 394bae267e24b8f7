// Lists the rows and values that steps or statements lose.
import type { ReactElement } from 'react'
import type { ProjectRehearsal } from '../../../emulator/contract/rehearsals.ts'
import { lossText } from './texts.ts'

export function Losses(props: {
  readonly projects: readonly ProjectRehearsal[]
}): ReactElement | undefined {
  const losses = props.projects.flatMap(({ losses: own, slug }) =>
    own.map((loss) => ({ ...loss, slug })),
  )
  if (losses.length === 0) return undefined
  return (
    <ul aria-label="Lost rows and values" className="flex flex-col gap-1">
      {losses.map(({ column, example, rows, slug, table }) => (
        <li
          key={`${slug} ${table} ${column}`}
          className="rounded-1 bg-surface-1 px-2 py-1 text-small"
        >
          <p className="text-refused">
            {slug}: loses {lossText(column, table, rows)}
          </p>
          {example !== null && <code className="break-words">{example}</code>}
        </li>
      ))}
    </ul>
  )
}
