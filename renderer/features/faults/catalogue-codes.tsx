// The codes that an operation documents, as many as the column holds; the others are counted, and named on hover.
import type { ReactElement } from 'react'
import { Chip } from '../../ui/chip.tsx'
import type { CatalogueError } from './arm-draft.ts'
import { splitCodes } from './catalogue-rows.ts'

export interface CatalogueCodesProps {
  readonly errors: readonly CatalogueError[]
  /** The code the search was about; it comes first. */
  readonly found: string | undefined
}

export function CatalogueCodes({ errors, found }: CatalogueCodesProps): ReactElement {
  const { shown, rest } = splitCodes(errors, found)
  return (
    <span className="flex min-w-0 gap-1 overflow-hidden">
      {shown.map(({ code, status, sentence }) => (
        <Chip
          key={code}
          isMono
          tone={code === found ? 'accent' : 'neutral'}
          title={`${status}: ${sentence}`}
          className="shrink-0"
        >
          {code}
        </Chip>
      ))}
      {rest.length === 0 ? undefined : (
        <Chip title={rest.map(({ code }) => code).join(', ')} className="shrink-0">
          +{rest.length}
        </Chip>
      )}
    </span>
  )
}
