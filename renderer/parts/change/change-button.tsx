// The button that opens a change over the page.
import { GitPullRequestArrow } from 'lucide-react'
import type { ReactElement } from 'react'
import { Button } from '../../ui/button.tsx'
import { type Change, openChange } from './open-change.ts'

export function ChangeButton(props: {
  readonly change: Change
  /** Verb and noun. */
  readonly label: string
  readonly isDisabled?: boolean
}): ReactElement {
  const { change, isDisabled = false, label } = props
  return (
    <Button
      size="small"
      icon={<GitPullRequestArrow />}
      disabled={isDisabled}
      onClick={() => openChange(change)}
    >
      {label}…
    </Button>
  )
}
